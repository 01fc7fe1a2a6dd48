import Conformance
import JSONTree
import Testing

@testable import Catalogue

/// Values that worked in a run outrank the lists in the discovery document.
@Suite("Values that worked and values that are listed", .timeLimit(.minutes(5)))
struct WorkingValueTests {
    private static let whatWorks: CheckID = "discovery.target.what-works-is-listed"

    private func failures(_ model: RunModel) -> Set<CheckID> {
        let facts = model.facts
        return Set(DiscoveryTargetChecks.all.filter { !$0.judge(facts).findings.isEmpty }.map(\.id))
    }

    /// The failures if the run read only the documents of the same provider.
    private func failuresOfDocuments(_ model: RunModel) -> Set<CheckID> {
        var model = model
        model.modelledRun = []
        return failures(model)
    }

    @Test("a conformant provider lists all values that work")
    func conformant() {
        #expect(failures(.conformant).isEmpty)
        #expect(failuresOfDocuments(.conformant).isEmpty)
    }

    @Test("a method that redeemed codes is reported as unlisted, not as unsupported")
    func method() {
        var model = RunModel.conformant
        model.discovery["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        #expect(failures(model) == [Self.whatWorks])
        #expect(failuresOfDocuments(model) == ["discovery.target.client-authentication-is-offered"])
    }

    @Test("a response type that worked is reported as unlisted, not as unsupported")
    func responseType() {
        var model = RunModel.conformant
        model.discovery["response_types_supported"] = ["code id_token token"]
        #expect(failures(model) == [Self.whatWorks])
        #expect(failuresOfDocuments(model) == ["discovery.target.response-types-are-offered"])
    }

    @Test("a granted scope and a returned claim are not reported as missing")
    func scopeAndClaim() {
        var model = RunModel.conformant
        model.discovery["scopes_supported"] = ["openid"]
        model.discovery["claims_supported"] = ["sub"]
        #expect(failures(model).isEmpty)
        let listed: Set<CheckID> = ["discovery.target.scopes-are-offered", "discovery.target.claims-are-offered"]
        #expect(failuresOfDocuments(model) == listed)
    }

    @Test("a flow that ended in an error does not count as working")
    func failedFlow() {
        var model = RunModel.conformant
        model.discovery["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        for index in model.modelledRun.indices { model.modelledRun[index].token?.status = 400 }
        #expect(failures(model) == ["discovery.target.client-authentication-is-offered"])
    }

    @Test("a public client needs no entry in the list, and the fix does not suggest a secret")
    func publicClient() throws {
        var model = RunModel.conformant
        model.target.client = Client(id: RunModel.clientID, authentication: .none, hasSecret: false)
        #expect(failures(model).isEmpty)
        #expect(failuresOfDocuments(model) == ["discovery.target.public-clients-are-listed"])
        var documents = model
        documents.modelledRun = []
        let verdict = DiscoveryTargetChecks.publicClients.judge(documents.facts)
        #expect(!(try #require(verdict.findings.first)).fix.contains("Register the client for"))
        #expect(DiscoveryTargetChecks.publicClients.requirement.level == .warning)
    }
}
