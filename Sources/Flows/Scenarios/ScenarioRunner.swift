import Conformance
import JSONTree
import SignIn
import Transport

/// The run of one scenario.
struct ScenarioRunner: Sendable {
    let scenario: Scenario
    /// Its requests, as the plan has them.
    let planned: [PlannedRequest]
    let lane: Recorder.Lane
    let collection: Collection
    let provider: Collection.Provider
    /// The browser of all its authorization requests except those of the second user.
    let browser: SignInSession
    /// That of the second user; `nil` when there is none or nothing needs one.
    let otherBrowser: SignInSession?
    let attempt: Schedule.Attempt
    /// The code that another scenario leaves; `nil` if this one requests its own.
    var lent: CodeChain.Code?
    /// The client that was registered for this scenario only; `nil` for a configured one.
    var own: EphemeralClient?
    /// Where that client's documents are served; `nil` if it has none.
    var folder: ServedFolder?

    var target: Target { collection.plan.target }
    var http: RecordingClient { collection.http }
    var options: CollectorOptions { collection.options }

    /// The reason why a value is missing, before the type of the value is known.
    enum Reason: Sendable {
        case absent(Conformance.Reason)
        case notAttempted(Conformance.Reason)

        @_disfavoredOverload
        static func absent(_ why: String) -> Reason { .absent(Conformance.Reason(why)) }

        @_disfavoredOverload
        static func notAttempted(_ why: String) -> Reason { .notAttempted(Conformance.Reason(why)) }

        var why: Conformance.Reason {
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

    func run() async -> CollectedRun {
        switch scenario.client {
        case .configured:
            var collected = notRun(.notAttempted("this step was not reached"))
            await runSteps(&collected)
            return collected
        case .ephemeral(let metadata): return await run(withOwn: metadata)
        case .described(let document): return await run(describedBy: document)
        }
    }

    /// Why the provider does not offer what is required; `nil` when it does, or when nothing is known of it.
    func whyUnmet(_ requirements: [MetadataRequirement]) -> Reason? {
        guard let metadata = provider.metadata else { return nil }
        guard let unmet = requirements.first(where: { !$0.isMet(by: metadata) }) else {
            // No client can send a request to such an address. Sign-ins fail at platforms that use UserInfo, so its requests in a
            // flow count as failed.
            let unusable = requirements.map(\.member)
                .first { member in
                    member.hasSuffix("_endpoint") && (member != "userinfo_endpoint" || !scenario.id.isFlow)
                        && metadata[member]?.stringValue.map { WebURL($0) == nil } ?? false
                }
            return unusable.map { .notAttempted("\($0) is not a URL that a client can use") }
        }
        let member = unmet.member
        if !metadata.has(member) {
            return .notAttempted(
                provider.isDocument ? "the discovery document has no \(member)" : provider.whyMissing(member)
            )
        }
        return switch unmet {
        case .offers:
            .notAttempted(
                "the discovery document says \(member): \(metadata[member] == false ? "false" : "null")"
            )
        case .lists(_, let value): .notAttempted("\(member) does not list \(value)")
        }
    }

    var responseType: ResponseType { scenario.responseType(in: target) }

    var client: Client? {
        if let own { return own.client }
        if scenario.client != .configured { return nil }
        return target.client(for: scenario.clientType(in: target))
    }

    /// A run without any results.
    func notRun(_ reason: Reason) -> CollectedRun {
        CollectedRun(
            run: ScenarioRun(
                scenario: scenario,
                clientID: client?.id ?? "",
                responseType: responseType,
                outcome: reason.observation()
            )
        )
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

/// The secret values of a JSON response.
struct TokenResponseSecrets: Sendable {
    var accessToken: Secret?
    var refreshToken: Secret?
    var idToken: Secret?
    /// No secret, but good for one request only (RFC 9126 section 2.2).
    var requestURI: Secret?
    /// Whether the access token is bound to the client's key (RFC 9449 section 5).
    var isBound: Bool

    /// Reads the body of a token response: a JSON object, or a form if the provider returns one.
    init(_ response: HTTPResponse) {
        let object = try? JSONDocument.parse(response.body).root.objectValue
        let form = response.isForm ? FormParameters(parsing: response.text) : []
        let secret = { (name: String) in (object?[name]?.stringValue ?? form[name]).map { Secret($0) } }
        accessToken = secret("access_token")
        refreshToken = secret("refresh_token")
        idToken = secret("id_token")
        requestURI = secret("request_uri")
        isBound = (object?["token_type"]?.stringValue ?? form["token_type"])?.lowercased() == "dpop"
    }
}

extension ScenarioRunner {
    /// The client authentication methods of the token endpoint; `client_secret_basic` when the member is missing
    /// (OpenID Connect Discovery section 3).
    static func authenticationMethods(_ metadata: JSONObject) -> [String] {
        guard let member = metadata["token_endpoint_auth_methods_supported"] else { return ["client_secret_basic"] }
        return member.arrayValue?.compactMap(\.stringValue) ?? []
    }
}
