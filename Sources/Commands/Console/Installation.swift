internal import Conformance
internal import Console

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The folder of this program, and how it was installed.
enum Installation {
    /// The folder of the running program, without links; `nil` if the system does not report it.
    static let folder: String? = {
        guard let name = realpath("/proc/self/exe", nil) ?? realpath(CommandLine.arguments[0], nil) else { return nil }
        defer { free(name) }
        let path = String(cString: name)
        return path.lastIndex(of: "/").map { String(path[..<$0]) }
    }()

    /// The kind of installation, from a file that the package installs beside the program.
    static var kind: String {
        let file = folder.map { "\($0)/../share/\(Tool.name)/installation" }
        guard let file, let bytes = try? Files.beginning(of: file, 100), !bytes.isEmpty else {
            return "built from source"
        }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// For `doctor`.
    static var lines: [(name: String, meaning: String)] {
        [
            ("program", "\(folder.map { "\($0)/\(Tool.name)" } ?? Tool.name), \(kind)"),
            ("provider", ProviderExecutable.path ?? "not found: the commands provider and demo do not work"),
        ]
    }
}
