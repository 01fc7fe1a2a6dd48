import Catalogue
import Conformance
import Foundation
import Preflight
import ReferenceProvider
import Synchronization

/// The committed findings that `checks explain` shows: the result of the first fault of every check.
///
/// The runs of the fault matrix are compared with it, so no extra runs are needed. With `OIDC_PREFLIGHT_RECORD=1` they
/// are recorded instead.
enum ExampleRecord {
    static let file = repository.appendingPathComponent("Sources/Preflight/Explanations/examples.tsv")
    static let isRecording = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1"
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let lines = Mutex(read())

    /// Whether a check has no example yet, or this one; a recording stores it first.
    static func contains(_ line: String, of check: CheckID) throws -> Bool {
        try lines.withLock { lines in
            let isTheSame = lines[check].map { words($0) == words(line) }
            guard isRecording, isTheSame != true else { return isTheSame ?? true }
            lines[check] = line
            try write(lines)
            return true
        }
    }

    /// A line without the parts that may differ between runs: words with digits, and long random words.
    ///
    /// `Settling` normalises the examples; a duration near a rounding boundary must not make one stale.
    private static func words(_ line: String) -> String {
        line.replacing(/[A-Za-z0-9_\-.]*\d[A-Za-z0-9_\-.]*/, with: "#")
            .replacing(/[A-Za-z0-9_\-]{16,}/) { word in
                word.output.contains(where: \.isUppercase) && word.output.contains(where: \.isLowercase)
                    ? "#" : word.output
            }
    }

    /// The checks in the file, in its order.
    static var checks: [CheckID] {
        text.split(separator: "\n").dropFirst()
            .compactMap { $0.split(separator: "\t").first.map { CheckID(String($0)) } }
    }

    /// Whether the finding of this fault is the example of the check.
    static func isShownBy(_ fault: Fault) -> Bool { Fault.all.first { $0.trips == fault.trips }?.id == fault.id }

    private static var text: String { (try? String(contentsOf: file, encoding: .utf8)) ?? "" }

    private static func read() -> [CheckID: String] {
        let lines = text.split(separator: "\n").dropFirst().map(String.init)
        return Dictionary(lines.map { (CheckID(String($0.prefix { $0 != "\t" })), $0) }) { first, _ in first }
    }

    /// In the catalogue's order, without removed checks.
    private static func write(_ lines: [CheckID: String]) throws {
        let text = ([Example.heading] + Catalogue.all.compactMap { lines[$0.id] }).joined(separator: "\n") + "\n"
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
