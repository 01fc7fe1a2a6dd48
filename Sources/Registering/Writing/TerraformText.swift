/// One Terraform resource and the variables that it refers to, in HCL's native syntax as `terraform fmt` lays it out.
struct TerraformText {
    /// The resource's type: `aws_iam_openid_connect_provider`.
    var type: String
    /// The resource's name, an identifier.
    var label: String
    var arguments: [Node.Member]
    /// Nested blocks, each with its arguments.
    var blocks: [(name: String, arguments: [Node.Member])] = []

    init(
        _ type: String,
        label: String,
        _ arguments: KeyValuePairs<String, Node?>,
        blocks: [(name: String, arguments: [Node.Member])] = []
    ) {
        self.type = type
        self.label = Self.identifier(label)
        self.arguments = arguments.compactMap { name, value in value.map { Node.Member(name: name, value: $0) } }
        self.blocks = blocks
    }

    func text() -> String {
        let variables = references(.map(arguments)).map(Self.declaration)
        var lines = ["resource \"\(type)\" \"\(label)\" {"] + Self.assignments(arguments, indentation: "  ")
        for block in blocks {
            lines += ["", "  \(block.name) {"] + Self.assignments(block.arguments, indentation: "    ") + ["  }"]
        }
        return (variables + [(lines + ["}"]).joined(separator: "\n")]).joined(separator: "\n\n") + "\n"
    }

    /// A text as an identifier: letters, digits and underscores, a letter first.
    static func identifier(_ text: String) -> String {
        var result = ""
        for scalar in text.lowercased().unicodeScalars {
            result.unicodeScalars.append(scalar.isLetterOrDigit ? scalar : "_")
        }
        guard let first = result.unicodeScalars.first, ("a"..."z").contains(first) else { return "oidc_" + result }
        return result
    }

    private static func declaration(_ reference: Reference) -> String {
        let sensitive: [Node.Member] = reference.isSecret ? [.init(name: "sensitive", value: .flag(true))] : []
        let lines = assignments(
            [.init(name: "description", value: .text(reference.description))] + sensitive,
            indentation: "  ",
            raw: [("type", "string")]
        )
        return (["variable \"\(reference.variable)\" {"] + lines + ["}"]).joined(separator: "\n")
    }

    /// Every reference of the arguments once, in order.
    private func references(_ node: Node) -> [Reference] {
        var found: [Reference] = []
        switch node {
        case .reference(let reference): found = [reference]
        case .list(let elements): found = elements.flatMap(references)
        case .map(let members): found = members.flatMap { references($0.value) }
        case .text, .flag: break
        }
        return found.enumerated().filter { index, reference in !found[..<index].contains(reference) }.map(\.element)
    }

    /// One argument per line, with the equals signs of neighbors aligned.
    private static func assignments(
        _ members: [Node.Member],
        indentation: String,
        raw: [(name: String, value: String)] = []
    ) -> [String] {
        let pairs = raw + members.map { ($0.name, expression($0.value, indentation: indentation)) }
        var lines: [String] = []
        var group: [(name: String, value: String)] = []
        // terraform fmt aligns groups of one-line arguments; a multi-line argument ends a group.
        for pair in pairs {
            group.append(pair)
            if pair.value.contains("\n") {
                let whole = group.removeLast()
                lines += aligned(group, indentation) + [indentation + whole.name + " = " + whole.value]
                group = []
            }
        }
        return lines + aligned(group, indentation)
    }

    private static func aligned(_ group: [(name: String, value: String)], _ indentation: String) -> [String] {
        let width = group.map(\.name.count).max() ?? 0
        return group.map { name, value in
            indentation + name + String(repeating: " ", count: width - name.count) + " = " + value
        }
    }

    private static func expression(_ node: Node, indentation: String) -> String {
        switch node {
        case .text(let text): return QuotedText.hcl(text)
        case .flag(let flag): return flag ? "true" : "false"
        case .reference(let reference): return "var.\(reference.variable)"
        case .list(let elements):
            return "[" + elements.map { expression($0, indentation: indentation) }.joined(separator: ", ") + "]"
        case .map(let members):
            guard !members.isEmpty else { return "{}" }
            let inner = members.map { Node.Member(name: name($0.name), value: $0.value) }
            return "{\n" + assignments(inner, indentation: indentation + "  ").joined(separator: "\n")
                + "\n\(indentation)}"
        }
    }

    /// A key of an object; anything but an identifier is quoted.
    private static func name(_ text: String) -> String {
        let isIdentifier = identifier(text) == text && !text.isEmpty
        return isIdentifier ? text : QuotedText.hcl(text)
    }
}
