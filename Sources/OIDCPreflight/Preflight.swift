internal import Conformance
internal import Preflight
internal import Profiles

/// One judgement of an OpenID Provider: what is to be judged, by whose rules, and as whom.
///
/// It is a value that is made step by step and sends nothing before ``report()``:
///
/// ```swift
/// let report = try await Preflight(issuer: "https://idp.example.com", profile: .firebaseOIDC, http: .inMemory(application))
///     .client("web", secret: "…", redirectURI: "https://app.example.com/callback")
///     .signingIn(as: "alice", password: "…")
///     .report()
/// ```
///
/// With an issuer alone its documents are judged, with a client the requests that need no user as well, and with somebody who signs in
/// the whole conversation. What one of these calls gets wrong is thrown by ``report()``, before anything is sent.
///
/// What a configuration file describes is judged likewise: ``init(configuration:target:profile:variables:clock:http:)``.
public struct Preflight: Sendable {
    /// What the judgement begins with.
    enum Beginning: Sendable {
        case issuer(String)
        case file(ConfigurationSource, target: String?, variables: Variables)
    }

    /// What is said of the client here.
    struct Client: Sendable {
        var client: Conformance.Client
        var secret: Secret?
        var redirectURI: String
        var flows: [ResponseType]
        var scopes: [String]
    }

    let beginning: Beginning
    /// `nil` for the configuration's.
    let profile: Profile.Name?
    let clock: Clock
    let http: HTTP
    var client: Client?
    var person: (name: String, password: Secret)?
    var only: [String] = []
    var skipped: [String] = []
    var required: Tier?

    /// Begins a judgement of an issuer.
    ///
    /// - Parameters:
    ///   - issuer: The issuer as it is to be registered, byte for byte: `https://idp.example.com`.
    ///   - profile: Whose rules the provider is judged by.
    ///   - clock: The time that the run goes by.
    ///   - http: How requests reach the provider: over the network, or by a call of an application in this process.
    public init(issuer: String, profile: Profile.Name = .openid, clock: Clock = .system, http: HTTP = .libcurl) {
        self.init(.issuer(issuer), profile, clock, http)
    }

    init(_ beginning: Beginning, _ profile: Profile.Name?, _ clock: Clock, _ http: HTTP) {
        self.beginning = beginning
        self.profile = profile
        self.clock = clock
        self.http = http
    }

    /// How a client says at the token endpoint who it is (OpenID Connect Core section 9).
    public enum ClientAuthentication: String, Sendable, CaseIterable {
        /// The secret in the `Authorization` header.
        case clientSecretBasic = "client_secret_basic"
        /// The secret as a parameter of the form.
        case clientSecretPost = "client_secret_post"
        /// An assertion that is signed with the secret.
        case clientSecretJWT = "client_secret_jwt"
        /// A public client, which has no secret.
        case none
    }

    /// A `response_type`: each is tried with a sign-in of its own.
    public struct Flow: Sendable, Hashable, ExpressibleByStringLiteral {
        /// As it is written in requests.
        public let responseType: String

        /// - Parameter value: The response type as it is written in requests: `"code id_token"`.
        public init(stringLiteral value: String) {
            responseType = value
        }

        /// The authorization code flow (OpenID Connect Core section 3.1).
        public static let code: Flow = "code"
        /// The implicit flow with nothing but an ID Token (OpenID Connect Core section 3.2).
        public static let idToken: Flow = "id_token"
    }

    /// Adds the client that requests are made for, as it is registered at the provider.
    ///
    /// - Parameters:
    ///   - id: Its `client_id`.
    ///   - secret: Its secret; `nil` for a public client.
    ///   - redirectURI: One that is registered; nobody fetches it.
    ///   - flows: The response types that the client is registered for.
    ///   - scopes: What is asked for beside `openid`.
    ///   - authentication: As it is registered; `nil` for `client_secret_basic`, or for `none` where there is no secret.
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

    /// Lets a test user sign in at the provider's own pages, and consent.
    ///
    /// A wrong password is sent once in a run and no second time.
    ///
    /// - Parameters:
    ///   - name: What is written into the page's field for the name.
    ///   - password: What is written into its field for the password.
    public func signingIn(as name: String, password: Secret) -> Preflight {
        var copy = self
        copy.person = (name, password)
        return copy
    }

    /// Judges some checks and leaves out others.
    ///
    /// - Parameters:
    ///   - only: Identifiers of checks, stages (`"discovery"`) or patterns (`"keys.*"`); empty for all.
    ///   - skip: Likewise, what is left out.
    public func judging(only: [String] = [], skip: [String] = []) -> Preflight {
        var copy = self
        copy.only = only
        copy.skipped = skip
        return copy
    }

    /// Leaves the gate undecided where nobody could sign in, so that a test does not pass by the documents alone.
    ///
    /// It is so by itself where somebody is to sign in.
    public func requiringSignIn() -> Preflight {
        var copy = self
        copy.required = .full
        return copy
    }

    /// Sends the requests, signs in, and judges what came.
    ///
    /// A provider that does not answer is a finding and no error. Cancelling the task ends the run: what was collected by then is judged,
    /// and the gate of such a report is never open.
    ///
    /// - Throws: What is wrong with the judgement as it was described; nothing was sent then.
    public func report() async throws(Mistake) -> Report {
        let runs: PreparedRuns
        do { runs = try prepared() } catch { throw Mistake(error) }
        return Report(runs.conclude(await runs.collect(), now: clock.now()))
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
            throw ConfigurationError(file: "profile:", "the configuration names \(names): choose one of them")
        }
        return runs
    }

    private func configuration() throws(ConfigurationError) -> Configuration {
        var configuration = try begun()
        if let client = client?.client, client.authentication != .none, !client.hasSecret {
            let method = client.authentication.rawValue
            throw ConfigurationError(file: "client(_:)", "authentication by \(method) takes a secret: add secret:")
        }
        if let client {
            configuration.target.client = client.client
            configuration.target.redirectURI = client.redirectURI
            configuration.target.flows = client.flows
            configuration.target.scopes = client.scopes
            configuration.takeSecret(client.secret?.kept, of: client.client.id)
        }
        if person != nil, configuration.target.client == nil {
            throw ConfigurationError(file: "signingIn(as:password:)", "somebody signs in to a client: add .client(…)")
        }
        if let person { configuration.signIn(as: person.name, password: person.password.kept) }
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

/// What is wrong with a judgement as it was described: told before anything is sent.
public struct Mistake: Error, Sendable, CustomStringConvertible {
    /// Every mistake, each in a sentence that says where it is and what to write instead.
    public let problems: [String]

    init(_ error: ConfigurationError) {
        problems = error.problems.map(\.description)
    }

    /// The problems, one a line.
    public var description: String { problems.joined(separator: "\n") }
}
