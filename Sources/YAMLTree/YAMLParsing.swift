extension YAML {
    /// How much is read: the bounds of a configuration written by hand, far beyond any that makes sense.
    package struct Limits: Sendable, Hashable {
        /// Bytes of the text.
        var size: Int
        /// How deep sequences and mappings nest, at most 1024.
        package var depth: Int
        /// Keys, values and elements, with each alias counted as its full content.
        package var nodes: Int

        package init(size: Int = 1_024 * 1_024, depth: Int = 64, nodes: Int = 100_000) {
            self.size = size
            self.depth = min(depth, 1_024)
            self.nodes = nodes
        }
    }

    /// Reads a text of exactly one document, in UTF-8 with or without a byte order mark, as libyaml has YAML 1.1 and 1.2.
    ///
    /// Aliases are resolved. Refused are keys that are written twice, tags other than those of the core schema, and the
    /// merge key `<<`: it is no part of YAML 1.2, and a reader who looks for unknown keys has no place for them in it.
    /// - Parameter bytes: The whole text.
    /// - Returns: The root of the document.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        limits: Limits = Limits()
    ) throws(YAMLError) -> YAML {
        guard bytes.count <= limits.size else {
            throw YAMLError(reason: .tooLarge(limit: limits.size), place: .end(of: bytes.prefix(limits.size)))
        }
        var bytes = Array(bytes)
        if let encoding = otherEncoding(bytes) { throw YAMLError(reason: .encoding(encoding), place: .start) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.removeFirst(3) }
        // libyaml takes no null pointer, not even with a length of 0.
        if bytes.isEmpty { throw YAMLError(reason: .empty, place: .start) }
        return try bytes.withUnsafeBufferPointer { (buffer) throws(YAMLError) in
            var composer = Composer(try EventReader(buffer), limits: limits)
            return try composer.document()
        }
    }

    /// Reads a text, as `parse` of its UTF-8 bytes does.
    package static func parse(_ text: String, limits: Limits = Limits()) throws(YAMLError) -> YAML {
        try parse(text.utf8, limits: limits)
    }

    /// The encoding that YAML 1.2 section 5.2 detects by the first bytes, if it is not UTF-8.
    private static func otherEncoding(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
        switch bytes.prefix(4).map({ $0 == 0 }) {
        case [true, true, true, false], [false, true, true, true]: return "UTF-32"
        case [true, false, true, false], [false, true, false, true]: return "UTF-16"
        default: return nil
        }
    }
}
