/// YAML block style with every text in quotation marks, so that none is read as a number, a flag or a comment.
///
/// Names are those of the format itself and need no quotation marks.
enum YAMLText {
    static func write(_ node: Node) -> String { lines(node).joined(separator: "\n") + "\n" }

    private static func lines(_ node: Node) -> [String] {
        switch node {
        case .map(let members): members.flatMap(member)
        case .list(let elements):
            elements.flatMap { element in
                lines(element).enumerated().map { ($0.offset == 0 ? "- " : "  ") + $0.element }
            }
        default: [scalar(node)]
        }
    }

    private static func member(_ member: Node.Member) -> [String] {
        switch member.value {
        case .map(let members) where !members.isEmpty:
            ["\(member.name):"] + lines(member.value).map { "  " + $0 }
        case .list(let elements) where !elements.isEmpty:
            ["\(member.name):"] + lines(member.value).map { "  " + $0 }
        default: ["\(member.name): \(scalar(member.value))"]
        }
    }

    private static func scalar(_ node: Node) -> String {
        switch node {
        case .text(let text): QuotedText.yaml(text)
        case .flag(let flag): flag ? "true" : "false"
        case .reference(let reference): "\"\(reference.placeholder)\""
        case .list: "[]"
        case .map: "{}"
        }
    }
}
