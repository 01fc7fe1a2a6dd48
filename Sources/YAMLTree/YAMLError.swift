/// Why a text is not a YAML document that this tool reads, and where.
package struct YAMLError: Error, Sendable, Hashable {
    package let reason: Reason
    package let place: YAML.Place

    package enum Reason: Sendable, Hashable {
        /// The text breaks the grammar; in libyaml's words, and where libyaml noticed it.
        case syntax(String)
        /// The bytes are in another encoding, by its name.
        case encoding(String)
        /// There is no document, or one with nothing in it.
        case empty
        case tooLarge(limit: Int)
        /// Sequences and mappings nest deeper than the limit.
        case tooDeep(limit: Int)
        /// More nodes than the limit, with each alias counted as its full content.
        case tooManyNodes(limit: Int)
        case secondDocument
        case duplicateKey(String, first: YAML.Place)
        case unknownAlias(String)
        /// An alias within the node that it names.
        case endlessAlias(String, anchor: YAML.Place)
        /// A tag that is not one of the core schema.
        case foreignTag(String)
        /// A tag of the core schema on a node of another kind.
        case misplacedTag(String)
        /// The key `<<`, which YAML 1.1 had and YAML 1.2 has not.
        case mergeKey
        case outOfMemory
    }
}

extension YAMLError: CustomStringConvertible {
    package var description: String { "\(reason), at \(place)" }
}

extension YAML.Place: CustomStringConvertible {
    package var description: String { "line \(line) column \(column)" }
}

extension YAMLError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .syntax(let problem): problem
        case .encoding(let name): "the text is encoded in \(name): save it as UTF-8"
        case .empty: "the text is empty"
        case .tooLarge(let limit): "the text is longer than \(limit) bytes"
        case .tooDeep(let limit): "the text is nested deeper than \(limit) levels"
        case .tooManyNodes(let limit):
            "the text has more than \(limit) values, with each alias (*) counted as its full content"
        case .secondDocument: "a second document begins: keep one to a file"
        case .duplicateKey(let key, let first): "“\(key)” is written more than once, first at \(first)"
        case .unknownAlias: "found undefined alias"
        case .endlessAlias(let name, let anchor):
            "the alias *\(name) is inside the value that it refers to, which begins at \(anchor)"
        case .foreignTag(let tag): "the tag \(tag) is not supported: remove it"
        case .misplacedTag(let tag): "the tag \(tag) does not fit its value: remove it"
        case .mergeKey: "the merge key << is not part of YAML 1.2: write the keys out"
        case .outOfMemory: "there is not enough memory to read the text"
        }
    }
}
