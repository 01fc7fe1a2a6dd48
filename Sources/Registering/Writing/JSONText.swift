/// JSON with two spaces of indentation; a reference is its placeholder.
enum JSONText {
    static func write(_ node: Node) -> String { text(node, depth: 0) + "\n" }

    private static func text(_ node: Node, depth: Int) -> String {
        switch node {
        case .text(let text): QuotedText.json(text)
        case .flag(let flag): flag ? "true" : "false"
        case .reference(let reference): "\"\(reference.placeholder)\""
        case .list(let elements):
            enclosed("[", elements.map { text($0, depth: depth + 1) }, "]", depth: depth)
        case .map(let members):
            enclosed(
                "{",
                members.map { QuotedText.json($0.name) + ": " + text($0.value, depth: depth + 1) },
                "}",
                depth: depth
            )
        }
    }

    private static func enclosed(_ opening: String, _ items: [String], _ closing: String, depth: Int) -> String {
        guard !items.isEmpty else { return opening + closing }
        let indentation = String(repeating: "  ", count: depth + 1)
        return opening + "\n" + items.map { indentation + $0 }.joined(separator: ",\n") + "\n"
            + String(repeating: "  ", count: depth) + closing
    }
}
