import Conformance
import JSONTree
import LoopbackServer
import OtherPrograms
import TestSupport
import Testing
import Transport

@testable import Flows

/// Clients that a scenario registers for itself, against a scripted provider.
@Suite(.timeLimit(.minutes(5))) struct RegistrationTests {
    private enum Canary {
        static let secret = "canary-registered-secret-0123456789"
        static let token = "canary-registration-token-0123456789"
        static let initial = "canary-initial-token-0123456789"
    }

    private static func registration(_ provider: ScriptedProvider, management: Bool = true) -> String {
        let address = management ? #","registration_client_uri":"\#(provider.issuer)/client/7""# : ""
        return #"{"client_id":"own-7","client_secret":"\#(Canary.secret)","client_secret_expires_at":0,"#
            + #""registration_access_token":"\#(Canary.token)"\#(address)}"#
    }

    private static func provider(
        _ routes: [String: ScriptedProvider.Route] = [:],
        management: Bool = true
    ) throws -> ScriptedProvider {
        let ordinary: [String: ScriptedProvider.Route] = [
            "/.well-known/openid-configuration": { provider, _ in
                var metadata = provider.metadata
                metadata["registration_endpoint"] = .string(provider.issuer + "/register")
                metadata["response_types_supported"] = ["code"]
                return ScriptedProvider.json(metadata.serialized())
            },
            "/register": { provider, _ in
                ScriptedProvider.json(registration(provider, management: management), 201)
            },
            "/client/7": { provider, request in
                guard request.header("Authorization") == "Bearer \(Canary.token)" else { return LoopbackReply(401) }
                return request.method == "DELETE"
                    ? LoopbackReply(204) : ScriptedProvider.json(registration(provider))
            },
        ]
        return try ScriptedProvider(ordinary.merging(routes) { $1 })
    }

    private static func collect(
        _ provider: ScriptedProvider,
        _ scenario: Scenario = .registeredClient,
        isEnabled: Bool = true,
        clock: RunClock = .machine
    ) async -> Evidence {
        var target = provider.target(flows: ["code"])
        target.dynamicRegistration = DynamicRegistration(isEnabled: isEnabled, hasInitialAccessToken: true)
        let plan = Plan(
            target: target,
            profile: Profile(name: "p", title: "P"),
            tier: .full,
            needs: [.discovery],
            scenarios: [scenario]
        )
        let secrets = Secrets(
            clientSecrets: [ScriptedProvider.clientID: Secret(ScriptedProvider.Canary.clientSecret)],
            username: "user",
            password: Secret(ScriptedProvider.Canary.password),
            initialAccessToken: Secret(Canary.initial)
        )
        return await Collector(plan: plan, secrets: secrets, options: CollectorOptions(tool: "test", clock: clock)) {
            _ in
        }
        .collect()
    }

    private static func deletions(_ provider: ScriptedProvider) -> Int {
        provider.requests.count { $0.path == "/client/7" && $0.method == "DELETE" }
    }

    @Test func `a client is registered, read, used with its own credentials, and deleted`() async throws {
        let provider = try Self.provider()
        let evidence = await Self.collect(provider)
        let run = try #require(evidence.runs.first)
        #expect(run.clientID == "own-7")
        #expect(run.token.value?.accessToken != nil)
        let registration = try #require(run.registration)
        #expect(registration.reading.value != nil)
        #expect(registration.deletion.value.map { evidence.exchange($0.exchange)?.response?.status } == 204)
        #expect(run.answer(.afterDeletion).value != nil)
        #expect(evidence.leftClients == nil)
        #expect(Self.deletions(provider) == 1)
        let registered = try #require(provider.requests.first { $0.path == "/register" })
        #expect(registered.header("Authorization") == "Bearer \(Canary.initial)")
        let sent = try #require(JSONDocument.parse(Array(registered.body.utf8)).root.objectValue)
        #expect(sent["redirect_uris"]?.strings == [ScriptedProvider.redirectURI])
        #expect(sent["client_name"]?.stringValue?.hasPrefix("oidc-preflight registration.client ") == true)
        let authorization = try #require(provider.requests.first { $0.path == "/authorize" })
        #expect(FormText.parameters(authorization.target)["client_id"] == "own-7")

        let text = String(decoding: try evidence.encoded(), as: UTF8.self)
        for canary in [Canary.secret, Canary.token, Canary.initial, "Basic b3duLTc6"] {
            #expect(!text.contains(canary), "\(canary) is in the evidence")
        }
    }

    @Test func `nothing is registered unless the configuration says so`() async throws {
        let provider = try Self.provider()
        let evidence = await Self.collect(provider, isEnabled: false)
        #expect(!provider.paths().contains("/register"))
        guard case .notAttempted(let why) = evidence.runs.first?.authorization else {
            Issue.record("the scenario was attempted")
            return
        }
        #expect(why.text.contains("dynamic_registration"))
    }

    @Test func `the client is deleted when the sign-in fails`() async throws {
        let provider = try Self.provider(["/authorize": { _, _ in LoopbackReply(404) }])
        let evidence = await Self.collect(provider)
        #expect(Self.deletions(provider) == 1)
        #expect(evidence.leftClients == nil)
    }

    @Test func `the client is deleted when the run is interrupted`() async throws {
        let provider = try Self.provider()
        var scenario = Scenario.registeredClient
        scenario.steps.insert(Step(.pause, "nothing for a while", .wait(seconds: 60, since: .opening)), at: 2)
        let interrupted = scenario
        let isWaiting = Event()
        let run = Task { await Self.collect(provider, interrupted, clock: TestClock.stopped(isWaiting)) }
        await isWaiting.wait()
        run.cancel()
        let evidence = await run.value
        #expect(evidence.wasInterrupted)
        #expect(Self.deletions(provider) == 1)
        #expect(evidence.leftClients == nil)
    }

    @Test func `a token that reading renewed is the one that deletes`() async throws {
        let renewed = "canary-renewed-token-0123456789"
        let provider = try Self.provider([
            "/client/7": { _, request in
                guard request.method == "DELETE" else {
                    return ScriptedProvider.json(
                        #"{"client_id":"own-7","registration_access_token":"\#(renewed)"}"#
                    )
                }
                return LoopbackReply(request.header("Authorization") == "Bearer \(renewed)" ? 204 : 401)
            }
        ])
        let evidence = await Self.collect(provider)
        #expect(evidence.leftClients == nil)
        let text = String(decoding: try evidence.encoded(), as: UTF8.self)
        #expect(!text.contains(renewed))
    }

    @Test func `a client that cannot be deleted is listed`() async throws {
        let refusing = try Self.provider([
            "/client/7": { _, request in LoopbackReply(request.method == "DELETE" ? 405 : 401) }
        ])
        let left = try #require(await Self.collect(refusing).leftClients?.first)
        #expect(left.clientID == "own-7")
        #expect(left.address == refusing.issuer + "/client/7")
        #expect(left.reason.contains("405"))
        let closed = try Self.provider(management: false)
        let alone = try #require(await Self.collect(closed).leftClients?.first)
        #expect(alone.clientID == "own-7")
        #expect(alone.address == nil)
        let lost = try Self.provider(["/register": { _, _ in ScriptedProvider.json("{}", 201) }])
        let unknown = try #require(await Self.collect(lost).leftClients?.first)
        #expect(unknown.clientID == nil)
        #expect(unknown.name.hasPrefix("oidc-preflight "))
    }

    @Test func `a wrong registration that is accepted all the same is deleted too`() async throws {
        let provider = try Self.provider()
        let evidence = await Self.collect(provider, .withFragment)
        #expect(evidence.runs.first?.registration?.answer.value != nil)
        #expect(Self.deletions(provider) == 1)
        #expect(!provider.paths().contains("/authorize"))
    }
}
