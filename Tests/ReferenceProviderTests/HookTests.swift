import Conformance
import JSONTree
import Testing

@testable import ReferenceProvider

/// Several faults at one hook of the provider.
@Suite("Hooks", .timeLimit(.minutes(5)))
struct HookTests {
    private static func fault(_ id: String) throws -> Fault {
        try #require(Fault.all.first { $0.id == id }, "there is no fault \(id)")
    }

    private static func hooks(_ ids: [String]) throws -> Hooks {
        var hooks = Hooks(nil)
        for id in ids { try fault(id).change(&hooks) }
        return hooks
    }

    @Test(
        "changes to one document are applied in sequence, in either order",
        arguments: [
            ["idtoken.aud.holds-client", "idtoken.nonce.is-echoed"],
            ["idtoken.nonce.is-echoed", "idtoken.aud.holds-client"],
        ]
    )
    func edits(ids: [String]) throws {
        let right: JSONObject = ["aud": "c", "nonce": "n", "sub": "u"]
        var claims = right
        try Self.hooks(ids).idTokenClaims(&claims, .tokenEndpoint)
        #expect(claims["aud"] != right["aud"] && claims["nonce"] != right["nonce"] && claims["sub"] == right["sub"])
        #expect(Fault.conflict(among: try ids.map(Self.fault)) == nil)
    }

    @Test("a decision is passed on: one fault can reject a request that another accepts")
    func decisions() {
        var hooks = Hooks(nil)
        hooks.tokenError = { _, usual in usual ?? OAuthError("first") }
        hooks.tokenError = { _, usual in usual.map { OAuthError($0.code + ", second") } }
        let request = TokenRequestParameters(all: [], method: nil)
        #expect(hooks.tokenError(request, nil)?.code == "first, second")
    }

    @Test("a conflict names both faults and their hook")
    func conflict() throws {
        let faults = try ["idtoken.signature.verifies", "idtoken.alg.is-not-none"].map(Self.fault)
        let conflict = try #require(Fault.conflict(among: faults))
        #expect(conflict.first.id == faults[0].id && conflict.second.id == faults[1].id && conflict.place == "signing")
        #expect(Fault.conflict(among: [faults[0], faults[0]]) == nil)
    }

    @Test("no fault conflicts with itself, and every fault of the provider changes a known hook")
    func everyFault() {
        for fault in Fault.all {
            #expect(Fault.conflict(among: [fault]) == nil, "\(fault.id)")
        }
    }

    @Test("every hook has the property wrapper, so that every change is recorded")
    func places() {
        func check(_ value: Any, _ path: String) {
            for child in Mirror(reflecting: value).children {
                let name = path + (child.label ?? "?")
                if "\(type(of: child.value))".hasPrefix("Hook<") { continue }
                #expect("\(type(of: child.value))".hasSuffix("Hooks"), "\(name) is not a hook: add @Hook")
                check(child.value, name + ".")
            }
        }
        check(Hooks(nil), "")
    }

    @Test("a fault replaces a persona's own change without a conflict")
    func habits() throws {
        var hooks = Hooks { $0.discovery = { document, _ in document["habit"] = .bool(true) } }
        hooks.discovery = { document, _ in document["fault"] = .bool(true) }
        var document: JSONObject = [:]
        hooks.discovery(&document, "")
        #expect(document["habit"] == nil && document["fault"] == .bool(true))
    }
}
