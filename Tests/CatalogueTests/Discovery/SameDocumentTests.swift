import Conformance
import JSONTree
import ReferenceProvider
import Testing

/// Documents that a run requests more than once.
@Suite("Repeated requests for a document", .timeLimit(.minutes(5)))
struct SameDocumentTests {
    private static let document: CheckID = "discovery.response.is-the-same-again"
    private static let keys: CheckID = "keys.response.is-the-same-again"

    /// The findings if all responses after the first are changed.
    private func findings(
        _ id: CheckID,
        discovery: @escaping @Sendable (inout JSONObject) -> Void = { _ in },
        keys: @escaping @Sendable (inout JSONObject) -> Void = { _ in }
    ) throws -> [Finding] {
        var provider = DocumentProvider()
        let (first, other) = (FirstCall(), FirstCall())
        provider.hooks.discovery = { document, _ in if !first.isFirst() { discovery(&document) } }
        provider.hooks.keySet = { set in if !other.isFirst() { keys(&set) } }
        return provider.judge(try #require(StaticChecks.check(id))).findings
    }

    @Test("the order of members and list elements does not matter")
    func order() throws {
        let found = try findings(Self.document) { document in
            document = JSONObject(document.members.reversed())
            for (name, value) in document.members.map({ ($0.name, $0.value) }) {
                if let list = value.arrayValue { document[name] = .array(list.reversed()) }
            }
        }
        #expect(found.isEmpty)
    }

    @Test("the order of keys and their members does not matter")
    func keyOrder() throws {
        let found = try findings(
            Self.keys,
            keys: { set in
                let keys = (set["keys"]?.arrayValue ?? []).compactMap(\.objectValue)
                set["keys"] = .array(keys.reversed().map { .object(JSONObject($0.members.reversed())) })
            }
        )
        #expect(found.isEmpty)
    }

    @Test("a changed value is reported once")
    func change() throws {
        let found = try findings(Self.document) { $0["scopes_supported"] = ["openid"] }
        #expect(found.map(\.pointer) == ["/scopes_supported"])
    }

    @Test("the finding names the changed members of a key with the same kid")
    func sameKid() throws {
        let found = try findings(
            Self.keys,
            keys: { set in
                guard var key = set["keys"]?.arrayValue?.first?.objectValue else { return }
                key.rewrite("n") { "B" + $0.dropFirst() }
                set["keys"] = [.object(key)]
            }
        )
        #expect(found.count == 1)
        let finding = try #require(found.first)
        #expect(finding.expected != finding.found)
        #expect(finding.found?.contains("different n") == true, "\(finding)")
    }

    @Test("the order of a key's certificates matters")
    func chain() throws {
        var provider = DocumentProvider()
        provider.keySet["keys"] = [["kty": "EC", "x5c": ["a", "b"]]]
        let other = FirstCall()
        provider.hooks.keySet = { set in if !other.isFirst() { set["keys"] = [["kty": "EC", "x5c": ["b", "a"]]] } }
        let check = try #require(StaticChecks.check(Self.keys))
        #expect(!provider.judge(check).findings.isEmpty)
    }
}

extension JSONObject {
    fileprivate mutating func rewrite(_ member: String, _ change: (String) -> String) {
        if let text = self[member]?.stringValue { self[member] = .string(change(text)) }
    }
}
