import FoundationEssentials

/// The location of the project's files.
enum Repository {
    static func folder(_ path: String) -> URL {
        var root = URL(filePath: #filePath)
        for _ in 0..<3 { root.deleteLastPathComponent() }
        return root.appending(path: path)
    }
}
