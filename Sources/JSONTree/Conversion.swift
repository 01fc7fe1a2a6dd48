import CJansson

/// Turns jansson's tree into our own, undoing the sentinels that the parser put in.
struct Conversion {
    let sentinel: [UInt8]
    let originals: [Parser.Original]
    private(set) var duplicates: [JSONPointer] = []
    /// The way to the node at hand; kept only if there is something to record.
    private var path: [String] = []

    init(sentinel: [UInt8], originals: [Parser.Original]) {
        self.sentinel = sentinel
        self.originals = originals
    }

    /// The value of a borrowed node; recursion is bounded by the parser's depth limit.
    mutating func value(_ node: UnsafeMutablePointer<json_t>) -> JSON {
        switch node.pointee.type {
        case JSON_OBJECT: return .object(object(node))
        case JSON_ARRAY:
            var elements: [JSON] = []
            let count = json_array_size(node)
            elements.reserveCapacity(count)
            for index in 0..<count {
                guard let element = json_array_get(node, index) else { continue }
                elements.append(value(element, at: originals.isEmpty ? "" : String(index)))
            }
            return .array(elements)
        case JSON_STRING:
            let text = Self.text(of: node)
            if case .value(let original)? = original(of: text) { return original }
            return .string(text)
        case JSON_INTEGER: return .integer(Int64(json_integer_value(node)))
        case JSON_REAL: return .real(json_real_value(node))
        case JSON_TRUE: return .bool(true)
        case JSON_FALSE: return .bool(false)
        default: return .null
        }
    }

    private mutating func value(_ node: UnsafeMutablePointer<json_t>, at token: String) -> JSON {
        guard !originals.isEmpty else { return value(node) }
        path.append(token)
        defer { path.removeLast() }
        return value(node)
    }

    private mutating func object(_ node: UnsafeMutablePointer<json_t>) -> JSONObject {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(json_object_size(node))
        var restored = false
        var iterator = json_object_iter(node)
        while let current = iterator {
            defer { iterator = json_object_iter_next(node, current) }
            guard let key = json_object_iter_key(current), let child = json_object_iter_value(current) else { continue }
            let bytes = UnsafeRawBufferPointer(start: key, count: json_object_iter_key_len(current))
            var name = String(decoding: bytes, as: UTF8.self)
            if case .name(let original)? = original(of: name) {
                name = original
                restored = true
                if members.contains(where: { $0.name.isIdenticalText(to: original) }) {
                    duplicates.append(JSONPointer(tokens: path + [name]))
                }
            }
            members.append(JSONObject.Member(name: name, value: value(child, at: name)))
        }
        return restored ? JSONObject(members) : JSONObject(distinct: members)
    }

    /// The original token, if the text is a sentinel.
    private func original(of text: String) -> Parser.Original? {
        guard !originals.isEmpty, text.utf8.starts(with: sentinel) else { return nil }
        guard let index = Int(String(text.unicodeScalars.dropFirst(sentinel.count))), originals.indices.contains(index)
        else { return nil }
        return originals[index]
    }

    /// The text of a string node, U+0000 included.
    static func text(of node: UnsafeMutablePointer<json_t>) -> String {
        guard let start = json_string_value(node) else { return "" }
        return String(decoding: UnsafeRawBufferPointer(start: start, count: json_string_length(node)), as: UTF8.self)
    }
}
