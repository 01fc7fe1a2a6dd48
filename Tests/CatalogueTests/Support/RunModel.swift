import Conformance
import JSONTree

/// The evidence of a run against a provider without faults, to which a test applies one change.
///
/// All values are hand-written, without flows, a provider or JOSE.
struct RunModel: Sendable {
    static let issuer = "https://op.example.com"
    static let clientID = "client-1"
    static let redirectURI = "https://project.firebaseapp.com/__/auth/handler"
    static let nonce = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    static let now: Int64 = 1_800_000_000

    var discovery: JSONObject
    var keySet: Observation<JSONObject>
    var target: Target
    var parameters: ProfileParameters
    var modelledRun: [ModelledRun]
    var tier = Tier.full

    /// One scenario and its responses.
    struct ModelledRun: Sendable {
        var scenario: Scenario
        var clientID = RunModel.clientID
        var type: ResponseType
        var sent: [Field]
        var ending: AuthorizationAnswer.Ending?
        var front: Token?
        var token: Reply?
        var back: Token?
        var userInfo: Reply?
        var filled: [String] = []
        /// The form that a browser blocks and the cookies that it rejects on the sign-in page.
        var blockedForm: PageVisit.BlockedForm?
        var refusedCookies: [PageVisit.RefusedCookie]?
        /// The status of the response to the password form; `nil` if none was submitted.
        var signInStatus: Int?
        var accessToken: SecretFacts? = SecretFacts(length: 40, isVisibleASCII: true, isB64Token: true)
        var refreshToken: SecretFacts? = SecretFacts(length: 40, isVisibleASCII: true, isB64Token: true)

        var query: [ResponseParameter] {
            get { redirect?.query ?? [] }
            set { redirect?.query = newValue }
        }

        var fragment: [ResponseParameter] {
            get { redirect?.fragment ?? [] }
            set { redirect?.fragment = newValue }
        }

        var redirect: RedirectAnswer? {
            get {
                guard case .redirected(let answer)? = ending else { return nil }
                return answer
            }
            set { ending = newValue.map { .redirected($0) } }
        }

        /// Sets a response parameter in the part of the URL that contains the response; `nil` removes it.
        mutating func set(_ name: String, _ value: String?) {
            let inQuery = query.contains { $0.name == name } || (fragment.isEmpty && !query.isEmpty)
            query.removeAll { $0.name == name }
            fragment.removeAll { $0.name == name }
            guard let value else { return }
            let parameter = ResponseParameter(name: name, value: value)
            if inQuery { query.append(parameter) } else { fragment.append(parameter) }
        }
    }

    /// An ID Token as a run records it.
    struct Token: Sendable {
        var header: JSONObject
        var claims: JSONObject
        var partCount = 3
        var partFaults: [String?] = [nil, nil, nil]
        var trials = [SignatureTrial(key: .published(0), isVerified: true)]
        var accessTokenHash: String?
        var codeHash: String?
        /// Replaces the serialized header.
        var headerText: String?
        var claimsText: String?

        var facts: TokenFacts {
            TokenFacts(
                partCount: partCount,
                partFaults: partFaults,
                header: .text(headerText ?? header.serialized()),
                claims: .text(claimsText ?? claims.serialized()),
                trials: trials,
                expectedAccessTokenHash: accessTokenHash,
                expectedCodeHash: codeHash,
                receivedAt: Double(RunModel.now)
            )
        }
    }

    /// An HTTP answer with a JSON body.
    struct Reply: Sendable {
        var status: Int
        var headers: [Field]
        var json: JSONObject
        /// Instead of the object.
        var body: Body?
        /// The body as a JWT.
        var jwt: Token?
        /// Whether the request was redirected first.
        var isRedirected = false

        init(status: Int = 200, headers: [Field] = [], json: JSONObject) {
            self.status = status
            self.headers = [Field("Content-Type", "application/json; charset=utf-8")] + headers
            self.json = json
        }

        mutating func setHeader(_ name: String, _ value: String?) {
            headers.removeAll { $0.name == name }
            if let value { headers.append(Field(name, value)) }
        }

        var text: Body { body ?? .text(json.serialized()) }
    }

    /// The scenario with this identifier; a test that names an unknown one fails, because nothing changes.
    subscript(id: ScenarioID) -> ModelledRun? {
        get { modelledRun.first { $0.scenario.id == id } }
        set {
            guard let index = modelledRun.firstIndex(where: { $0.scenario.id == id }) else { return }
            if let newValue { modelledRun[index] = newValue } else { modelledRun.remove(at: index) }
        }
    }

    mutating func eachFlow(_ change: (inout ModelledRun) -> Void) {
        for index in modelledRun.indices where modelledRun[index].scenario.id.rawValue.hasPrefix("flow.") {
            change(&modelledRun[index])
        }
    }

    mutating func eachToken(_ change: (inout Token) -> Void) {
        eachFlow { modelledRun in
            modelledRun.front = modelledRun.front.map { Self.changed($0, change) }
            modelledRun.back = modelledRun.back.map { Self.changed($0, change) }
        }
    }

    mutating func eachClaims(_ change: (inout JSONObject) -> Void) {
        eachToken { change(&$0.claims) }
    }

    mutating func eachUserInfo(_ change: (inout Reply) -> Void) {
        eachFlow { modelledRun in modelledRun.userInfo = modelledRun.userInfo.map { Self.changed($0, change) } }
    }

    mutating func eachTokenReply(_ change: (inout Reply) -> Void) {
        eachFlow { modelledRun in modelledRun.token = modelledRun.token.map { Self.changed($0, change) } }
    }

    /// The error responses of the token endpoint.
    mutating func eachTokenError(_ change: (inout Reply) -> Void) {
        for index in modelledRun.indices where modelledRun[index].scenario.id.rawValue.hasPrefix("probe.token.") {
            modelledRun[index].token = modelledRun[index].token.map { Self.changed($0, change) }
        }
    }

    private static func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
        var value = value
        change(&value)
        return value
    }
}
