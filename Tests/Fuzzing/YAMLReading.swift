// `Scripts/sanitize.sh` compiles this file into one module with YAMLTree.
#if canImport(YAMLTree)
import YAMLTree
#endif

/// The invariants of every YAML text that is read.
enum YAMLReading {
    /// Pieces that are likely to break YAML.
    static let pieces = [
        "\n", "\r\n", "\t", " ", "  ", "- ", "? ", ": ", ",", "[", "]", "{", "}", "#", " #", "&a ", "*a", "!", "!!str ",
        "|", "|2-\n", "|\n", ">", ">+\n", "'", "\"", "\\", "\\u00e9", "\\x0", "%", "%YAML 1.2\n---\n", "---\n", "...\n",
        "<<: ", "~", "@", "`", "\u{FEFF}", "\u{85}", "é", "\u{1}", "&a [*a]", "[[[[[[[[[[[[[[[[", "{{{{{{{{{{{{{{{{",
    ]

    /// Limits that most longer texts exceed.
    static let tight = YAML.Limits(size: 4_000, depth: 4, nodes: 60)

    /// Why the result of reading is impossible; `nil` if it is not.
    static func contradiction(_ text: [UInt8], _ limits: YAML.Limits = YAML.Limits()) -> String? {
        do throws(YAMLError) {
            var count = 0
            return problem(of: try YAML.parse(text, limits: limits), limits, &count, depth: 0)
                ?? (count <= limits.nodes ? nil : "\(count) values")
        } catch {
            // An end of file within a line counts as a line of its own.
            let lines = YAML.Place.end(of: text).line + 1
            return (1...lines).contains(error.place.line) && error.place.column >= 1 ? nil : "no such place: \(error)"
        }
    }

    private static func problem(of node: YAML, _ limits: YAML.Limits, _ count: inout Int, depth: Int) -> String? {
        count += 1
        guard node.place.line >= 1, node.place.column >= 1 else { return "a value at \(node.place)" }
        guard depth <= limits.depth else { return "a value at a depth of \(depth)" }
        let inner = (node.sequence ?? []) + (node.mapping ?? []).flatMap { [$0.key, $0.value] }
        for node in inner {
            if let problem = problem(of: node, limits, &count, depth: depth + 1) { return problem }
        }
        return nil
    }
}
