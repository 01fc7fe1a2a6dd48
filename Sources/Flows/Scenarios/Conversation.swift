import Conformance
import JSONTree
import SignIn
import Transport

/// One scenario, carried out.
struct Conversation: Sendable {
    let scenario: Scenario
    let lane: Recorder.Lane
    let collection: Collection
    let provider: Collection.Provider
    /// The browser of all its authorization requests but those of the second person.
    let browser: SignInSession
    /// That of the second person; `nil` when there is none or nothing needs one.
    let otherBrowser: SignInSession?
    /// Seconds before every step after the first.
    let pause: Double
    /// The client that was registered for this conversation alone; `nil` for a configured one.
    var own: ThrowAwayClient?

    var target: Target { collection.plan.target }
    var wire: Wire { collection.wire }
    var options: CollectorOptions { collection.options }

    /// The reason why something was not had, before it has a type.
    enum Reason: Sendable {
        case absent(String)
        case notAttempted(String)

        var words: String {
            switch self {
            case .absent(let why), .notAttempted(let why): why
            }
        }

        func observation<Value>() -> Observation<Value> {
            switch self {
            case .absent(let why): .absent(why)
            case .notAttempted(let why): .notAttempted(why)
            }
        }
    }

    func hold() async -> CollectedRun {
        switch scenario.client {
        case .configured: await converse()
        case .thrownAway(let metadata): await hold(withOwn: metadata)
        }
    }

    /// Opening and sequels, with whatever client there is.
    func converse() async -> CollectedRun {
        var collected = await open()
        for sequel in scenario.sequels { await follow(sequel, &collected) }
        return collected
    }

    /// Why nothing of the scenario is sent; `nil` when the provider has what it is about.
    var whyPointless: Reason? {
        whyUnmet(scenario.requires)
    }

    /// Why the provider does not offer what is required; `nil` when it does, or when nothing is known of it.
    func whyUnmet(_ requirements: [MetadataRequirement]) -> Reason? {
        guard let metadata = provider.metadata, let unmet = requirements.first(where: { !$0.isMet(by: metadata) })
        else {
            return nil
        }
        let member = unmet.member
        if !metadata.has(member) {
            return .notAttempted(
                provider.isDocument ? "the discovery document has no \(member)" : provider.whyMissing(member)
            )
        }
        return switch unmet {
        case .offers: .notAttempted("the discovery document says \(member): false")
        case .lists(_, let value): .notAttempted("\(member) does not list \(value)")
        }
    }

    private func open() async -> CollectedRun {
        if let reason = whyPointless { return notHeld(reason) }
        return
            switch scenario.kind
        {
        case .authorization(let request): await authorize(request)
        case .madeUpCode(let method, let secretIsRight):
            await redeemMadeUpCode(method, secretIsRight: secretIsRight)
        case .nothing: notHeld(.notAttempted("this scenario has no authorization request of its own"))
        }
    }

    /// The response type that is asked for: the scenario's, or that of the first configured flow, a code's before others.
    var responseType: ResponseType {
        if let type = scenario.authorizations.first?.responseType { return type }
        return target.flows.first(where: \.hasCode) ?? target.flows.first ?? "code"
    }

    var client: Client? {
        if let own { return own.client }
        if case .thrownAway = scenario.client { return nil }
        if case .madeUpCode = scenario.kind {
            return target.client(for: target.flows.first(where: \.hasCode) ?? "code")
        }
        return target.client(for: responseType)
    }

    /// An empty run of the scenario.
    func begun(because reason: String) -> ScenarioRun {
        ScenarioRun(scenario: scenario, clientID: client?.id ?? "", responseType: responseType, because: reason)
    }

    /// A run that was planned and not held.
    func notHeld(_ reason: Reason) -> CollectedRun {
        var run = begun(because: "")
        run.authorization = reason.observation()
        run.token = reason.observation()
        run.userInfo = reason.observation()
        if case .madeUpCode = scenario.kind {
            run.authorization = .notAttempted("this scenario asks the token endpoint alone")
            run.userInfo = .notAttempted("this scenario asks the token endpoint alone")
        }
        var collected = CollectedRun(run: run)
        collected.holdings.whyNoCode = reason.words
        return collected
    }

    /// A run that was not held because its control broke: nothing of it may be taken for an answer, no step either.
    func notHeld(against cause: Cause) -> CollectedRun {
        var collected = notHeld(.absent(cause.message))
        collected.run.sequels = scenario.sequels.map { sequel in
            var run = SequelRun(sequel, because: cause.message)
            switch sequel.action {
            case .authorize(let request):
                run.authorization = .absent(cause.message)
                if request.redeemsCode { run.answer = .absent(cause.message) }
            case .endSession: run.authorization = .absent(cause.message)
            case .call: run.answer = .absent(cause.message)
            case .wait, .waitLong: break
            }
            return run
        }
        return collected
    }

    /// An endpoint's address, or the reason why there is none.
    func endpoint(_ member: String) -> (address: String?, reason: Reason) {
        switch provider.address(member) {
        case .observed(let address): (address, .notAttempted(""))
        case .absent(let why): (nil, provider.metadata == nil ? .absent(why) : .notAttempted(why))
        case .notAttempted(let why): (nil, .notAttempted(why))
        }
    }

    func clientSecret(of client: Client) -> Secret? {
        if let own { return own.secret }
        return client.hasSecret ? collection.secrets.clientSecrets[client.id] : nil
    }
}

/// The values of a JSON answer that are secrets.
struct TokenResponseSecrets: Sendable {
    var accessToken: Secret?
    var refreshToken: Secret?
    var idToken: Secret?
    /// No secret, but good for one request only (RFC 9126 section 2.2).
    var requestURI: Secret?

    /// Reads the body of a token response: a JSON object, or a form where the provider answers with one.
    init(_ response: HTTPResponse) {
        let object = try? JSONDocument.parse(response.body).root.objectValue
        let form = response.isForm ? FormParameters(parsing: response.text) : []
        let secret = { (name: String) in (object?[name]?.stringValue ?? form[name]).map { Secret($0) } }
        accessToken = secret("access_token")
        refreshToken = secret("refresh_token")
        idToken = secret("id_token")
        requestURI = secret("request_uri")
    }
}

extension Conversation {
    /// The client authentication methods of the token endpoint; `client_secret_basic` when the member is missing
    /// (OpenID Connect Discovery section 3).
    static func authenticationMethods(_ metadata: JSONObject) -> [String] {
        guard let member = metadata["token_endpoint_auth_methods_supported"] else { return ["client_secret_basic"] }
        return member.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
