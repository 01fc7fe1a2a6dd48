import Conformance
import Dispatch
import JSONTree
import LoopbackServer
import OtherPrograms
import Synchronization
import TestSupport
import Testing

@testable import Flows

@Suite(.timeLimit(.minutes(5))) struct DocumentTests {
    private let wellKnown = WellKnown.suffix

    @Test func `only what is needed is fetched`() async throws {
        let provider = try ScriptedProvider()
        let nothing = await provider.collect(needs: [])
        #expect(provider.paths().isEmpty)
        #expect(nothing.discovery == .notAttempted("no chosen check reads it"))

        let evidence = await provider.collect(needs: [.discovery])
        #expect(provider.paths() == [wellKnown])
        #expect(evidence.discovery.value?.body == .text(provider.metadata.serialized()))
        #expect(evidence.discovery.value?.exchange == 0)
        #expect(evidence.discoveryHops == [0])
        #expect(evidence.exchanges.map(\.step) == ["discovery document"])
        #expect(evidence.exchanges.first?.response?.status == 200)
        #expect(evidence.keys == .notAttempted("no chosen check reads it"))
        #expect(!evidence.wasInterrupted)
    }

    /// Keeps the threads of two requests until both have come; a third, which is a retry, passes.
    private final class Meeting: Sendable {
        private let present = Mutex(0)
        private let isComplete = DispatchGroup()

        init() {
            isComplete.enter()
        }

        func attend() {
            let count = present.withLock { count in
                count += 1
                return count
            }
            if count == 2 { isComplete.leave() }
            isComplete.wait()
        }
    }

    @Test func `both observations of a document are requested at the same time`() async throws {
        let discovery = Meeting()
        let keys = Meeting()
        let provider = try ScriptedProvider([
            wellKnown: { provider, _ in
                discovery.attend()
                return ScriptedProvider.json(provider.metadata.serialized())
            },
            "/jwks": { provider, _ in
                keys.attend()
                return ScriptedProvider.json(provider.keySet())
            },
        ])
        let evidence = await provider.collect(needs: [.discovery, .keys, .again])
        #expect(
            evidence.exchanges.map(\.step) == [
                "discovery document", "key set", "discovery document again", "key set again",
            ]
        )
        #expect(evidence.keys.value?.body == evidence.keysRefetched.value?.body)
        #expect(evidence.keysRefetched.value?.exchange == evidence.exchanges.last?.id)
        #expect(evidence.exchanges.count == 4)
    }

    /// The fault of the reference provider, which speaks https, shows that nothing is sent.
    @Test(arguments: [
        ("https://op.example/a", "http://op.example/b", true), ("HTTPS://op.example/a", "HTTP://op.example/b", true),
        ("https://op.example/a", "https://op.example/b", false), ("http://op.example/a", "http://op.example/b", false),
        ("http://op.example/a", "https://op.example/b", false),
    ])
    func `a redirect from https to http is not followed`(address: String, next: String, isDowngrade: Bool) {
        #expect(RecordingClient.isDowngrade(from: address, to: next) == isDowngrade)
    }

    @Test func `each hop of a redirect is an exchange`() async throws {
        let provider = try ScriptedProvider([
            wellKnown: { _, _ in .redirect("/there") },
            "/there": { provider, _ in ScriptedProvider.json(provider.metadata.serialized()) },
        ])
        let evidence = await provider.collect()
        #expect(evidence.discoveryHops == [0, 1])
        #expect(evidence.exchanges.map { $0.response?.status } == [302, 200])
        #expect(evidence.discovery.value?.exchange == 1)
    }

    @Test func `a redirect loop and a long chain end with the last redirect`() async throws {
        let loop = try ScriptedProvider([wellKnown: { _, request in .redirect(request.target) }])
        let looped = await loop.collect()
        #expect(looped.discoveryHops == [0])
        #expect(looped.discovery.value != nil)

        let chain = try ScriptedProvider([
            wellKnown: { _, _ in .redirect("/1") }, "/1": { _, _ in .redirect("/2") },
            "/2": { _, _ in .redirect("/3") }, "/3": { _, _ in .redirect("/4") },
        ])
        let chained = await chain.collect()
        #expect(chained.discoveryHops == [0, 1, 2, 3])
        #expect(!chain.paths().contains("/4"))
    }

    @Test func `where no document is, other places are tried for a suggestion only`() async throws {
        let provider = try ScriptedProvider([
            "/realms/a/.well-known/openid-configuration": { _, _ in ScriptedProvider.json(#"{"issuer":"right"}"#) },
            "/.well-known/openid-configuration": { _, _ in .page("<title>A page</title>") },
        ])
        var target = provider.target()
        target.issuer += "/realms/a/b"
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .again],
            scenarios: [.promptNone, .bogusCode(.clientSecretBasic, secretIsRight: true)],
            target: target
        )
        let found = provider.issuer + "/realms/a/.well-known/openid-configuration"
        #expect(evidence.suggestions == [IssuerSuggestion(address: found, issuer: "right")])
        #expect(evidence.exchange(evidence.discovery.value?.exchange)?.response?.status == 404)
        let why = "no discovery document: the response has HTTP status 404"
        #expect(evidence.keys == .absent(why))
        #expect(evidence.keysRefetched == .absent(why))
        #expect(evidence.run("probe.prompt-none")?.authorization == .absent(why))
        #expect(evidence.runs.last?.token == .absent(why))
        #expect(!provider.paths().contains("/authorize"))
    }

    @Test func `a refused connection is reported with step, host and cause`() async throws {
        let provider = try ScriptedProvider()
        var target = provider.target()
        // A port that only a system service could listen on, and none does.
        target.issuer = "http://127.0.0.1:1"
        let evidence = await provider.collect(needs: [.discovery, .keys, .again], target: target)
        guard case .absent(let why) = evidence.discovery else {
            Issue.record("unexpected: \(evidence.discovery)")
            return
        }
        #expect(why.text.hasPrefix("discovery document: connecting (127.0.0.1:1): the connection was refused"))
        #expect(evidence.exchanges.first?.failure?.kind == .refused)
        #expect(evidence.keys == .absent("no discovery document: \(why)"))
        #expect(evidence.suggestions.isEmpty)
    }

    @Test func `a document without jwks_uri has no key set`() async throws {
        let provider = try ScriptedProvider([wellKnown: { _, _ in ScriptedProvider.json("{}") }])
        let evidence = await provider.collect(needs: [.discovery, .keys])
        #expect(evidence.keys == .absent("the discovery document names no jwks_uri"))
    }

    @Test func `a cancelled run returns what it has`() async throws {
        let hasArrived = Event()
        let mayAnswer = DispatchSemaphore(value: 0)
        let slow = try ScriptedProvider([
            "/.well-known/openid-configuration": { provider, _ in
                ScriptedProvider.json(provider.metadata.serialized())
            },
            "/jwks": { _, _ in
                hasArrived.happen()
                mayAnswer.wait()
                return ScriptedProvider.json("{}")
            },
        ])
        let task = Task { await slow.collect(needs: [.discovery, .keys], scenarios: [.promptNone]) }
        await hasArrived.wait()
        task.cancel()
        let evidence = await task.value
        mayAnswer.signal()
        #expect(evidence.wasInterrupted)
        #expect(evidence.discovery.value != nil)
        guard case .absent = evidence.keys else {
            Issue.record("unexpected: \(evidence.keys)")
            return
        }
    }

    @Test func `a run pauses between all requests, and runs one scenario at a time`() async throws {
        let provider = try ScriptedProvider()
        let clock = TestClock()
        let flows: [ResponseType] = ["code", "id_token"]
        let evidence = await provider.collect(
            needs: [.discovery, .keys, .again, .flows],
            scenarios: flows.map { Scenario.flow($0) } + [.promptNone],
            target: provider.target(flows: flows),
            pause: 0.05,
            clock: clock.clock
        )
        let spans = evidence.exchanges.map { ($0.startedAt, $0.startedAt + $0.timings.total) }.sorted { $0 < $1 }
        let gaps = zip(spans, spans.dropFirst()).map { $1.0 - $0.1 }
        #expect(gaps.count >= 12)
        // The two clocks of an exchange, of its start and of its length, differ by less than a millisecond.
        #expect(gaps.allSatisfy { $0 > -0.001 }, "\(gaps)")
        #expect(clock.waits.count { abs($0 - 0.05) < 1e-5 } == provider.requests.count - 1, "\(clock.waits)")
        let order = evidence.exchanges.sorted { $0.startedAt < $1.startedAt }.map(\.step)
            .filter { $0.hasPrefix("sign in with") }
        let first = order.filter { $0.hasPrefix("sign in with response_type code:") }
        #expect(Array(order.prefix(first.count)) == first, "\(order)")
    }
}
