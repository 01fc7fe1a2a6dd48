import Foundation

/// The repository's own files, as these tests read them.
enum Repository {
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    struct SourceFile {
        let path: String
        let lines: [String]

        /// The modules that the file imports.
        var imports: Set<String> {
            Set(
                lines.compactMap { line in
                    guard line.contains("import ") else { return nil }
                    let words = line.split(separator: " ")
                    guard let index = words.firstIndex(of: "import"), index <= 2, words.count > index + 1,
                        words[..<index]
                            .allSatisfy({
                                [
                                    "package", "internal", "private", "fileprivate", "public", "@testable",
                                    "@preconcurrency",
                                ]
                                .contains($0)
                            })
                    else { return nil }
                    // `import struct Foundation.Date` names the module after the kind.
                    let kinds: Set<Substring> = [
                        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
                    ]
                    let name =
                        kinds.contains(words[index + 1]) && words.count > index + 2
                        ? words[index + 2] : words[index + 1]
                    return name.split(separator: ".").first.map(String.init)
                }
            )
        }
    }

    static func swiftFiles(in folder: String) throws -> [SourceFile] {
        let base = root + "/" + folder
        guard let paths = FileManager.default.enumerator(atPath: base) else { return [] }
        return try paths.compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".") }
            .sorted()
            .map { path in
                let text = try String(contentsOfFile: base + "/" + path, encoding: .utf8)
                var lines = text.components(separatedBy: "\n")
                if lines.last?.isEmpty == true { lines.removeLast() }
                return SourceFile(path: folder + "/" + path, lines: lines)
            }
    }
}
