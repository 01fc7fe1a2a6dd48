import Foundation
import Testing

/// A file of the repository that the program's own words are compared with.
enum CommittedFile {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"

    /// Expects the text in the file, or writes it there when files are recorded.
    ///
    /// - Parameter file: Its path from the root of the repository.
    static func expect(_ text: String, in file: String, location: SourceLocation = #_sourceLocation) throws {
        let url = root.appendingPathComponent(file)
        if isRecording {
            let folder = url.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try text.write(to: url, atomically: true, encoding: .utf8)
        }
        let committed = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        let isCurrent = committed == text
        let known = Set(committed.split(separator: "\n"))
        let news = text.split(separator: "\n").first { !known.contains($0) } ?? "(lines are gone, or in another order)"
        #expect(isCurrent, "\(file) is stale: \(news); regenerate it with: make samples", sourceLocation: location)
    }
}
