import Foundation
import OtherPrograms

/// The files of Tests/Fixtures that are stored compressed, by `gzip -9n`.
///
/// The program gzip decompresses them: it is an essential package of Debian, and the tests need not link zlib for this alone.
package enum Fixture {
    /// The message of gzip for a file that it cannot decompress.
    package struct Unreadable: Error, CustomStringConvertible {
        package let description: String
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The cells of a table of Tests/Fixtures with the ending `.tsv`, its heading first, without comments; empty if there is none.
    ///
    /// - Parameter name: Without the ending.
    package static func table(_ name: String) -> [[String]] {
        let file = root.appendingPathComponent("Tests/Fixtures/\(name).tsv")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.components(separatedBy: "\t") }
    }

    /// The names of the compressed files in a folder, without the ending `.gz`, sorted.
    package static func names(in folder: String) -> [String] {
        let files = try? FileManager.default.contentsOfDirectory(
            atPath: root.appendingPathComponent("Tests/Fixtures/\(folder)").path
        )
        return (files ?? []).filter { $0.hasSuffix(".gz") }.map { String($0.dropLast(".gz".count)) }.sorted()
    }

    /// The decompressed content of a file.
    ///
    /// - Parameter path: Its path below Tests/Fixtures, with the ending `.gz`.
    package static func bytes(_ path: String) async throws -> [UInt8] {
        let file = root.appendingPathComponent("Tests/Fixtures/\(path)").path
        let outcome = try await OtherProgram.run("gzip", ["-dc", file])
        guard outcome.isSuccess else { throw Unreadable(description: outcome.errors) }
        return outcome.output
    }

    /// The path of a decompressed copy below `.build`, for programs that take a path.
    ///
    /// - Parameter path: As in ``bytes(_:)``.
    package static func file(_ path: String) async throws -> String {
        let copy = root.appendingPathComponent(".build/fixtures/\(path.dropLast(".gz".count))")
        let content = Data(try await bytes(path))
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        // Tests that run at the same time read the file that this one replaces.
        try content.write(to: copy, options: .atomic)
        return copy.path
    }
}
