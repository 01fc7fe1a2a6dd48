package import Conformance
import JSONTree

/// A document read from a file, before it is deployed.
package struct DocumentFile: Sendable {
    /// How a report names it, most often its path.
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    fileprivate var document: Document { Document(origin: .file(name), body: Body(bytes)) }
}

/// The evidence for documents from files; nothing is sent.
///
/// - Parameters:
///   - discovery: The discovery document.
///   - keys: The key set.
///   - issuer: The issuer that the documents are for; `nil` uses the one that the document states.
///   - tool: Name and version of the tool.
///   - now: Seconds since 1970.
package func lintEvidence(
    discovery: DocumentFile?,
    keys: DocumentFile?,
    issuer: String?,
    tool: String,
    now: Double
) -> Evidence {
    let stated = discovery.flatMap { try? JSONDocument.parse($0.bytes).root["issuer"]?.stringValue }
    var evidence = Evidence(
        tool: tool,
        startedAt: now,
        target: Target(issuer: issuer ?? stated ?? ""),
        tier: .static,
        because: "documents from files are checked without sending requests"
    )
    evidence.discovery = discovery.map { .observed($0.document) } ?? .notAttempted("no discovery document was given")
    evidence.keys = keys.map { .observed($0.document) } ?? .notAttempted("no key set was given")
    return evidence
}

/// An ID Token that the user provides, with the known values of the request and response it belongs to.
package struct OfflineToken: Sendable {
    package var idToken: Secret
    package var issuer: String
    package var clientID: String
    package var clientSecret: Secret?
    package var nonce: String?
    package var accessToken: Secret?
    package var code: Secret?

    package init(
        idToken: Secret,
        issuer: String,
        clientID: String,
        clientSecret: Secret? = nil,
        nonce: String? = nil,
        accessToken: Secret? = nil,
        code: Secret? = nil
    ) {
        self.idToken = idToken
        self.issuer = issuer
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.nonce = nonce
        self.accessToken = accessToken
        self.code = code
    }
}

/// The evidence for a given token; nothing is sent.
///
/// - Parameters:
///   - token: The ID Token and its circumstances.
///   - keys: The key set that it is to be verified with.
///   - tool: Name and version of the tool.
///   - now: The time at which the token is evaluated, seconds since 1970.
package func tokenEvidence(
    _ token: OfflineToken,
    keys: DocumentFile?,
    tool: String,
    now: Double
) -> Evidence {
    let reason = "a given token is checked without sending requests"
    var target = Target(issuer: token.issuer)
    target.client = Client(
        id: token.clientID,
        authentication: token.clientSecret == nil ? .none : .clientSecretBasic,
        hasSecret: token.clientSecret != nil
    )
    var evidence = Evidence(tool: tool, startedAt: now, target: target, tier: .full, because: reason)
    evidence.discovery = .notAttempted("no discovery document was given")
    evidence.keys = keys.map { .observed($0.document) } ?? .notAttempted("no key set was given")

    let scenario = Scenario(
        id: StepResults.offlineInput,
        title: "the given token",
        tier: .full,
        steps: [.authorize(AuthorizationRequest(session: .none)), .redeem()]
    )
    var run = ScenarioRun(
        scenario: scenario,
        clientID: token.clientID,
        responseType: "id_token",
        outcome: .notAttempted(reason)
    )
    run[.authorization]?.sent = [Field("client_id", token.clientID)] + (token.nonce.map { [Field("nonce", $0)] } ?? [])
    let answer = EndpointAnswer(
        exchange: EndpointAnswer.noExchange,
        body: .omitted("no token response was seen"),
        accessToken: token.accessToken.map { SecretFacts($0) }
    )
    run[.token]?.outcome = .observed(.answer(answer))
    let pending = CollectedRun.PendingToken(
        step: .token,
        compact: token.idToken,
        accessToken: token.accessToken,
        code: token.code,
        clientSecret: token.clientSecret,
        receivedAt: now
    )
    var redactor = Redactor(keepsTokens: false)
    for (name, secret) in [("access_token", token.accessToken), ("code", token.code)] {
        if let secret { redactor.learn(name, secret.reveal(), .token) }
    }
    let trials = TokenTrials(keySet: keys?.bytes, redactor: redactor)
    evidence.runs = [CollectedRun(run: run, pending: [pending]).finished(with: trials)]
    return evidence
}
