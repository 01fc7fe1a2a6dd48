import Conformance
import JSONTree
import Testing

@testable import Catalogue

/// What was tried outranks what is listed.
@Suite("What was tried and what is listed", .timeLimit(.minutes(5)))
struct TriedTests {
    private static let whatWorks: CheckID = "discovery.target.what-works-is-listed"

    private func failures(_ model: ConversationModel) -> Set<CheckID> {
        let facts = model.facts
        return Set(DiscoveryTargetChecks.all.filter { !$0.judge(facts).findings.isEmpty }.map(\.id))
    }

    /// The same provider, as far as its documents go.
    private func failuresOfDocuments(_ model: ConversationModel) -> Set<CheckID> {
        var model = model
        model.spoken = []
        return failures(model)
    }

    @Test("a faultless provider lists what works")
    func faultless() {
        #expect(failures(.faultless).isEmpty)
        #expect(failuresOfDocuments(.faultless).isEmpty)
    }

    @Test("a method by which codes were redeemed is not told to fail, but to be listed")
    func method() {
        var model = ConversationModel.faultless
        model.discovery["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        #expect(failures(model) == [Self.whatWorks])
        #expect(failuresOfDocuments(model) == ["discovery.target.client-authentication-is-offered"])
    }

    @Test("a response type that signed in is not told to fail, but to be listed")
    func responseType() {
        var model = ConversationModel.faultless
        model.discovery["response_types_supported"] = ["code id_token token"]
        #expect(failures(model) == [Self.whatWorks])
        #expect(failuresOfDocuments(model) == ["discovery.target.response-types-are-offered"])
    }

    @Test("a scope that was granted and a claim that arrived are not told to be missing")
    func scopeAndClaim() {
        var model = ConversationModel.faultless
        model.discovery["scopes_supported"] = ["openid"]
        model.discovery["claims_supported"] = ["sub"]
        #expect(failures(model).isEmpty)
        let listed: Set<CheckID> = ["discovery.target.scopes-are-offered", "discovery.target.claims-are-offered"]
        #expect(failuresOfDocuments(model) == listed)
    }

    @Test("a flow that ended in an error proves nothing")
    func failedFlow() {
        var model = ConversationModel.faultless
        model.discovery["token_endpoint_auth_methods_supported"] = ["private_key_jwt"]
        for index in model.spoken.indices { model.spoken[index].token?.status = 401 }
        #expect(failures(model) == ["discovery.target.client-authentication-is-offered"])
    }

    @Test("a public client needs no entry in the list, and nobody is told to give it a secret")
    func publicClient() throws {
        var model = ConversationModel.faultless
        model.target.client = Client(id: ConversationModel.clientID, authentication: .none, hasSecret: false)
        #expect(failures(model).isEmpty)
        #expect(failuresOfDocuments(model) == ["discovery.target.public-clients-are-listed"])
        var documents = model
        documents.spoken = []
        let verdict = DiscoveryTargetChecks.publicClients.judge(documents.facts)
        #expect(!(try #require(verdict.findings.first)).fix.contains("Register the client for"))
        #expect(DiscoveryTargetChecks.publicClients.requirement.level == .warning)
    }
}
