import Conformance
import JSONTree
import LoopbackServer
import TestSupport
import Testing

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct RunModelTests {
    private typealias Canary = ScriptedProvider.Canary

    @Test func `a code flow is carried through, and no secret is found in the evidence`() async throws {
        let provider = try ScriptedProvider()
        let flows: [ResponseType] = ["code", "id_token token", "id_token"]
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .again, .flows],
            scenarios: flows.map { Scenario.flow($0) }
                + [.bogusCode(.clientSecretPost, secretIsRight: true), .promptNone],
            target: provider.target(flows: flows)
        )
        let run = try #require(evidence.run("flow.code"))
        let answer = try #require(run.authorization.value?.redirect)
        #expect(answer.isRedirectURI)
        #expect(answer.values("state") == [run.sentParameter("state")])
        #expect(answer.query.first { $0.name == "code" }?.length == Canary.code.count)
        let token = try #require(run.token.value)
        // Shannon's entropy of the canary, computed apart.
        #expect(token.accessToken?.length == Canary.accessToken.count && token.accessToken?.isVisibleASCII == true)
        #expect(token.accessToken?.variety == 126)
        #expect(token.refreshToken?.length == Canary.refreshToken.count)
        let idToken = try #require(token.idToken)
        #expect(idToken.partCount == 3)
        #expect(idToken.partFaults == [nil, nil, nil])
        #expect(idToken.trials == [SignatureTrial(key: .published(1), isVerified: true)])
        #expect(run.userInfo.value?.body.bytes?.isEmpty == false)
        #expect(run.visits.count == 3)
        #expect(run.visits.last?.filled.contains("password") == true)

        let implicit = try #require(evidence.run("flow.id_token-token"))
        #expect(implicit.authorization.value?.idToken?.trials.first?.isVerified == true)
        #expect(implicit.authorization.value?.idToken?.expectedAccessTokenHash != nil)
        #expect(implicit.steps.map(\.id) == [.authorization, .userInfo])
        #expect(implicit.userInfo.value != nil)
        let idTokenOnly = try #require(evidence.run("flow.id_token"))
        #expect(idTokenOnly.steps.map(\.id) == [.authorization])

        // The redirect URI belongs to the client in production.
        #expect(
            evidence.exchanges.allSatisfy { !$0.request.url.contains("rp.invalid/__") || $0.step.contains("request") }
        )
        #expect(evidence.exchanges.map(\.id) == Set(evidence.exchanges.map(\.id)).sorted())
        #expect(evidence.exchanges.allSatisfy { evidence.exchange($0.id) == $0 })

        let text = String(decoding: try evidence.encoded(), as: UTF8.self)
        for canary in [
            "canary-client-secret", "canary-password", Canary.code, Canary.accessToken, Canary.refreshToken,
            Canary.cookie, Canary.hidden, "Basic Y2xpZW50LTE6",
        ] {
            #expect(!text.contains(canary), "\(canary) is in the evidence")
        }
        #expect(!text.contains("eyJhbGciOiJFUzI1NiIs"), "an ID Token in compact form is in the evidence")
        let redemption = try #require(provider.requests.first { $0.body.contains(Canary.code) })
        let verifier = try #require(FormText.parameters("?" + redemption.body)["code_verifier"])
        #expect(verifier.count == 43)
        #expect(!text.contains(verifier))
    }

    @Test func `kept tokens are readable, passwords and client secrets are not`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .flows],
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"]),
            keepsSecrets: true
        )
        let text = String(decoding: try evidence.encoded(), as: UTF8.self)
        #expect(text.contains(Canary.code))
        #expect(text.contains(Canary.accessToken))
        #expect(!text.contains("canary-client-secret"))
        #expect(!text.contains("canary-password"))
    }

    @Test func `a code whose request got no response is not sent again`() async throws {
        let provider = try ScriptedProvider(["/token": { _, _ in nil }])
        let evidence = await provider.collect(scenarios: [.codeTwice], target: provider.target(flows: ["code"]))
        #expect(provider.paths().count { $0 == "/token" } == 1)
        let run = try #require(evidence.run(Scenario.codeTwice.id))
        for step in run.steps.dropFirst(2) { #expect(step.outcome.whyNot != nil) }
        #expect(run.steps[1].outcome.whyNot?.text.contains("was sent once, and no response arrived") == true)
    }

    @Test func `a request keeps the query of the authorization endpoint`() async throws {
        let provider = try ScriptedProvider()
        _ = await provider.collect(scenarios: [.promptNone])
        let target = try #require(provider.requests.first { $0.path == "/authorize" }?.target)
        #expect(target.hasPrefix("/authorize?tenant=1&response_type=code&client_id=client-1&redirect_uri=https%3A"))
        #expect(target.hasSuffix("&prompt=none"))
    }

    @Test(arguments: [(pause: 0.0, age: "1", seconds: 2.1), (0.3, "3", 4.1)])
    func `a sign-in in time for max_age can be had where the run pauses`(
        _ row: (pause: Double, age: String, seconds: Double)
    ) async throws {
        let provider = try ScriptedProvider()
        let clock = TestClock()
        let evidence = await provider.collect(
            scenarios: [.agedSession],
            target: provider.target(flows: ["code"]),
            pause: row.pause,
            clock: clock.clock
        )
        let run = try #require(evidence.run(Scenario.agedSession.id))
        #expect(run[.old]?.sent.filter { $0.name == "max_age" }.map(\.value) == [row.age])
        #expect(clock.waits.reduce(0, +) >= row.seconds, "\(clock.waits)")
    }

    @Test(arguments: [(scenario: Scenario.agedSession, waits: 0.0), (.silentReturn, 1.1)])
    func `a pause waits for the age of the sign-in or of the first tokens, and no longer`(
        _ row: (scenario: Scenario, waits: Double)
    ) async throws {
        let clock = TestClock()
        let provider = try ScriptedProvider([
            "/authorize": { provider, request in
                let query = FormText.parameters(request.target)
                guard provider.paths().contains("/userinfo") else {
                    return .redirect(
                        "/login?type=code&state=" + (query["state"] ?? ""),
                        headers: [("Set-Cookie", "sid=\(Canary.cookie); Path=/")]
                    )
                }
                return provider.arrival(request, parameters: "?code=\(Canary.code)&state=\(query["state"] ?? "")")
            },
            "/userinfo": { _, _ in
                // The last request of the flow whose browser the other scenario goes on with.
                clock.advance(60)
                return ScriptedProvider.json(#"{"sub":"1"}"#)
            },
        ])
        let target = provider.target(flows: ["code"])
        _ = await provider.collect(scenarios: [.flow("code"), row.scenario], target: target, clock: clock.clock)
        #expect(abs(clock.waits.reduce(0, +) - row.waits) < 0.001, "\(clock.waits)")
    }

    @Test func `without a user the first page ends the scenario, and no form is sent`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(scenarios: [.unknownParameter])
        let run = try #require(evidence.runs.first)
        #expect(run.authorization.value?.page?.title == "Sign in")
        #expect(run.authorization.value?.page?.forms.first?.fields.contains("password") == true)
        #expect(run.authorization.value?.exchange == run.visits.last?.exchange)
        #expect(!provider.requests.contains { $0.method == "POST" })
        #expect(
            run.token == .notAttempted("this scenario ends at the authorization endpoint") || run.token.value == nil
        )
    }

    @Test func `an unregistered redirect URI is seen and not fetched`() async throws {
        let provider = try ScriptedProvider([
            "/authorize": { _, _ in .redirect("https://unregistered.invalid/callback?error=invalid_request") }
        ])
        let evidence = await provider.collect(scenarios: [.unregisteredRedirectURI])
        let answer = try #require(evidence.runs.first?.authorization.value?.redirect)
        #expect(answer.isRedirectURI)
        #expect(answer.address == "https://unregistered.invalid/callback")
        #expect(answer.error == "invalid_request")
        #expect(evidence.exchanges.count == 2)
    }

    @Test func `a run that requests another redirect URI does not fetch the registered one either`() async throws {
        let provider = try ScriptedProvider([
            "/authorize": { _, _ in .redirect(ScriptedProvider.redirectURI + "?error=invalid_request") }
        ])
        let evidence = await provider.collect(scenarios: [.unregisteredRedirectURI])
        let answer = try #require(evidence.runs.first?.authorization.value?.redirect)
        #expect(!answer.isRedirectURI)
        #expect(answer.error == "invalid_request")
        #expect(evidence.exchanges.count == 2)
    }

    @Test func `a sign-in page that rejects the password leaves the flow absent`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(
            scenarios: [.flow("code")],
            target: provider.target(flows: ["code"]),
            password: "wrong password"
        )
        let run = try #require(evidence.runs.first)
        guard case .absent(let why) = run.authorization else {
            Issue.record("unexpected: \(run.authorization)")
            return
        }
        #expect(why.text.hasPrefix("sign-in not completed: the provider returned an error page (status 403)"))
        #expect(why.text.contains("“Refused”"))
        #expect(run.visits.last?.page?.title == "Refused")
        #expect(run.token == .absent(why))
        #expect(!provider.paths().contains("/token"))
    }

    @Test func `missing keys are named`() async throws {
        let provider = try ScriptedProvider()
        var target = provider.target(flows: ["code"])
        target.redirectURI = nil
        let noRedirect = await provider.collect(scenarios: [.flow("code")], target: target)
        #expect(noRedirect.runs.first?.authorization == .notAttempted("no redirect_uri in the configuration"))
        target.client = nil
        let noClient = await provider.collect(
            scenarios: [.promptNone, .bogusCode(.none, secretIsRight: true)],
            target: target
        )
        #expect(noClient.runs.map(\.authorization.value) == [nil, nil])
        #expect(noClient.runs.first?.authorization == .notAttempted("no client in the configuration"))
        #expect(noClient.runs.last?.token == .notAttempted("no client in the configuration"))
        #expect(provider.paths().allSatisfy { $0.hasPrefix("/.well-known") || $0 == "/jwks" })
    }

    @Test func `bogus codes are sent by each method that is offered`() async throws {
        let provider = try ScriptedProvider()
        let evidence = await provider.collect(
            scenarios: [
                .bogusCode(.clientSecretBasic, secretIsRight: true),
                .bogusCode(.clientSecretBasic, secretIsRight: false),
                .bogusCode(.clientSecretPost, secretIsRight: true), .bogusCode(.none, secretIsRight: true),
            ]
        )
        #expect(evidence.runs.map { $0.token.value != nil } == [true, true, true, false])
        #expect(evidence.runs.last?.token == .notAttempted("the client has a secret, so it must authenticate"))
        let sent = provider.requests.filter { $0.path == "/token" }
        #expect(sent.count == 3)
        let authorizations = Set(sent.compactMap { $0.header("Authorization") })
        // printf 'client-1:canary-client-secret%%2F%%2B%%25' | base64
        #expect(authorizations.contains("Basic Y2xpZW50LTE6Y2FuYXJ5LWNsaWVudC1zZWNyZXQlMkYlMkIlMjU="))
        #expect(authorizations.count == 2)
        #expect(Set(sent.compactMap { FormText.parameters("?" + $0.body)["code"] }).count == 3)
        #expect(evidence.runs.first?.token.value?.body == .text(#"{"error":"invalid_grant"}"#))
    }

    @Test func `a method that is not offered is not tried with a wrong secret`() async throws {
        let provider = try ScriptedProvider([
            WellKnown.suffix: { provider, _ in
                var metadata = provider.metadata
                metadata["token_endpoint_auth_methods_supported"] = nil
                return ScriptedProvider.json(metadata.serialized())
            }
        ])
        let evidence = await provider.collect(
            scenarios: [
                .bogusCode(.clientSecretBasic, secretIsRight: true),
                .bogusCode(.clientSecretPost, secretIsRight: true),
                .bogusCode(.clientSecretPost, secretIsRight: false),
            ]
        )
        #expect(evidence.runs.prefix(2).allSatisfy { $0.token.value != nil })
        #expect(
            evidence.runs.last?.token
                == .notAttempted("the provider does not offer client_secret_post at the token endpoint")
        )
    }

    @Test func `a missing endpoint is named`() async throws {
        let provider = try ScriptedProvider([
            WellKnown.suffix: { provider, _ in
                var metadata = provider.metadata
                metadata["token_endpoint"] = nil
                return ScriptedProvider.json(metadata.serialized())
            }
        ])
        let evidence = await provider.collect(scenarios: [.flow("code")], target: provider.target(flows: ["code"]))
        #expect(evidence.runs.first?.authorization.value?.redirect?.has("code") == true)
        #expect(evidence.runs.first?.token == .notAttempted("the discovery document names no token_endpoint"))
        #expect(evidence.runs.first?.userInfo == .notAttempted("the discovery document names no token_endpoint"))
    }
}
