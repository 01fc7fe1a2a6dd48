import JSONTree

/// The result of one scenario.
package struct ScenarioRun: Sendable, Codable {
    package var scenario: ScenarioID
    package var title: String
    package var clientID: String
    package var responseType: ResponseType
    /// The results of its steps, in the scenario's order.
    package var steps: [StepRun]
    /// The pages of its sign-ins, for users.
    package var visits: [PageVisit] = []
    /// The pages of the ordinary sign-in, if it failed or if they were requested; `nil` otherwise, and in the evidence of
    /// earlier versions.
    package var met: [VisitedPage]?
    /// The result of registering a client of its own; `nil` for a scenario with a configured client, or if no registration was
    /// requested.
    package var registration: RegistrationRun?

    /// How many times the provider fetched each document that was served for the scenario; `nil` when none was.
    package var fetches: [ClientDocument: Int]?

    /// A run without any results.
    package init(
        scenario: Scenario,
        clientID: String,
        responseType: ResponseType,
        outcome: Observation<StepRun.Outcome>
    ) {
        self.scenario = scenario.id
        self.title = scenario.title
        self.clientID = clientID
        self.responseType = responseType
        self.steps = scenario.steps.map { step in
            StepRun(step.id, title: scenario.words(for: step.id), step.isPause ? .paused : outcome)
        }
    }

    package subscript(id: StepID) -> StepRun? {
        get { steps.firstIndex { $0.id == id }.map { steps[$0] } }
        set {
            guard let newValue, let index = steps.firstIndex(where: { $0.id == id }) else { return }
            steps[index] = newValue
        }
    }

    /// A parameter of the authorization request that the scenario began with, as sent.
    package func sentParameter(_ name: String) -> String? { self[.authorization]?.sentParameter(name) }

    /// The response to the authorization request that the scenario began with.
    package var authorization: Observation<AuthorizationAnswer> {
        get { authorization(.authorization) }
        set { self[.authorization]?.authorization = newValue }
    }

    /// The answer of the token endpoint to its code.
    package var token: Observation<EndpointAnswer> {
        get { answer(.token) }
        set { self[.token]?.answer = newValue }
    }

    package var userInfo: Observation<EndpointAnswer> {
        get { answer(.userInfo) }
        set { self[.userInfo]?.answer = newValue }
    }

    /// The response to the authorization request of a step.
    package func authorization(_ id: StepID) -> Observation<AuthorizationAnswer> {
        self[id]?.authorization ?? .notAttempted("this scenario has no such authorization request")
    }

    /// The response to the call of a step.
    package func answer(_ id: StepID) -> Observation<EndpointAnswer> {
        self[id]?.answer ?? .notAttempted("this scenario sends no request to that endpoint")
    }
}

/// The result of one step.
package struct StepRun: Sendable, Hashable, Codable, Identifiable {
    /// The result of a request.
    package enum Outcome: Sendable, Hashable, Codable {
        /// Where the browser went: to a client, or to a page.
        case authorization(AuthorizationAnswer)
        case answer(EndpointAnswer)
    }

    package var id: StepID
    /// The action, in words that identify it among the steps of the run.
    package var title: String
    /// The parameters of an authorization request or a logout request as sent, secrets left out.
    package var sent: [Field] = []
    package var outcome: Observation<Outcome>
    /// Whether a page requested credentials and got them.
    package var filledCredentials = false
    /// The scenario whose authorization request this is, if the two share a code; `nil` for one of its own.
    package var lentBy: ScenarioID?

    init(_ id: StepID, title: String, _ outcome: Observation<Outcome>) {
        self.id = id
        self.title = title
        self.outcome = outcome
    }

    /// The answer of the authorization endpoint, or of the end-session endpoint.
    package var authorization: Observation<AuthorizationAnswer> {
        get {
            outcome.flatMap { outcome in
                guard case .authorization(let answer) = outcome else {
                    return .notAttempted("this step sends a request to another endpoint")
                }
                return .observed(answer)
            }
        }
        set { outcome = newValue.map { .authorization($0) } }
    }

    /// The answer of an endpoint that a client calls by itself.
    package var answer: Observation<EndpointAnswer> {
        get {
            outcome.flatMap { outcome in
                guard case .answer(let answer) = outcome else {
                    return .notAttempted("this step sends a request to the authorization endpoint")
                }
                return .observed(answer)
            }
        }
        set { outcome = newValue.map { .answer($0) } }
    }

    /// The exchange whose answer counts; `nil` where a token was given without one.
    package var exchange: Int? {
        switch outcome.value {
        case .authorization(let answer)?: answer.exchange
        case .answer(let answer)?: answer.exchange == EndpointAnswer.noExchange ? nil : answer.exchange
        case nil: nil
        }
    }

    /// The ID Token in the response.
    package var idToken: TokenFacts? {
        switch outcome.value {
        case .authorization(let answer)?: answer.idToken
        case .answer(let answer)?: answer.idToken
        case nil: nil
        }
    }

    /// A parameter as sent.
    package func sentParameter(_ name: String) -> String? { sent.first { $0.name == name }?.value }
}

extension Observation<StepRun.Outcome> {
    /// That of a step in which nothing is sent.
    package static let paused = Observation.notAttempted("nothing is sent in this step")
}

/// The end of the authorization request: at the client's redirect URI, at another address, or on a page.
package struct AuthorizationAnswer: Sendable, Hashable, Codable {
    package enum Ending: Sendable, Hashable, Codable {
        case redirected(RedirectAnswer)
        case page(PageSummary)
    }

    package var ending: Ending
    /// The exchange whose answer it was.
    package var exchange: Int
    /// The ID Token of the authorization response.
    package var idToken: TokenFacts?

    package init(ending: Ending, exchange: Int, idToken: TokenFacts? = nil) {
        self.ending = ending
        self.exchange = exchange
        self.idToken = idToken
    }

    package var redirect: RedirectAnswer? {
        guard case .redirected(let answer) = ending else { return nil }
        return answer
    }

    package var page: PageSummary? {
        guard case .page(let page) = ending else { return nil }
        return page
    }
}

/// A redirect to a client, taken apart.
package struct RedirectAnswer: Sendable, Hashable, Codable {
    /// The address without query and fragment.
    package var address: String
    /// True when it went to the redirect URI of the request.
    package var isRedirectURI: Bool
    package var query: [ResponseParameter]
    package var fragment: [ResponseParameter]
    /// The form that took the response to the client in place of a redirect.
    package var form: PostedResponse?
    /// Whether the query that the redirect URI has of its own came back; `nil` when it has none.
    package var keepsQuery: Bool?

    package init(
        address: String,
        isRedirectURI: Bool,
        query: [ResponseParameter],
        fragment: [ResponseParameter],
        form: PostedResponse? = nil
    ) {
        self.address = address
        self.isRedirectURI = isRedirectURI
        self.query = query
        self.fragment = fragment
        self.form = form
    }

    /// Every parameter, wherever it stands, the query's first.
    package var parameters: [ResponseParameter] { query + fragment + (form?.parameters ?? []) }

    /// All values of a parameter, the query's first.
    package func values(_ name: String) -> [String] {
        parameters.filter { $0.name == name }.map(\.value)
    }

    package func has(_ name: String) -> Bool {
        parameters.contains { $0.name == name }
    }

    package var error: String? { values("error").first }
}

/// A form that takes the response to the client (OAuth 2.0 Form Post Response Mode section 2).
package struct PostedResponse: Sendable, Hashable, Codable {
    /// The target of the form, resolved against the page.
    package var action: String
    package var method: String
    /// The media type of what a browser would send.
    package var encoding: String
    /// Whether the page has a script that can send the form without the user.
    package var sendsItself: Bool
    /// The directive of the page's policy that keeps its script from sending the form; `nil` for none, and without a script.
    package var blocking: String?
    package var parameters: [ResponseParameter]

    package init(
        action: String,
        method: String,
        encoding: String,
        sendsItself: Bool,
        blocking: String? = nil,
        parameters: [ResponseParameter]
    ) {
        self.action = action
        self.method = method
        self.encoding = encoding
        self.sendsItself = sendsItself
        self.blocking = blocking
        self.parameters = parameters
    }
}

/// A parameter of an authorization response; the value of a secret one is its length only.
package struct ResponseParameter: Sendable, Hashable, Codable {
    package var name: String
    /// The value, or a placeholder when `length` is set.
    package var value: String
    /// The number of characters of a secret value.
    package var length: Int?
    /// The entropy of a secret value, in bits; see ``SecretFacts/variety``.
    package var variety: Int?
    /// Whether a secret value has a space; `nil` for no, and in the evidence of earlier versions.
    package var hasSpace: Bool?

    package init(name: String, value: String, length: Int? = nil, variety: Int? = nil, hasSpace: Bool? = nil) {
        self.name = name
        self.value = value
        self.length = length
        self.variety = variety
        self.hasSpace = hasSpace
    }
}

/// A page for users, without its contents.
package struct PageSummary: Sendable, Hashable, Codable {
    package var address: String
    package var status: Int
    package var title: String?
    /// Form by form, the names of its fields.
    package var forms: [FormSummary]
    /// The beginning of the visible text.
    package var text: String
    /// Why the run could not continue; `nil` when it did not have to.
    package var stopped: String?
    /// Whether the user name or password was rejected there; `nil` for no.
    package var refusesCredentials: Bool?
    /// What the user may do to get past it; `nil` if the page alone does not show it.
    package var nextStep: String?
    /// Whether a one-time code is missing there, or was rejected; `nil` for no, and in the evidence of earlier versions.
    package var isAboutCode: Bool?
    /// True for the request that a user opened in their own browser: the run saw no page of it; `nil` for no.
    package var isByHand: Bool?
    /// Whether an element or an attribute has the name ``Scenario/markupName`` of a request's parameter; `nil` for no.
    package var hasMarkup: Bool?
    /// The error of a request that was rejected when it was pushed, so that no page was seen (RFC 9126 section 2.3); `nil` for
    /// every page.
    package var pushError: String?

    package init(
        address: String,
        status: Int,
        title: String?,
        forms: [FormSummary],
        text: String,
        stopped: String? = nil
    ) {
        self.address = address
        self.status = status
        self.title = title
        self.forms = forms
        self.text = text
        self.stopped = stopped
    }
}

extension PageSummary {
    /// Whether the page says that the request was rejected: a sign-in page may have status 401 (RFC 9110 section 15.5.2).
    package var isError: Bool {
        pushError != nil || status >= 400 && !(status == 401 && requestsSignIn) || isRejection
    }

    /// How a report names the page.
    package var phrase: String {
        if pushError != nil { return "the rejection of the pushed request, HTTP status \(status) and \(text.quoted)" }
        return "a page with HTTP status \(status)" + (title.map { ", titled \($0.quoted)" } ?? "")
    }

    /// Whether a form requests credentials: a field that is named like a password, a user or an address.
    package var requestsSignIn: Bool {
        let hints = ["pass", "pwd", "user", "login", "email", "mail", "account"]
        return forms.flatMap(\.fields)
            .contains { field in
                let name = field.lowercased()
                return hints.contains { name.contains($0) }
            }
    }
}

package struct FormSummary: Sendable, Hashable, Codable {
    package var action: String
    package var method: String
    package var fields: [String]

    package init(action: String, method: String, fields: [String]) {
        self.action = action
        self.method = method
        self.fields = fields
    }
}

/// The answer of an endpoint that a client calls by itself; its exchange contains status, headers and the redacted body.
package struct EndpointAnswer: Sendable, Hashable, Codable {
    /// In the place of an exchange, for a token that was given: nothing was asked, and no finding can point there.
    package static let noExchange = -1

    package var exchange: Int
    /// The exchange of the request that was redirected to it; `nil` for none.
    package var redirectedFrom: Int?
    /// The body with secret values replaced by placeholders of the same JSON type.
    package var body: Body
    package var accessToken: SecretFacts?
    package var refreshToken: SecretFacts?
    package var idToken: TokenFacts?
    /// The body itself as a JWT, when it is one: signed or encrypted UserInfo.
    package var jwt: TokenFacts?

    package init(
        exchange: Int,
        body: Body,
        accessToken: SecretFacts? = nil,
        refreshToken: SecretFacts? = nil,
        idToken: TokenFacts? = nil
    ) {
        self.exchange = exchange
        self.body = body
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.idToken = idToken
    }
}

/// Facts about a secret value that may be kept.
package struct SecretFacts: Sendable, Hashable, Codable {
    /// Characters.
    package var length: Int
    /// Every character is in the range %x20-7E (RFC 6749 appendix A.12).
    package var isVisibleASCII: Bool
    /// Its characters are those of a Bearer token (RFC 6750 section 2.1); `nil` where an earlier version did not look.
    package var isB64Token: Bool?
    /// Whether it equals the value that the scenario got before; `nil` when it is the first of its kind.
    package var isRepeated: Bool?
    /// The Shannon entropy of its characters, in bits for the whole value: a random value comes near its number of bits, a
    /// counter does not.
    package var variety: Int?

    package init(
        length: Int,
        isVisibleASCII: Bool,
        isB64Token: Bool? = nil,
        isRepeated: Bool? = nil,
        variety: Int? = nil
    ) {
        self.length = length
        self.isVisibleASCII = isVisibleASCII
        self.isB64Token = isB64Token
        self.isRepeated = isRepeated
        self.variety = variety
    }
}

/// An ID Token reduced to the data that checks need; without its signature it is useless.
package struct TokenFacts: Sendable, Hashable, Codable {
    /// The number of parts between dots: 3 when signed, 5 when encrypted.
    package var partCount: Int
    /// The base64url error of a part; `nil` for each valid part.
    package var partFaults: [String?]
    /// The decoded header, if it could be decoded.
    package var header: Body?
    /// The decoded claims, if they could be decoded.
    package var claims: Body?
    /// Every published key that could have signed it, tried.
    package var trials: [SignatureTrial]
    /// The expected `at_hash` for the access token issued with it; `nil` without one.
    package var expectedAccessTokenHash: String?
    /// The expected `c_hash` for the code issued with it; `nil` without one.
    package var expectedCodeHash: String?
    /// Whether the signature is in ASN.1 DER and verifies in the form that RFC 7518 section 3.4 wants; `nil` for no, and in the evidence of
    /// earlier versions.
    package var isSignedInDER: Bool?
    /// When it arrived, by this machine's clock, seconds since 1970.
    package var receivedAt: Double
    /// Its encryption; `nil` for a token that was not encrypted, or to a client that registered no key.
    ///
    /// When it could be decrypted, all else is about the token inside.
    package var encryption: EncryptionFacts?
    /// Whether it is encrypted (RFC 7516 section 4.1.2 requires `enc`): for a key that the client registered.
    package var isJWE: Bool { partCount == 5 && header?.json?["enc"] != nil }

    package init(
        partCount: Int,
        partFaults: [String?],
        header: Body?,
        claims: Body?,
        trials: [SignatureTrial],
        expectedAccessTokenHash: String? = nil,
        expectedCodeHash: String? = nil,
        receivedAt: Double
    ) {
        self.partCount = partCount
        self.partFaults = partFaults
        self.header = header
        self.claims = claims
        self.trials = trials
        self.expectedAccessTokenHash = expectedAccessTokenHash
        self.expectedCodeHash = expectedCodeHash
        self.receivedAt = receivedAt
    }
}

/// One attempt to verify a signature.
package struct SignatureTrial: Sendable, Hashable, Codable {
    package enum Key: Sendable, Hashable, Codable {
        /// The place of the key in the published set.
        case published(Int)
        /// The place of the key in the set as it was later in the run, which the first set lacks.
        case publishedLater(Int)
        /// The client secret, for HS256 and its like (Core section 10.1).
        case clientSecret
    }

    package var key: Key
    package var isVerified: Bool
    /// Why not.
    package var reason: String?

    package init(key: Key, isVerified: Bool, reason: String? = nil) {
        self.key = key
        self.isVerified = isVerified
        self.reason = reason
    }
}
