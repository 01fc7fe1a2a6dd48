import Conformance
import LoopbackServer
import Testing

@testable import Flows

/// Flows on addresses that no discovery document states.
@Suite(.timeLimit(.minutes(5))) struct KnownAddressFlowTests {
    private typealias Canary = ScriptedProvider.Canary

    private static let form = "access_token=\(Canary.accessToken)&scope=a%2Cb&token_type=bearer"

    /// A provider without a discovery document, whose token answers are forms of any media type.
    private func provider(mediaType: String) throws -> ScriptedProvider {
        try ScriptedProvider([
            "/.well-known/openid-configuration": { _, _ in LoopbackReply(404) },
            "/token": { _, _ in
                LoopbackReply(200, [("Content-Type", mediaType)], body: Array(Self.form.utf8))
            },
            "/user": { _, request in
                request.header("Authorization") == "Bearer \(Canary.accessToken)"
                    && request.header("User-Agent")?.isEmpty == false
                    ? ScriptedProvider.json(#"{"id":7,"echo":"\#(Canary.accessToken)"}"#) : LoopbackReply(401)
            },
        ])
    }

    private func target(_ provider: ScriptedProvider) -> Target {
        var target = provider.target(flows: ["code"])
        target.scopes = ["a", "b"]
        target.endpoints = ["user_api_endpoint": provider.issuer + "/user"]
        return target
    }

    private static let parameters: ProfileParameters = {
        var parameters = ProfileParameters()
        parameters.readsDiscovery = false
        parameters.endpoints = [
            "authorization_endpoint": "{issuer}/authorize", "token_endpoint": "{issuer}/token",
        ]
        return parameters
    }()

    @Test(
        "a token from a form opens the API, and no secret is found in the evidence",
        arguments: ["application/x-www-form-urlencoded; charset=utf-8", "text/html;charset=utf-8"]
    )
    func form(mediaType: String) async throws {
        let provider = try provider(mediaType: mediaType)
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .again, .publication, .flows],
            scenarios: [.flow("code"), .userAPI],
            target: target(provider),
            parameters: Self.parameters
        )
        let run = try #require(evidence.run(Scenario.userAPI.id))
        #expect(run.token.value?.accessToken?.length == Canary.accessToken.count)
        let answer = try #require(run.answer(.userAPI).value)
        #expect(evidence.exchange(answer.exchange)?.response?.status == 200)
        let user = try #require(answer.body.bytes)
        #expect(String(decoding: user, as: UTF8.self).contains("\"id\":7"))
        #expect(run.sentParameter("nonce") == nil)

        let text = String(decoding: try evidence.encoded(), as: UTF8.self)
        for canary in ["canary-client-secret", "canary-password", Canary.code, Canary.accessToken] {
            #expect(!text.contains(canary), "\(canary) is in the evidence")
        }
        #expect(text.contains("scope=a%2Cb"))
    }

    @Test("flows with configured endpoints fetch discovery once, for the metadata checks only")
    func documents() async throws {
        let provider = try provider(mediaType: "text/plain")
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .again, .publication, .flows],
            scenarios: [.flow("code")],
            target: target(provider),
            parameters: Self.parameters
        )
        #expect(provider.paths().count { $0 == "/.well-known/openid-configuration" } == 1)
        #expect(!provider.paths().contains("/jwks"))
        for observation in [evidence.discovery, evidence.keys, evidence.discoveryRefetched] {
            guard case .notAttempted = observation else {
                Issue.record("\(observation)")
                continue
            }
        }
        #expect(evidence.published != nil)
        #expect(evidence.run("flow.code")?.token.value != nil)
        #expect(evidence.addresses?.map(\.member) == ["authorization_endpoint", "token_endpoint", "user_api_endpoint"])
        #expect(evidence.addresses?.map(\.source) == [.profile, .profile, .configuration])

        let again = try Evidence.decode(try evidence.encoded())
        #expect(again.addresses == evidence.addresses)
    }

    @Test("configured addresses replace a missing discovery document")
    func instead() async throws {
        let provider = try provider(mediaType: "text/plain")
        var target = target(provider)
        target.endpoints = [
            "authorization_endpoint": provider.issuer + "/authorize", "token_endpoint": provider.issuer + "/token",
        ]
        let evidence = await provider.collect(needs: [.discovery, .flows], scenarios: [.flow("code")], target: target)
        #expect(evidence.discovery.value != nil)
        #expect(evidence.run("flow.code")?.token.value != nil)
    }
}
