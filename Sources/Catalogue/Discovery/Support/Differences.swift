import Conformance
import JSONTree

/// The differences between two responses that should be the same.
enum Differences {
    /// A finding for each member that differs between the two documents.
    ///
    /// - Parameters:
    ///   - first: The first document.
    ///   - second: The document to compare.
    ///   - change: The rest of the message, after the member's name.
    ///   - members: The members to compare; `nil` for all.
    static func between(
        _ first: Metadata,
        _ second: Metadata,
        _ change: String,
        of members: Set<String>? = nil
    ) -> [Finding] {
        let before = first.object.byName
        let after = second.object.byName
        let names = first.object.names + second.object.names.filter { before[$0] == nil }
        return names.filter { members?.contains($0) ?? true }
            .filter { before[$0].map(comparable) != after[$0].map(comparable) }
            .map { name in
                Finding(
                    "\(name.quoted) \(change)",
                    at: JSONPointer(tokens: [name]).description.shown(),
                    expected: before[name].map { $0.serialized().shown() } ?? "no such member",
                    found: after[name].map { $0.serialized().shown() } ?? "no such member",
                    fix: members == nil
                        ? "Publish the same \(name.quoted) on all servers of the provider."
                        : "State the same \(name.quoted) in both documents.",
                    exchange: second.exchange
                )
            }
    }

    /// A finding if the two sets do not contain the same keys, in any order.
    ///
    /// - Parameters:
    ///   - first: The first set.
    ///   - second: The set to compare.
    ///   - place: The beginning of the message.
    ///   - mayBeNew: Whether the provider may have added a key between the two requests.
    static func between(_ first: KeySet, _ second: KeySet, _ place: String, mayBeNew: Bool = false) -> [Finding] {
        let before = Set(first.elements.map(significant))
        let after = Set(second.elements.map(significant))
        guard before != after else { return [] }
        let lost = first.elements.filter { !after.contains(significant($0)) }
        let gained = second.elements.filter { !before.contains(significant($0)) }
        return [
            Finding(
                "\(place): \(counted(lost.count, "key")) missing, \(gained.count) added.",
                at: "/keys",
                expected: lost.isEmpty ? "no additional key" : lost.map(name).listed,
                found: gained.isEmpty ? "no additional key" : gained.map { name($0) + change($0, among: lost) }.listed,
                fix: lost.isEmpty && mayBeNew
                    ? "No change is needed if the provider added a key in the meantime; otherwise publish the same keys on all servers."
                    : "Publish the same keys on all servers of the provider, from one key store.",
                exchange: second.exchange
            )
        ]
    }

    /// The members of a key that a client reads; it ignores others (RFC 7517 section 4).
    private static func significant(_ key: JSON) -> JSON {
        guard let object = key.objectValue else { return key }
        return comparable(.object(JSONObject(object.members.filter { readMembers.contains($0.name) })))
    }

    /// RFC 7517 section 4, RFC 7518 section 6, and RFC 8037 section 2, without private members.
    private static let readMembers: Set<String> = [
        "kty", "use", "key_ops", "alg", "kid", "x5u", "x5c", "x5t", "x5t#S256", "crv", "x", "y", "n", "e", "k",
    ]

    /// The value without insignificant order: that of the members of objects (RFC 8259 section 1), and that of lists of
    /// strings, which are sets in metadata and in `key_ops`.
    private static func comparable(_ value: JSON) -> JSON {
        if let object = value.objectValue {
            let members = object.members.map { JSONObject.Member(name: $0.name, value: within($0)) }
            return .object(JSONObject(members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }))
        }
        if let texts = value.strings { return .array(Set(texts).sorted().map { .string($0) }) }
        return value.arrayValue.map { .array($0.map(comparable)) } ?? value
    }

    /// The certificates of `x5c` are a chain, so their order is significant (RFC 7517 section 4.7).
    private static func within(_ member: JSONObject.Member) -> JSON {
        member.name == "x5c" ? member.value : comparable(member.value)
    }

    /// Names a key by its type and kid.
    private static func name(_ element: JSON) -> String {
        guard let object = element.objectValue else { return element.serialized().shown(limit: 40) }
        let kid = object["kid"]?.stringValue
        return (object["kty"]?.stringValue?.shown(limit: 40) ?? "a key without a type")
            + (kid.map { " with kid \($0.shown(limit: 80))" } ?? " without kid")
    }

    /// The members that differ from the missing key with the same kid.
    private static func change(_ element: JSON, among lost: [JSON]) -> String {
        guard let object = element.objectValue, let kid = object["kid"],
            let before = lost.lazy.compactMap(\.objectValue).first(where: { $0["kid"] == kid })
        else { return "" }
        let names = object.names + before.names.filter { !object.has($0) }
        let changed = names.filter { object[$0].map(comparable) != before[$0].map(comparable) }
        return changed.isEmpty
            ? "" : ", with a different \(changed.prefix(6).map { $0.shown(limit: 40) }.joined(separator: ", "))"
    }
}

extension JSONObject {
    /// The values by name: looking up each member in the object takes quadratic time.
    fileprivate var byName: [String: JSON] { Dictionary(members.map { ($0.name, $0.value) }) { first, _ in first } }
}
