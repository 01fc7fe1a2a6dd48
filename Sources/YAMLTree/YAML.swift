/// A node of a YAML document: its value, and where it stands.
///
/// Plain scalars stay texts: whether `12` is a number and `no` a truth value is for the reader to say, who knows what
/// it wants. An alias is the node that it names, with that node's place.
package struct YAML: Sendable {
    package let content: Content
    /// The start of the node: its anchor or tag, if it has one.
    package let place: Place

    package init(content: Content, place: Place) {
        self.content = content
        self.place = place
    }

    package enum Content: Sendable {
        case scalar(Scalar)
        case sequence([YAML])
        /// In the order of the file; no key is there twice.
        case mapping([Entry])
    }

    /// A key of a mapping, which can be any node, and its value.
    package struct Entry: Sendable {
        package let key: YAML
        package let value: YAML

        package init(key: YAML, value: YAML) {
            self.key = key
            self.value = value
        }
    }

    /// Line and column, counted from 1; columns count Unicode scalar values.
    ///
    /// A line ends as YAML 1.1 section 5.4 has it: with LF, CR, CR LF, and also with U+0085, U+2028 and U+2029.
    package struct Place: Sendable, Hashable, Comparable {
        package let line: Int
        package let column: Int

        package init(line: Int, column: Int) {
            self.line = line
            self.column = column
        }

        package static func < (left: Place, right: Place) -> Bool {
            (left.line, left.column) < (right.line, right.column)
        }
    }
}

extension YAML {
    /// A text, with how it was written.
    package struct Scalar: Sendable {
        /// Without quotes, escapes, indentation and folding (YAML 1.2 sections 7.3 and 8.1).
        package let text: String
        package let style: Style
        /// The tag that stands before it.
        package let tag: Tag?

        /// Whether it is a text and nothing else: in quotes, in a block, or tagged `!!str`.
        ///
        /// Any other can be meant as a number, a truth value or nothing (YAML 1.2 section 10.3.2).
        package var isText: Bool {
            switch tag {
            case .str: true
            case nil: style != .plain
            default: false
            }
        }
    }

    package enum Style: String, Sendable, Hashable, CaseIterable {
        case plain
        case singleQuoted
        case doubleQuoted
        /// A block after `|`.
        case literal
        /// A block after `>`.
        case folded
    }

    /// The tags of the core schema (YAML 1.2 section 10.3), all within `tag:yaml.org,2002:`.
    package enum Tag: String, Sendable, Hashable, CaseIterable {
        case str
        case null
        case bool
        case int
        case float
        case seq
        case map

        static let namespace = "tag:yaml.org,2002:"
    }

    /// Nothing, in one of the ways of YAML 1.2 section 10.3.2.
    package var isNull: Bool {
        guard let scalar, !scalar.isText else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
    }

    package var scalar: Scalar? {
        if case .scalar(let scalar) = content { scalar } else { nil }
    }

    package var sequence: [YAML]? {
        if case .sequence(let elements) = content { elements } else { nil }
    }

    package var mapping: [Entry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }
}
