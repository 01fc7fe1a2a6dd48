import Conformance
import Foundation
import JOSE
import Preflight
import ReferenceProvider
import ReportRecord
import Synchronization
import Transport

/// Runs the whole tool in this process against the reference provider.
enum Laboratory {
    /// Two concurrent runs per core: some wait for a clock, and more would cause time-outs.
    private static let gate = Semaphore(places: max(2, 2 * ProcessInfo.processInfo.activeProcessorCount))

    /// All faults; during development, those whose identifier matches `OIDC_PREFLIGHT_FAULTS`.
    static var faults: [Fault] {
        guard let pattern = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_FAULTS"],
            let expression = try? Regex(pattern)
        else { return Fault.all }
        return Fault.all.filter { $0.id.contains(expression) }
    }

    /// How requests reach the provider.
    enum Way: Sendable {
        /// By calls in this process: no sockets, no TLS, and no delays.
        case memory
        /// Over loopback, with TLS, addresses and the provider's own requests.
        case sockets
    }

    static func judge(
        _ persona: Persona,
        faults: [Fault] = [],
        profile: String? = nil,
        over way: Way = .memory,
        scheme: ReferenceProviderConfiguration.Scheme = .https
    ) async throws -> (evidence: Evidence, report: Report) {
        let result = try await collect(persona, faults: faults, profile: profile, over: way, scheme: scheme)
        return (result.evidence, result.report)
    }

    /// A run with its plan.
    ///
    /// - Parameters:
    ///   - tier: The tier; `nil` for the highest that the configuration allows.
    ///   - maxSignIns: The sign-in limit; `nil` for no limit.
    ///   - delay: Extra seconds per response.
    ///   - waits: Whether each wait of the run takes up to a second of real time, which concurrent tasks depend on.
    ///   - configure: A change to the configuration.
    ///   - mistake: The user's mistake in the configuration.
    ///   - provide: A change to the provider's setup, made after its clock is set.
    static func collect(
        _ persona: Persona,
        faults: [Fault] = [],
        profile: String? = nil,
        over way: Way = .memory,
        scheme: ReferenceProviderConfiguration.Scheme = .https,
        tier: Tier? = nil,
        maxSignIns: Int? = nil,
        delay: Double = 0,
        waits: Bool = false,
        configure: (inout Target) -> Void = { _ in },
        mistake: (inout Configuration) -> Void = { _ in },
        provide: (inout ReferenceProviderConfiguration) -> Void = { _ in }
    ) async throws -> Run {
        await gate.enter()
        do {
            let clock = MovedClock(waits: waits, isFrozen: way == .memory)
            var settings = ReferenceProviderConfiguration(persona, faults: faults, scheme: scheme)
            settings.now = clock.now
            settings.answerDelay = delay
            let port = way == .sockets ? try ReservedPort() : nil
            let listener = port.map { "127.0.0.1:\($0.number)" }
            // Exchanges are timed by the machine's clock, which does not move with the run's.
            settings.date = { Date().timeIntervalSince1970 }
            if way == .memory {
                settings.port = 8443
                settings.wait = { await clock.move($0) }
            }
            for index in settings.clients.indices {
                settings.clients[index].backChannelLogoutURI = listener.map { "http://\($0)/back-channel-logout" }
            }
            provide(&settings)
            let place = try await Place(settings, way)
            var configuration = try configuration(for: place, faults, listener: listener)
            configuration.maxSignIns = maxSignIns
            configure(&configuration.target)
            mistake(&configuration)
            let profile = profile ?? persona.profile
            let result = try await collect(configuration, place, clock, faults, profile, tier)
            withExtendedLifetime(port) {}
            await gate.leave()
            return result
        } catch {
            await gate.leave()
            throw error
        }
    }

    /// The result of a fault.
    ///
    /// If only a platform's rule differs, the run sends the same requests, so such faults of one persona share their evidence.
    static func judge(_ fault: Fault, over way: Way) async throws -> Report {
        guard fault.isOfThePlatformAlone else {
            return try await judge(fault.persona, faults: [fault], over: way).report
        }
        let (shared, facts) = try await SharedRuns.all.run(fault.persona, over: way)
        let run = try PreflightRun(
            configuration: shared.run.configuration,
            profile: fault.persona.profile,
            slowProbes: .seconds(15),
            environment: environment
        ) { fault.demand(&$0.parameters) }
        return try ReportRecord.keep(run.judge(shared.evidence, facts, now: shared.evidence.endedAt))
    }

    struct Run {
        let run: PreflightRun
        let evidence: Evidence
        let report: Report
    }

    /// A provider and the transport of its requests.
    private enum Place {
        case served(ReferenceProvider)
        case unserved(UnservedProvider)

        init(_ settings: ReferenceProviderConfiguration, _ way: Way) async throws {
            switch way {
            case .memory: self = .unserved(try UnservedProvider(settings))
            case .sockets: self = .served(try await ReferenceProvider.start(settings))
            }
        }

        func target(_ faults: [Fault]) -> Target {
            switch self {
            case .served(let provider): provider.target(faults)
            case .unserved(let provider): provider.target(faults)
            }
        }

        var persona: Persona {
            switch self {
            case .served(let provider): provider.persona
            case .unserved(let provider): provider.persona
            }
        }

        func lead(_ configuration: inout Configuration) throws {
            switch self {
            case .served(let provider):
                configuration.trust(try authorityFile(provider.certificateAuthorityPEM))
                if let name = persona.hostName {
                    let addresses = persona.addresses.joined(separator: ",")
                    try configuration.route(caFile: nil, resolve: ["\(name):\(provider.port):\(addresses)"])
                }
            case .unserved(let provider):
                configuration.way = .inMemory(provider.origins) { await provider.answer($0) }
                // Response times depend on the machine's load, and no in-memory fault is a delay.
                configuration.wait(atMost: 3_600)
            }
        }

        func stop() async {
            if case .served(let provider) = self { await provider.stop() }
        }
    }

    private static func configuration(
        for place: Place,
        _ faults: [Fault],
        listener: String?
    ) throws -> Configuration {
        let persona = place.persona
        var configuration = Configuration(target: place.target(faults))
        if configuration.target.logout.postLogoutRedirectURI != nil {
            configuration.target.logout.backChannelListener = listener
        }
        configuration.signIn(as: persona.credentials.username, password: persona.credentials.password)
        configuration.signInOther(as: persona.otherCredentials.username, password: persona.otherCredentials.password)
        configuration.takeClientSecrets(from: persona.clientSecret)
        configuration.takeInitialAccessToken(persona.initialAccessToken)
        configuration.takeClientKeys(from: persona.clientKey)
        configuration.makeKey = KeyPool.all.maker()
        try place.lead(&configuration)
        return configuration
    }

    private static func collect(
        _ configuration: Configuration,
        _ place: Place,
        _ clock: MovedClock,
        _ faults: [Fault],
        _ profile: String,
        _ tier: Tier?
    ) async throws -> Run {
        let run = try PreflightRun(
            configuration: configuration,
            profile: profile,
            tier: tier,
            // The faults in memory need no real delays, because the clock is moved.
            slowProbes: .seconds(15),
            clock: RunClock(now: clock.now, wait: { await clock.move($0) }),
            environment: environment
        ) { rules in
            for fault in faults { fault.demand(&rules.parameters) }
        }
        let evidence = await run.collect { _ in }
        await place.stop()
        let report = try ReportRecord.keep(run.judge(evidence, now: evidence.endedAt))
        return Run(run: run, evidence: evidence, report: report)
    }

    /// The client that is entered at a platform, as the provider has registered it.
    struct Registration: Sendable, Hashable {
        var providerID: String?
        var redirectURI: String?
        /// A client without a secret, if the provider accepts one.
        var isPublic = false
    }

    /// A conformant provider under its public name, checked for several platforms.
    ///
    /// Its certificate is issued by a test CA, so one check is dropped.
    static func judge(
        _ persona: Persona,
        for profiles: [String],
        registered registration: Registration
    ) async throws -> JointReport {
        await gate.enter()
        do {
            let report = try await judgeByName(persona, profiles, registration)
            await gate.leave()
            return report
        } catch {
            await gate.leave()
            throw error
        }
    }

    private static func judgeByName(
        _ persona: Persona,
        _ profiles: [String],
        _ registration: Registration
    ) async throws -> JointReport {
        let clock = MovedClock()
        var settings = ReferenceProviderConfiguration(persona)
        settings.now = clock.now
        settings.date = { Date().timeIntervalSince1970 }
        settings.publicName = persona.publicName
        if let uri = registration.redirectURI {
            for index in settings.clients.indices { settings.clients[index].redirectURIs = [uri] }
        }
        let provider = try await ReferenceProvider.start(settings)
        let port = try ReservedPort()
        var configuration = try configuration(for: .served(provider), [], listener: "127.0.0.1:\(port.number)")
        let places = ReferenceProvider.publicNames.map { "\($0):443:127.0.0.1:\(provider.port)" }
        try configuration.route(caFile: nil, resolve: [], connectTo: places)
        if let uri = registration.redirectURI { configuration.target.redirectURI = uri }
        if registration.isPublic, persona.takesPublicClients {
            let id = RegisteredClient.publicClient.id
            configuration.target.client = Client(id: id, authentication: .none, hasSecret: false)
            configuration.target.flows = ["code"]
        }
        if let name = registration.providerID { configuration.target.registration.providerID = name }
        let runs = try profiles.map { profile in
            try PreflightRun(
                configuration: configuration,
                profile: profile,
                clock: RunClock(now: clock.now, wait: { await clock.move($0) }),
                environment: environment
            ) { rules in
                let because = "the laboratory has an authority of its own"
                rules.adjustments.append(
                    Profile.Adjustment(checks: "transport.authority.is-public", drop: true, because: because)
                )
            }
        }
        let run = try JointRun(runs[0], Array(runs.dropFirst()))
        let evidence = await run.collect { _ in }
        withExtendedLifetime(port) {}
        await provider.stop()
        return try ReportRecord.keep(run.judge(evidence, now: evidence.first.endedAt))
    }

    static let environment = Environment(
        variable: { _ in nil },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )

    /// A name unique to this process: process IDs are reused, and the CA of another process is useless.
    private static let authorityName = "oidc-preflight-matrix-\(UUID().uuidString).pem"

    /// One file for all runs: all providers of a process share the CA.
    static func authorityFile(_ pem: String) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(authorityName)
        if !FileManager.default.fileExists(atPath: file.path) {
            try pem.write(to: file, atomically: true, encoding: .utf8)
        }
        return file.path
    }
}

/// Runs of conformant providers, each made once, with everything that platform rules read.
private actor SharedRuns {
    static let all = SharedRuns()
    private typealias Collected = (run: Laboratory.Run, facts: Facts)
    private var runs: [Laboratory.Way: [Persona: Task<Collected, any Error>]] = [:]

    func run(_ persona: Persona, over way: Laboratory.Way) async throws -> (run: Laboratory.Run, facts: Facts) {
        let task =
            runs[way]?[persona]
            ?? Task {
                let run = try await Laboratory.collect(persona, faults: [Self.everyRule(persona)], over: way)
                return (run, Facts(run.evidence, profile: run.run.plan.profile))
            }
        runs[way, default: [:]][persona] = task
        return try await task.value
    }

    private static func everyRule(_ persona: Persona) -> Fault {
        Fault(
            "platform.every.rule",
            "every rule is declared",
            persona: persona,
            demand: { parameters in
                for name in PlatformRule.known.map(\.name) where parameters.rules[name] == nil {
                    parameters.rules[name] = PlatformRule(.stated, because: "it is read", source: "the matrix")
                }
            }
        )
    }
}

/// Keys that runs share, because generating an RSA key takes longer than a run.
///
/// The keys within one run are distinct.
private final class KeyPool: Sendable {
    static let all = KeyPool()
    private let keys = Mutex<[PrivateKey.Kind: [PrivateKey]]>([:])

    /// Returns the pool's keys in order, for one run.
    func maker() -> KeyMaker {
        let handedOut = HandedOut()
        return { [self] kind throws(JOSEError) in try key(kind, handedOut.next(kind)) }
    }

    private func key(_ kind: PrivateKey.Kind, _ index: Int) throws(JOSEError) -> PrivateKey {
        try keys.withLock { keys throws(JOSEError) in
            while keys[kind, default: []].count <= index { keys[kind, default: []].append(try .generate(kind)) }
            return keys[kind, default: []][index]
        }
    }

    /// The number of keys of each kind per run.
    private final class HandedOut: Sendable {
        private let counts = Mutex<[PrivateKey.Kind: Int]>([:])

        func next(_ kind: PrivateKey.Kind) -> Int {
            counts.withLock { counts in
                defer { counts[kind, default: 0] += 1 }
                return counts[kind, default: 0]
            }
        }
    }
}

/// A clock that the provider and the tool share, so that waiting takes no real time.
private final class MovedClock: Sendable {
    private let ahead = Mutex(0.0)
    private let waits: Bool
    /// The time at which it was stopped, in seconds since 1970; `nil` if it runs.
    private let stoppedAt: Double?

    /// - Parameters:
    ///   - waits: Whether waiting takes real time, but at most a second.
    ///   - isFrozen: Whether the clock moves only by waiting.
    init(waits: Bool = false, isFrozen: Bool = false) {
        self.waits = waits
        stoppedAt = isFrozen ? Date().timeIntervalSince1970 : nil
    }

    var now: @Sendable () -> Double {
        { [self] in (stoppedAt ?? Date().timeIntervalSince1970) + ahead.withLock { $0 } }
    }

    func move(_ seconds: Double) async {
        // Only for runs with concurrent tasks.
        if waits { try? await Task.sleep(for: .seconds(min(seconds, 1))) }
        ahead.withLock { $0 += seconds }
    }
}

extension UnservedProvider {
    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let url = WebURL(request.url)
        let answer = await answer(
            method: request.method,
            target: (url?.path ?? "/") + (url?.query.map { "?" + $0 } ?? ""),
            headers: request.headers.map { Field($0.name, $0.value) },
            body: request.body ?? []
        )
        var response = HTTPResponse(status: answer.status)
        response.headers = answer.headers.map { HTTPField(name: $0.name, value: $0.value) }
        response.body = answer.body
        return response
    }
}

/// A semaphore: limits the number of concurrent tasks.
actor Semaphore {
    private var places: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        self.places = places
    }

    func enter() async {
        if places > 0 {
            places -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty {
            places += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
