package import Conformance
package import Flows
package import JOSE
package import Profiles
package import SignIn
package import Transport

/// A `preflight.yaml` as read: what is to be judged, and how to sign in.
package struct Configuration: Sendable {
    package var target: Target
    /// The target's name, where the file has several.
    package var name: String?
    /// Name or file of the profile; `nil` when the file names none.
    package var profile: String?
    /// They never enter the target, the plan or a report.
    package var secrets = Secrets()
    /// The session that stands in the place of the password, yet to be opened; `nil` where somebody signs in.
    package internal(set) var sessionSource: SessionFile.Source?
    /// How many seconds a one-time code of the person lasts; `nil` for somebody without a second factor.
    ///
    /// It is known where secrets are not read.
    var codePeriod: Double?
    /// What to do at the provider's pages; empty when ordinary forms are recognised.
    package var steps: [SignInStep] = []
    /// Hosts that belong to the provider's sign-in though it does not lead there.
    package var signInHosts: [String] = []
    /// Who goes through the provider's pages; which browser may be used is for the command line to say.
    package var conduct = SignInConduct()
    /// How many sign-ins a run may cost; `nil` for as many as it takes.
    package var maxSignIns: Int?
    package var waivers: [Waiver] = []
    /// Bounds, trust and routes of the network.
    package var network = TransportConfiguration(userAgent: Tool.userAgent)
    /// How requests go: over the network, unless an application in this process is asked.
    package var way = HTTPWay.libcurl
    /// Makes the run's own keys.
    package var makeKey = PrivateKey.fresh
    /// What a run may spend; `nil` where it is not stated.
    package var limits = Limits()
    /// What is judged without a run; `nil` for a run.
    private(set) var handedIn: HandedIn?
    /// Where each value stands, by its keys: `client.id` is at `preflight.yaml:4`.
    package var places: [String: SourcePlace] = [:]
    /// Where the secrets come from, for who asks what a run would do.
    package var secretSources: [SecretSource] = []
    /// Whether people sign in without any of the `flows`: by OAuth 1.0, as the profile knows.
    package var needsNoFlows = false
    /// How many conversations with the provider are held at the same time.
    package var concurrency = 8

    package init(target: Target) {
        self.target = target
    }

    /// For evidence that is at hand.
    package init(judging evidence: Evidence) {
        self.init(target: evidence.target)
        handedIn = evidence.handedIn
    }

    /// What a run may spend, as far as it is stated.
    package struct Limits: Sendable {
        package var requests: Int?
        /// Seconds.
        package var seconds: Double?
        package var bytes: Int?
        package var signInsPerMinute: Int?

        /// With what is stated here, and what another says otherwise.
        package func or(_ other: Limits) -> Limits {
            var limits = self
            limits.requests = requests ?? other.requests
            limits.seconds = seconds ?? other.seconds
            limits.bytes = bytes ?? other.bytes
            limits.signInsPerMinute = signInsPerMinute ?? other.signInsPerMinute
            return limits
        }

        package init(requests: Int? = nil, seconds: Double? = nil, bytes: Int? = nil) {
            self.requests = requests
            self.seconds = seconds
            self.bytes = bytes
        }
    }

    /// The highest tier that the configuration has the means for.
    package var highestTier: Tier {
        Tier.allCases.last { missing(for: $0).isEmpty } ?? .static
    }

    /// Who signs in, where somebody does.
    package var username: String? { secrets.username }

    /// Who signs in.
    ///
    /// - Parameter authenticator: What makes the person's one-time codes; `nil` for somebody without a second factor.
    package mutating func signIn(as username: String, password: Secret, authenticator: Authenticator? = nil) {
        secrets.username = username
        secrets.password = password
        secrets.authenticator = authenticator
        codePeriod = authenticator?.period
    }

    /// Who signs in as a second person.
    package mutating func signInOther(as username: String, password: Secret, authenticator: Authenticator? = nil) {
        secrets.other = Secrets.Person(username: username, password: password, authenticator: authenticator)
        target.hasOtherPerson = true
    }

    /// Lets the person sign in by name and password, whatever session was saved.
    package mutating func signInAnew() {
        sessionSource = nil
    }

    /// Gives the person a passkey.
    package mutating func takePasskey(_ passkey: PasskeyCredential) {
        secrets.passkey = passkey
    }

    /// Whether the person's password is known, or a passkey in its place.
    package var hasPassword: Bool { secrets.password?.isEmpty == false || secrets.passkey != nil }

    /// Asks for the secret of every client of the target.
    package mutating func takeClientSecrets(from secret: (String) -> Secret?) {
        for client in target.allClients {
            secrets.clientSecrets[client.id] = secret(client.id)
        }
    }

    /// Takes the secret of one client, `nil` for a public one.
    package mutating func takeSecret(_ secret: Secret?, of client: String) {
        secrets.clientSecrets[client] = secret
    }

    /// Takes what registering clients takes (RFC 7591 section 1.2).
    package mutating func takeInitialAccessToken(_ token: Secret?) {
        secrets.initialAccessToken = token
    }

    /// Asks for the key of every client of the target.
    package mutating func takeClientKeys(from key: (String) -> PrivateKey?) {
        for client in target.allClients { secrets.clientKeys[client.id] = key(client.id) }
    }

    /// Trusts the authorities of a PEM file besides the system's.
    package mutating func trust(_ file: String) {
        network.certificateAuthorityFile = file
    }

    /// Bounds how long a request may take, in seconds.
    package mutating func wait(atMost seconds: Double) {
        network.totalTimeout = seconds
    }

    static let connectToForm = "HOST:PORT:ADDRESS:PORT, as in idp.example.com:443:127.0.0.1:8443"

    /// Takes `--ca-file`, `--resolve` and `--connect-to`, each with its check.
    ///
    /// - Parameter problem: Why a file of authorities cannot be used; `nil` when it can.
    package mutating func route(
        caFile: String?,
        resolve: [String],
        connectTo: [String] = [],
        problem: (String) -> String? = { _ in nil }
    ) throws(ConfigurationError) {
        if let caFile {
            if let why = problem(caFile) { throw ConfigurationError(file: "--ca-file", why) }
            trust(caFile)
        }
        for text in resolve {
            guard let entry = HostOverride(text) else {
                throw ConfigurationError(
                    file: "--resolve",
                    "“\(text)” must be HOST:PORT:ADDRESS, as in idp.example.com:443:192.0.2.7"
                )
            }
            network.resolve.append(entry)
        }
        for text in connectTo {
            guard let entry = HostOverride(connectTo: text) else {
                throw ConfigurationError(file: "--connect-to", "“\(text)” must be \(Self.connectToForm)")
            }
            network.resolve.append(entry)
        }
    }
}

/// The places that secrets and files come from; handed in, so that reading a configuration can be tested.
package struct Environment: Sendable {
    /// The value of an environment variable.
    package var variable: @Sendable (String) -> String?
    /// The octets of a file; `nil` with a reason when it cannot be read.
    package var readFile: @Sendable (String) -> Result<[UInt8], FileError>
    /// The names of all variables that are set, for those who mistyped one.
    package var names: @Sendable () -> [String]
    /// The permissions of a file, `0o600`; `nil` where they are not known.
    package var permissions: @Sendable (String) -> Int?

    package init(
        variable: @escaping @Sendable (String) -> String?,
        readFile: @escaping @Sendable (String) -> Result<[UInt8], FileError>,
        names: @escaping @Sendable () -> [String] = { [] },
        permissions: @escaping @Sendable (String) -> Int? = { _ in nil }
    ) {
        self.variable = variable
        self.readFile = readFile
        self.names = names
        self.permissions = permissions
    }

    var variables: Variables { Variables(value: variable, names: names) }
}
