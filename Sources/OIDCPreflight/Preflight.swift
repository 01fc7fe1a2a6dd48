internal import Conformance
internal import Preflight
internal import Profiles

/// A run against an OpenID Provider: issuer, profile, client and test user.
///
/// It is a value that is configured step by step; ``report()`` sends the requests:
///
/// ```swift
/// let report = try await Preflight(issuer: "https://idp.example.com", profile: .firebaseOIDC, http: .inMemory(application))
///     .client("web", secret: "…", redirectURI: "https://app.example.com/callback")
///     .signingIn(as: "alice", password: "…")
///     .report()
/// ```
///
/// An issuer alone is enough for checks of its documents. A client adds requests that need no user, and a test user adds sign-ins.
/// ``report()`` throws invalid arguments of these calls before any request.
///
/// To run a configuration file, use ``init(configuration:target:profile:variables:clock:http:)``.
public struct Preflight: Sendable {
    /// The issuer or the configuration.
    enum RunSource: Sendable {
        case issuer(String)
        case file(ConfigurationSource, target: String?, variables: Variables)
    }

    /// The client set by ``client(_:secret:redirectURI:flows:scopes:authentication:)``.
    struct Client: Sendable {
        var client: Conformance.Client
        var secret: Secret?
        var redirectURI: String
        var flows: [ResponseType]
        var scopes: [String]
    }

    let runSource: RunSource
    /// `nil` for the configuration's.
    let profile: Profile.Name?
    let clock: Clock
    let http: HTTP
    var client: Client?
    var user: (name: String, password: Secret)?
    var only: [String] = []
    var skipped: [String] = []
    var required: Tier?

    /// Creates a run for an issuer.
    ///
    /// - Parameters:
    ///   - issuer: The issuer to be registered, byte for byte: `https://idp.example.com`.
    ///   - profile: The profile.
    ///   - clock: The clock of the run.
    ///   - http: How requests reach the provider: over the network, or by calls to an application in this process.
    public init(issuer: String, profile: Profile.Name = .openid, clock: Clock = .system, http: HTTP = .libcurl) {
        self.init(.issuer(issuer), profile, clock, http)
    }

    init(_ runSource: RunSource, _ profile: Profile.Name?, _ clock: Clock, _ http: HTTP) {
        self.runSource = runSource
        self.profile = profile
        self.clock = clock
        self.http = http
    }

    /// How a client authenticates at the token endpoint (OpenID Connect Core section 9).
    public enum ClientAuthentication: String, Sendable, CaseIterable {
        /// The secret in the `Authorization` header.
        case clientSecretBasic = "client_secret_basic"
        /// The secret as a form parameter.
        case clientSecretPost = "client_secret_post"
        /// An assertion signed with the secret.
        case clientSecretJWT = "client_secret_jwt"
        /// A public client, without a secret.
        case none
    }

    /// A `response_type`; each needs a separate sign-in.
    public struct Flow: Sendable, Hashable, ExpressibleByStringLiteral {
        /// The value in requests.
        public let responseType: String

        /// - Parameter value: The response type in requests: `"code id_token"`.
        public init(stringLiteral value: String) {
            responseType = value
        }

        /// The authorization code flow (OpenID Connect Core section 3.1).
        public static let code: Flow = "code"
        /// The implicit flow with only an ID Token (OpenID Connect Core section 3.2).
        public static let idToken: Flow = "id_token"
    }

    /// Sets the client, as registered at the provider.
    ///
    /// - Parameters:
    ///   - id: Its `client_id`.
    ///   - secret: Its secret; `nil` for a public client.
    ///   - redirectURI: A registered redirect URI, which is never fetched.
    ///   - flows: The response types that the client is registered for.
    ///   - scopes: The requested scopes besides `openid`.
    ///   - authentication: The registered method; `nil` for `client_secret_basic`, or `none` without a secret.
    public func client(
        _ id: String,
        secret: Secret? = nil,
        redirectURI: String,
        flows: [Flow] = [.code],
        scopes: [String] = [],
        authentication: ClientAuthentication? = nil
    ) -> Preflight {
        var copy = self
        let method = authentication ?? (secret == nil ? .none : .clientSecretBasic)
        copy.client = Client(
            client: Conformance.Client(
                id: id,
                authentication: Conformance.ClientAuthentication(rawValue: method.rawValue) ?? .none,
                hasSecret: secret != nil
            ),
            secret: secret,
            redirectURI: redirectURI,
            flows: flows.map { ResponseType($0.responseType) },
            scopes: ["openid"] + scopes.filter { $0 != "openid" }
        )
        return copy
    }

    /// Sets the test user, who signs in on the provider's pages and consents.
    ///
    /// A wrong password is submitted only once in a run.
    ///
    /// - Parameters:
    ///   - name: The user name for the sign-in page.
    ///   - password: The password for the sign-in page.
    public func signingIn(as name: String, password: Secret) -> Preflight {
        var copy = self
        copy.user = (name, password)
        return copy
    }

    /// Selects checks.
    ///
    /// - Parameters:
    ///   - only: Identifiers of checks, stages (`"discovery"`) or patterns (`"keys.*"`); empty for all.
    ///   - skip: Likewise, the checks to skip.
    public func judging(only: [String] = [], skip: [String] = []) -> Preflight {
        var copy = self
        copy.only = only
        copy.skipped = skip
        return copy
    }

    /// Requires a completed sign-in for an open gate, so that a test does not pass with the documents alone.
    ///
    /// This is the default if a test user is set.
    public func requiringSignIn() -> Preflight {
        var copy = self
        copy.required = .full
        return copy
    }

    /// Sends the requests, signs in, and evaluates the responses.
    ///
    /// An unreachable provider is a finding, not an error. If the task is cancelled, the run ends and the partial evidence is evaluated;
    /// the gate of such a report is never open.
    ///
    /// - Throws: An error if an argument is invalid; no request was sent.
    public func report() async throws(Mistake) -> Report {
        let runs: PreparedRuns
        do { runs = try prepared() } catch { throw Mistake(error) }
        let run = runs.targets[0]
        return Report(RedactableReport(run, await run.collect { _ in }, now: clock.now()))
    }

    private func prepared() throws(ConfigurationError) -> PreparedRuns {
        let configuration = try configuration()
        var options = RunOptions()
        options.profiles = profile.map { [$0.rawValue] }
        options.required = required ?? (configuration.highestTier == .full ? .full : nil)
        options.selection = try Self.selection(only, skipped)
        options.clock = clock.runClock
        let runs = try PreparedRuns([(configuration, options)], environment)
        let platforms = runs.targets[0].runs.map(\.plan.profile.name)
        guard platforms.count == 1 else {
            let names = platforms.joined(separator: ", ")
            throw ConfigurationError(file: "profile:", "the configuration has \(names): select one of them")
        }
        return runs
    }

    private func configuration() throws(ConfigurationError) -> Configuration {
        var configuration = try begun()
        if let client = client?.client, client.authentication != .none, !client.hasSecret {
            let method = client.authentication.rawValue
            throw ConfigurationError(file: "client(_:)", "authentication with \(method) requires a secret: add secret:")
        }
        if let client {
            configuration.target.client = client.client
            configuration.target.redirectURI = client.redirectURI
            configuration.target.flows = client.flows
            configuration.target.scopes = client.scopes
            configuration.takeSecret(client.secret?.wrapped, of: client.client.id)
        }
        if user != nil, configuration.target.client == nil {
            throw ConfigurationError(file: "signingIn(as:password:)", "a sign-in requires a client: add .client(…)")
        }
        if let user { configuration.signIn(as: user.name, password: user.password.wrapped) }
        try http.configure(&configuration)
        return configuration
    }

    static func selection(_ only: [String], _ skipped: [String]) throws(ConfigurationError) -> Selection {
        for text in only + skipped where !PreflightRun.checks.contains(where: { CheckPattern(text).matches($0.id) }) {
            let hint = NearestWord.hint(for: text, among: PreflightRun.checks.map(\.id.rawValue))
            throw ConfigurationError(file: "judging(only:skip:)", "no check matches \(text.quoted)\(hint)")
        }
        return Selection(only: only.map { CheckPattern($0) }, skip: skipped.map { CheckPattern($0) })
    }
}

/// Invalid arguments of a run, thrown before any request.
public struct Mistake: Error, Sendable, CustomStringConvertible {
    /// All problems, each in a sentence with its place and fix.
    public let problems: [String]

    init(_ error: ConfigurationError) {
        problems = error.problems.map(\.description)
    }

    /// The problems, one per line.
    public var description: String { problems.joined(separator: "\n") }
}
