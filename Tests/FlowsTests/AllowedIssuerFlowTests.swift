import Conformance
import JSONTree
import LoopbackServer
import Testing

@testable import Flows

/// A provider whose metadata leads to a host that `--allow-issuer` does not name.
@Suite(.timeLimit(.minutes(5))) struct AllowedIssuerFlowTests {
    /// The metadata of one provider with some members of another.
    private static func provider(
        _ members: [String],
        of other: ScriptedProvider
    ) throws -> ScriptedProvider {
        try ScriptedProvider([
            "/.well-known/openid-configuration": { provider, _ in
                var metadata = provider.metadata
                for member in members { metadata[member] = other.metadata[member] }
                return ScriptedProvider.json(metadata.serialized())
            }
        ])
    }

    @Test(
        "another host gets requests for public documents, and nothing else",
        arguments: [
            (["token_endpoint"], []), (["authorization_endpoint"], []),
            (["userinfo_endpoint"], []), (["jwks_uri"], ["/jwks"]),
        ]
    )
    func otherHost(members: [String], paths: [String]) async throws {
        let other = try ScriptedProvider()
        let provider = try Self.provider(members, of: other)
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .flows],
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"]),
            allowedIssuers: [provider.issuer]
        )
        #expect(other.paths() == paths)
        #expect(try Self.text(evidence).contains(Self.words) == paths.isEmpty)
    }

    @Test("a host that the option names as well gets them")
    func named() async throws {
        let other = try ScriptedProvider()
        let provider = try Self.provider(["userinfo_endpoint"], of: other)
        _ = await provider.collect(
            needs: [.discovery, .keys, .flows],
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"]),
            allowedIssuers: [provider.issuer, String(other.issuer.dropFirst("http://".count))]
        )
        #expect(Set(other.paths()) == ["/userinfo"])
    }

    @Test("a sign-in stops before a page of another host")
    func page() async throws {
        let other = try ScriptedProvider()
        let provider = try ScriptedProvider([
            "/authorize": { _, request in
                .redirect(other.issuer + "/login?" + (request.target.split(separator: "?").last.map(String.init) ?? ""))
            }
        ])
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .flows],
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"]),
            allowedIssuers: [provider.issuer]
        )
        #expect(other.requests.isEmpty)
        #expect(try Self.text(evidence).contains(Self.words))
    }

    private static let words = "--allow-issuer does not name this host, so nothing was sent to it"

    private static func text(_ evidence: Evidence) throws -> String {
        String(decoding: try evidence.encoded(), as: UTF8.self)
    }
}
