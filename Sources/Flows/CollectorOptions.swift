import Conformance
package import JOSE
package import SignIn
package import Transport

/// How a collector works, apart from what the plan says.
package struct CollectorOptions: Sendable {
    /// Bounds, time limits, trust and address overrides of every request.
    ///
    /// The issuer's own host and the hosts of overrides are added to those that the address policy allows.
    package var transport: TransportConfiguration
    /// How requests go: over the network, unless an application in this process is asked.
    package var way: HTTPWay
    /// Makes the keys of clients that the run registers, and keys that are nobody's.
    package var makeKey: KeyMaker
    /// What to do at the provider's sign-in pages; empty to recognise ordinary forms.
    package var signInSteps: [SignInStep]
    /// Hosts, besides those that the provider leads to, that credentials may be sent to.
    package var signInHosts: [String]
    /// Who goes through the pages.
    package var conduct: SignInConduct
    /// Name and version of the tool, for the evidence.
    package var tool: String
    /// Leaves codes and tokens readable in the evidence; passwords and client secrets are hidden all the same.
    package var keepsSecrets: Bool
    /// Keeps the pages of a sign-in that got through as well, for who asked to see them.
    package var tellsPages = false
    /// What the run shares with others that are held at the same time; `nil` for a run by itself.
    package var sharing: SharedTransport?
    /// What is known of certificates, of these runs as well.
    package var certificates = CertificateReadings()
    /// Is handed what is in the browser when a conversation has ended; `nil` where nobody wants to keep it.
    package var keepSession: (@Sendable (SavedSession) -> Void)?
    /// How many conversations are held at the same time, when no pause between requests is set.
    package var concurrency: Int
    /// The time that the run goes by.
    package var clock: RunClock
    /// Learns what the run has learned to be secret.
    package var lastPass: LastPass

    package init(
        transport: TransportConfiguration = TransportConfiguration(),
        way: HTTPWay = .libcurl,
        makeKey: @escaping KeyMaker = PrivateKey.fresh,
        signInSteps: [SignInStep] = [],
        signInHosts: [String] = [],
        conduct: SignInConduct = SignInConduct(),
        tool: String,
        keepsSecrets: Bool = false,
        concurrency: Int = 8,
        clock: RunClock = .machine,
        lastPass: LastPass = LastPass()
    ) {
        self.transport = transport
        self.way = way
        self.makeKey = makeKey
        self.signInSteps = signInSteps
        self.signInHosts = signInHosts
        self.conduct = conduct
        self.tool = tool
        self.keepsSecrets = keepsSecrets
        self.concurrency = concurrency
        self.clock = clock
        self.lastPass = lastPass
    }

    /// How many conversations are held at the same time: with a pause one, because a code would expire while the requests of
    /// the others take their turns.
    var conversationsAtATime: Int { transport.pause > 0 ? 1 : max(1, concurrency) }

    /// Whole seconds that the pauses between requests add to a sign-in, from the password to the answer at the client: the
    /// consent, the way to it and back, and one request more of whoever asks for a second factor or redirects once more.
    var secondsOfSignIn: Int { Int((transport.pause * 5).rounded(.up)) }

    /// Seconds that a patient run waits (`--patient`).
    package static let patience = 31.0

    /// The configuration for a run against a target: what its configuration names may be at any address.
    func transport(for target: Target) -> TransportConfiguration {
        var configuration = transport
        // Who says one at a time means the documents too, which are fetched beside the first flow otherwise.
        configuration.isSerial = concurrency <= 1
        var allowed = configuration.resolve.map(\.host)
        let named = [target.issuer] + (target.endpoints ?? [:]).sorted { $0.key < $1.key }.map(\.value)
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
    /// What of it decides where a host is and who vouches for it.
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
