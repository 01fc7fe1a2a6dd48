import Conformance
package import JOSE
package import SignIn
package import Transport

/// The options of a collector that the plan does not contain.
package struct CollectorOptions: Sendable {
    /// Bounds, time limits, trust and address overrides of every request.
    ///
    /// The issuer's own host and the hosts of overrides are added to those that the address policy allows.
    var transport: TransportConfiguration
    /// How requests go: over the network, unless an application in this process is asked.
    package var way: HTTPSenderFactory
    /// Makes the keys of clients that the run registers, and keys that belong to no client.
    var makeKey: KeyMaker
    /// The actions at the provider's sign-in pages; empty to recognise ordinary forms.
    var signInSteps: [SignInStep]
    /// Hosts, besides those that the provider leads to, that credentials may be sent to.
    var signInHosts: [String]
    /// The driver for the provider's pages.
    var signInSettings: SignInSettings
    /// Name and version of the tool, for the evidence.
    var tool: String
    /// Leaves codes and tokens readable in the evidence; passwords and client secrets are always hidden.
    var keepsSecrets: Bool
    /// Also keeps the pages of a successful sign-in, on request.
    package var recordsPages = false
    /// Resources shared with parallel runs; `nil` for a single run.
    package var sharing: SharedTransport?
    /// Certificates that are already known, also to parallel runs.
    package var certificates = CertificateReadings()
    /// The sign-ins of the runs before this one.
    package var history = SignInHistory()
    /// Receives the browser's cookies when a scenario has ended; `nil` if they are not needed.
    package var keepSession: (@Sendable (SavedSession) -> Void)?
    /// The number of scenarios that run in parallel, if no pause between requests is set.
    var concurrency: Int
    /// The time that the run goes by.
    var clock: RunClock
    /// Learns what the run has learned to be secret.
    var finalRedaction: FinalRedaction

    package init(
        transport: TransportConfiguration = TransportConfiguration(),
        way: HTTPSenderFactory = .libcurl,
        makeKey: @escaping KeyMaker = PrivateKey.fresh,
        signInSteps: [SignInStep] = [],
        signInHosts: [String] = [],
        signInSettings: SignInSettings = SignInSettings(),
        tool: String,
        keepsSecrets: Bool = false,
        concurrency: Int = 8,
        clock: RunClock = .machine,
        finalRedaction: FinalRedaction = FinalRedaction()
    ) {
        self.transport = transport
        self.way = way
        self.makeKey = makeKey
        self.signInSteps = signInSteps
        self.signInHosts = signInHosts
        self.signInSettings = signInSettings
        self.tool = tool
        self.keepsSecrets = keepsSecrets
        self.concurrency = concurrency
        self.clock = clock
        self.finalRedaction = finalRedaction
    }

    /// The number of scenarios that run in parallel: one with a pause, because a code would expire while the requests of the
    /// others wait their turn.
    var scenariosAtATime: Int { transport.pause > 0 ? 1 : max(1, concurrency) }

    /// Whole seconds that the pauses between requests add to a sign-in, from the password to the client's response: the
    /// consent, the redirects around it, and one request more for a second factor or an extra redirect.
    var secondsOfSignIn: Int { Int((transport.pause * 5).rounded(.up)) }

    /// Seconds that the slow probes wait (`--patient`).
    package static let slowProbeSeconds = 31.0

    /// The configuration for a run against a target: what its configuration names may be at any address.
    func transport(for target: Target) -> TransportConfiguration {
        var configuration = transport
        // A limit of one at a time applies to the documents too, which are otherwise fetched in parallel with the first flow.
        configuration.isSerial = concurrency <= 1
        var allowed = configuration.resolve.map(\.host)
        let named =
            [target.issuer, target.resource, target.webFingerAddress].compactMap(\.self)
            + (target.endpoints ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        for url in named.compactMap({ WebURL($0) }) {
            allowed.append(url.host)
            // An issuer on this machine may call itself by name and by number.
            if url.isLoopback { allowed += ["localhost", "127.0.0.1", "[::1]"] }
        }
        configuration.addressPolicy.allowedHosts += allowed
        return configuration
    }
}

extension TransportConfiguration {
    /// The part of it that decides where a host is and which authority certifies it.
    var route: Route {
        func bracketed(_ address: String) -> String { address.contains(":") ? "[\(address)]" : address }
        let moved = resolve.filter { $0.actualPort != nil }
        return Route(
            resolve: resolve.filter { $0.actualPort == nil }
                .map { entry in
                    let addresses = entry.address.split(separator: ",").map { bracketed(String($0)) }
                    return "\(entry.host):\(entry.port):\(addresses.joined(separator: ","))"
                },
            connectTo: moved.map { "\($0.host):\($0.port):\(bracketed($0.address)):\($0.actualPort ?? $0.port)" },
            hasAuthorities: certificateAuthorityFile != nil
        )
    }
}
