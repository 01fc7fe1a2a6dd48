import Conformance
import LoopbackServer
import Testing

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct SecondLookTests {
    private let wellKnown = WellKnown.suffix

    @Test
    func `a run requests each document without User-Agent, as a browser, by HEAD and through a proxy`()
        async throws
    {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(needs: [.discovery, .keys, .agents(.discovery), .agents(.keys)])
        let second = try #require(evidence.refetches)
        #expect(
            second.agents.map(\.document) == Array(repeating: .discovery, count: 4) + Array(repeating: .keys, count: 3)
        )
        #expect(second.agents.map(\.agent) == AgentAnswer.Agent.allCases + [.none, .browser, .head])
        #expect(second.agents.allSatisfy { $0.answer.value != nil })
        #expect(provider.paths().count == 9)
        let agents = provider.requests.filter { $0.path == wellKnown }.map { $0.header("User-Agent") }
        #expect(agents.first == "oidc-preflight")
        #expect(Set(agents.dropFirst().map { $0?.prefix(8) ?? "" }) == ["", "Mozilla/", "oidc-pre"])
        #expect(provider.requests.count { $0.method == "HEAD" } == 2)
        for (field, host) in AgentAnswer.forwardedHosts {
            #expect(provider.requests.count { $0.header(field)?.hasSuffix(host) == true } == 1)
        }
        for answer in second.agents {
            let exchange = try #require(evidence.exchange(answer.answer.value?.exchange))
            #expect(exchange.step == "\(answer.document.name) for \(answer.agent.name)")
        }
        // Only the needed requests; an address of this machine has no others.
        #expect(second.addresses.isEmpty && second.unaskedHosts.isEmpty && second.scripts.isEmpty)
        let text = try evidence.encoded()
        #expect(try Evidence.decode(text).refetches == second)
    }

    @Test func `evidence without second observations is still read`() async throws {
        let provider = try ScriptedProvider()
        var evidence = await provider.collect(needs: [.discovery])
        evidence.refetches = nil
        let text = try evidence.encoded()
        #expect(!String(decoding: text, as: UTF8.self).contains("\"second\""))
        #expect(try Evidence.decode(text).refetches == nil)
    }

    @Test func `if the issuer does not respond, no other agent sends a request`() async throws {
        let provider = try ScriptedProvider()
        var target = provider.target()
        target.issuer = "http://127.0.0.1:1"
        let evidence = await provider.collect(needs: [.discovery, .agents(.discovery), .addresses], target: target)
        #expect(evidence.exchanges.allSatisfy { $0.step.hasPrefix("discovery document") })
        guard case .absent = evidence.refetches?.agents.first?.answer else {
            Issue.record("unexpected: \(String(describing: evidence.refetches))")
            return
        }
    }

    @Test func `scripts name the origin of the redirect URI, and ask before they send a token`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .scripts, .flows],
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"])
        )
        #expect(evidence.refetches?.origin == .observed("https://rp.invalid"))
        #expect(evidence.refetches?.scripts.map(\.request) == [.discovery, .keys, .userInfoPreflight])
        let preflight = try #require(provider.requests.first { $0.method == "OPTIONS" })
        #expect(preflight.path == "/userinfo")
        #expect(preflight.header("Access-Control-Request-Headers") == "authorization")
        #expect(preflight.header("Authorization") == nil)
        let asked = provider.requests.filter { $0.header("Origin") == "https://rp.invalid" }.map(\.path)
        #expect(Set(asked) == [wellKnown, "/jwks", "/userinfo", "/token"])
        #expect(provider.requests.filter { $0.path == "/token" }.allSatisfy { $0.header("Origin") != nil })
    }

    @Test func `without a page to come from no script asks`() async throws {
        let provider = try ScriptedProvider()
        var target = provider.target(flows: ["code"])
        for redirectURI in [nil, "com.example.app:/callback"] {
            target.redirectURI = redirectURI
            let evidence = await provider.collect(needs: [.discovery, .keys, .scripts], target: target)
            #expect(evidence.refetches?.scripts.isEmpty == true)
            guard case .notAttempted = evidence.refetches?.origin else {
                Issue.record("unexpected: \(String(describing: evidence.refetches?.origin))")
                return
            }
        }
        #expect(provider.requests.allSatisfy { $0.header("Origin") == nil })
    }
}
