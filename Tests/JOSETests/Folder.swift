import Foundation

/// Folders for the files that oracles read.
enum Folder {
    /// Runs the body with a fresh folder that is removed afterwards.
    static func temporary<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "oidc-preflight-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }
}

extension URL {
    /// Writes a text under this folder and gives its path.
    func write(_ text: String, as name: String) throws -> String {
        let file = appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path()
    }
}
