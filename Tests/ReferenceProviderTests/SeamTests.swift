import Conformance
import JSONTree
import Testing

@testable import ReferenceProvider

/// Several faults at one place of the provider.
@Suite("Seams", .timeLimit(.minutes(5)))
struct SeamTests {
    private static func fault(_ id: String) throws -> Fault {
        try #require(Fault.all.first { $0.id == id }, "no fault is called \(id)")
    }

    private static func seams(_ ids: [String]) throws -> Seams {
        var seams = Seams(nil)
        for id in ids { try fault(id).change(&seams) }
        return seams
    }

    @Test(
        "changes to one document are made one after another, in either order",
        arguments: [
            ["idtoken.aud.holds-client", "idtoken.nonce.is-echoed"],
            ["idtoken.nonce.is-echoed", "idtoken.aud.holds-client"],
        ]
    )
    func edits(ids: [String]) throws {
        let right: JSONObject = ["aud": "c", "nonce": "n", "sub": "u"]
        var claims = right
        try Self.seams(ids).idTokenClaims(&claims, .tokenEndpoint)
        #expect(claims["aud"] != right["aud"] && claims["nonce"] != right["nonce"] && claims["sub"] == right["sub"])
        #expect(Fault.conflict(among: try ids.map(Self.fault)) == nil)
    }

    @Test("a decision is handed on: what one fault lets pass, the next may refuse")
    func decisions() {
        var seams = Seams(nil)
        seams.tokenError = { _, usual in usual ?? OAuthError("first") }
        seams.tokenError = { _, usual in usual.map { OAuthError($0.code + ", second") } }
        let request = TokenRequestParameters(all: [], method: nil)
        #expect(seams.tokenError(request, nil)?.code == "first, second")
    }

    @Test("of two faults of which the provider can have one, both are named, and the place")
    func conflict() throws {
        let faults = try ["idtoken.signature.verifies", "idtoken.alg.is-not-none"].map(Self.fault)
        let conflict = try #require(Fault.conflict(among: faults))
        #expect(conflict.first.id == faults[0].id && conflict.second.id == faults[1].id && conflict.place == "signing")
        #expect(Fault.conflict(among: [faults[0], faults[0]]) == nil)
    }

    @Test("no fault is in conflict with itself, and every fault of the provider changes a place that is known")
    func everyFault() {
        for fault in Fault.all {
            #expect(Fault.conflict(among: [fault]) == nil, "\(fault.id)")
        }
    }

    @Test("every place is a seam, so that no fault's change goes unseen")
    func places() {
        func check(_ value: Any, _ path: String) {
            for child in Mirror(reflecting: value).children {
                let name = path + (child.label ?? "?")
                if "\(type(of: child.value))".hasPrefix("Seam<") { continue }
                #expect("\(type(of: child.value))".hasSuffix("Seams"), "\(name) is no seam: write @Seam before it")
                check(child.value, name + ".")
            }
        }
        check(Seams(nil), "")
    }

    @Test("what a persona does by habit is replaced by a fault there, and is in conflict with none")
    func habits() throws {
        var seams = Seams { $0.discovery = { document, _ in document["habit"] = .bool(true) } }
        seams.discovery = { document, _ in document["fault"] = .bool(true) }
        var document: JSONObject = [:]
        seams.discovery(&document, "")
        #expect(document["habit"] == nil && document["fault"] == .bool(true))
    }
}
