package import Conformance
package import Flows
package import JOSE
package import Profiles
package import SignIn
package import Transport

/// A parsed `preflight.yaml`: the target, and how to sign in.
package struct Configuration: Sendable {
    package var target: Target
    /// The target's name, if the file has several.
    package var name: String?
    /// Name or file of the profile; `nil` if the file names none.
    package var profile: String?
    /// They never enter the target, the plan or a report.
    package var secrets = Secrets()
    /// The encrypted session that replaces the password; `nil` without one.
    var sessionSource: SessionFile.Source?
    /// The validity of a one-time code in seconds; `nil` for a user without a second factor.
    ///
    /// It is set even if secrets are not read.
    var codePeriod: Double?
    /// The steps for the provider's pages; empty for ordinary forms.
    package var steps: [SignInStep] = []
    /// Further hosts of the provider's sign-in, to which it does not redirect.
    package var signInHosts: [String] = []
    /// The sign-in driver and its browser, which the command line may override.
    package var signInSettings = SignInSettings()
    /// The maximum number of sign-ins; `nil` for no limit.
    package var maxSignIns: Int?
    package var waivers: [Waiver] = []
    /// Limits, trusted authorities and routes of the network.
    package var network = TransportConfiguration(userAgent: Tool.userAgent)
    /// The transport of requests: the network, or an application in this process.
    package var way = HTTPSenderFactory.libcurl
    /// Makes the run's own keys.
    package var makeKey = PrivateKey.fresh
    /// The limits of a run; `nil` for defaults.
    package var limits = Limits()
    /// The input that is checked without a run; `nil` for a run.
    private(set) var offlineInput: OfflineInput?
    /// The place of each value, by its keys: `client.id` is at `preflight.yaml:4`.
    package var places: [String: SourcePlace] = [:]
    /// The sources of the secrets, for `config check`.
    package var secretSources: [SecretSource] = []
    /// Whether a sign-in needs no `flows`, because the profile uses OAuth 1.0.
    var needsNoFlows = false
    /// The number of scenarios that run in parallel.
    package var concurrency = 8

    package init(target: Target) {
        self.target = target
    }

    /// For existing evidence.
    package init(judging evidence: Evidence) {
        self.init(target: evidence.target)
        offlineInput = evidence.offlineInput
    }

    /// The configured limits of a run.
    package struct Limits: Sendable {
        package var requests: Int?
        /// Seconds.
        package var seconds: Double?
        package var bytes: Int?
        package var signInsPerMinute: Int?

        /// With the missing limits from another value.
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

    /// The highest tier that the configuration allows.
    package var highestTier: Tier {
        Tier.allCases.last { missing(for: $0).isEmpty } ?? .static
    }

    /// The test user, if there is one.
    package var username: String? { secrets.username }

    /// Sets the test user.
    ///
    /// - Parameter authenticator: Generates one-time codes; `nil` for a user without a second factor.
    package mutating func signIn(as username: String, password: Secret, authenticator: Authenticator? = nil) {
        secrets.username = username
        secrets.password = password
        secrets.authenticator = authenticator
        codePeriod = authenticator?.period
    }

    /// Sets the second test user.
    package mutating func signInOther(as username: String, password: Secret, authenticator: Authenticator? = nil) {
        secrets.other = Secrets.User(username: username, password: password, authenticator: authenticator)
        target.hasOtherPerson = true
    }

    /// Signs in the user with name and password instead of a saved session.
    package mutating func ignoreSavedSession() {
        sessionSource = nil
    }

    /// Sets the passkey of the test user.
    package mutating func takePasskey(_ passkey: PasskeyCredential) {
        secrets.passkey = passkey
    }

    /// Whether there is a password or a passkey of the test user.
    package var hasPassword: Bool { secrets.password?.isEmpty == false || secrets.passkey != nil }

    /// Sets the secret of each client of the target.
    package mutating func takeClientSecrets(from secret: (String) -> Secret?) {
        for client in target.allClients {
            secrets.clientSecrets[client.id] = secret(client.id)
        }
    }

    /// Sets the secret of one client; `nil` for a public one.
    package mutating func takeSecret(_ secret: Secret?, of client: String) {
        secrets.clientSecrets[client] = secret
    }

    /// Sets the initial access token (RFC 7591 section 1.2).
    package mutating func takeInitialAccessToken(_ token: Secret?) {
        secrets.initialAccessToken = token
    }

    /// Sets the key of each client of the target.
    package mutating func takeClientKeys(from key: (String) -> PrivateKey?) {
        for client in target.allClients {
            secrets.clientKeys[client.id] = key(client.id)
            if client.decryptionKeyThumbprint != nil { secrets.decryptionKeys[client.id] = key(client.id) }
        }
    }

    /// Trusts the authorities of a PEM file in addition to the system's.
    package mutating func trust(_ file: String) {
        network.certificateAuthorityFile = file
    }

    /// Limits the duration of a request, in seconds.
    package mutating func wait(atMost seconds: Double) {
        network.totalTimeout = seconds
    }

    static let connectToForm = "HOST:PORT:ADDRESS:PORT, such as idp.example.com:443:127.0.0.1:8443"

    /// Validates and sets `--ca-file`, `--resolve` and `--connect-to`.
    ///
    /// - Parameter problem: Why a file of authorities cannot be used; `nil` if it can.
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
                    "“\(text)” must be HOST:PORT:ADDRESS, such as idp.example.com:443:192.0.2.7"
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

/// The sources of secrets and files, injected for tests.
package struct Environment: Sendable {
    /// The value of an environment variable.
    package var variable: @Sendable (String) -> String?
    /// The bytes of a file within the bounds of its kind, or the reason why it cannot be read.
    var readFile: @Sendable (String, FileInput) -> Result<[UInt8], FileError>
    /// The names of all variables that are set, for suggestions.
    package var names: @Sendable () -> [String]
    /// The permissions of a file, such as `0o600`; `nil` if unknown.
    var permissions: @Sendable (String) -> Int?

    package init(
        variable: @escaping @Sendable (String) -> String?,
        readFile: @escaping @Sendable (String, FileInput) -> Result<[UInt8], FileError>,
        names: @escaping @Sendable () -> [String] = { [] },
        permissions: @escaping @Sendable (String) -> Int? = { _ in nil }
    ) {
        self.variable = variable
        self.readFile = readFile
        self.names = names
        self.permissions = permissions
    }

    /// With files that need no bounds, because they are not read from a file system.
    package init(
        variable: @escaping @Sendable (String) -> String?,
        readFile: @escaping @Sendable (String) -> Result<[UInt8], FileError>,
        names: @escaping @Sendable () -> [String] = { [] },
        permissions: @escaping @Sendable (String) -> Int? = { _ in nil }
    ) {
        self.init(variable: variable, readFile: { path, _ in readFile(path) }, names: names, permissions: permissions)
    }

    var variables: Variables { Variables(value: variable, names: names) }
}

extension Configuration {
    /// Sets the protected resource for which tokens are requested.
    ///
    /// - Parameter place: The source of the text, for messages.
    package mutating func name(resource: String, at place: String) throws(ConfigurationError) {
        if let problem = Self.problem(ofResource: resource) {
            // The text may contain a password.
            throw ConfigurationError(file: place, "the resource \(problem)")
        }
        target.resource = resource
    }

    /// Why a text does not name a resource; `nil` if it does (RFC 8707 section 2).
    static func problem(ofResource text: String) -> String? {
        guard let scheme = WebURL.scheme(of: text)?.lowercased(), !text.contains("#") else {
            return "must be an absolute URI without a fragment, such as https://mcp.example.com/mcp"
        }
        guard ["http", "https"].contains(scheme) else { return nil }
        guard hasHost(text, scheme), let url = WebURL(text) else { return "is not a valid URL" }
        return url.userInfo != nil ? "must not contain a user name or password: it is sent to the provider" : nil
    }
}
