internal import JSONTree
package import Profiles

/// The type of a document from a file, detected from its content.
package enum DocumentKind: String, Sendable, Hashable {
    case discovery = "discovery document"
    case keys = "key set"

    /// By the members of the document; `nil` if they are inconclusive, as in a broken document.
    ///
    /// - Parameter guesses: Whether the first member is enough in a broken or too large document.
    init?(_ bytes: [UInt8], guesses: Bool = false) {
        var names: [String] = []
        if let root = try? JSONDocument.parse(bytes).root {
            names = root.objectValue?.members.map(\.name) ?? []
        } else if guesses, let first = Self.firstMember(bytes) {
            names = [first]
        }
        if names.contains(where: ["issuer", "jwks_uri", "authorization_endpoint", "response_types_supported"].contains)
        {
            self = .discovery
        } else if names.contains(where: ["keys", "kty"].contains) {
            // The member of RFC 7517 section 5, or a single key instead of a set.
            self = .keys
        } else {
            return nil
        }
    }

    /// The name of the first member of a text that begins as an object does.
    private static func firstMember(_ bytes: [UInt8]) -> String? {
        let start = bytes.prefix(64)
            .split(separator: UInt8(ascii: "\""), maxSplits: 2, omittingEmptySubsequences: false)
        guard start.count == 3, start[0].last(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { return nil }
        return String(decoding: start[1], as: UTF8.self)
    }

    /// By the file name, if the document cannot be parsed.
    init(named path: String) {
        let name = (path.split(separator: "/").last.map(String.init) ?? path).lowercased()
        self = ["jwk", "keys", "certs"].contains { name.contains($0) } ? .keys : .discovery
    }
}

/// A discovery document, a key set or both, from the named files.
package struct LintDocuments: Sendable {
    package private(set) var discovery: (name: String, bytes: [UInt8])?
    package private(set) var keys: (name: String, bytes: [UInt8])?

    /// - Parameters:
    ///   - discovery: Named as the discovery document.
    ///   - keys: Named as the key set.
    ///   - documents: Files of unknown type, in any order.
    /// - Throws: If a document has the other type, if there are two of a type, or if there is none.
    package init(
        discovery: (name: String, bytes: [UInt8])? = nil,
        keys: (name: String, bytes: [UInt8])? = nil,
        others documents: [(name: String, bytes: [UInt8])] = []
    ) throws(ConfigurationError) {
        if let discovery { try Self.demand(.discovery, discovery, option: "--jwks") }
        if let keys { try Self.demand(.keys, keys, option: "--discovery") }
        self.discovery = discovery
        self.keys = keys
        // Documents of known type come first; a document of unknown type takes the remaining place.
        let kinds = documents.map { DocumentKind($0.bytes, guesses: true) }
        for (document, kind) in zip(documents, kinds) where kind != nil { try take(document, kind ?? .discovery) }
        for (document, kind) in zip(documents, kinds) where kind == nil {
            let hasOneLeft = (self.discovery == nil) != (self.keys == nil)
            let left: DocumentKind = self.discovery == nil ? .discovery : .keys
            try take(document, hasOneLeft && documents.count > 1 ? left : DocumentKind(named: document.name))
        }
        if self.discovery == nil, self.keys == nil {
            throw ConfigurationError(file: "lint", "specify a discovery document, a key set, or both, in any order")
        }
    }

    private mutating func take(
        _ document: (name: String, bytes: [UInt8]),
        _ kind: DocumentKind
    ) throws(ConfigurationError) {
        let taken = kind == .discovery ? discovery : keys
        if let taken {
            throw ConfigurationError(
                file: document.name,
                "this is a \(kind.rawValue), and so is \(taken.name): lint accepts one of each"
            )
        }
        if kind == .discovery { discovery = document } else { keys = document }
    }

    private static func demand(
        _ kind: DocumentKind,
        _ document: (name: String, bytes: [UInt8]),
        option: String
    ) throws(ConfigurationError) {
        guard let found = DocumentKind(document.bytes), found != kind else { return }
        throw ConfigurationError(
            file: document.name,
            "this is a \(found.rawValue), not a \(kind.rawValue): write \(option) \(document.name), or omit the option; "
                + "lint detects the type"
        )
    }
}
