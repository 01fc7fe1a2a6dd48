/// The name of a scenario: `flow.code`, `probe.prompt-none`.
package struct ScenarioID: TextName {
    package let rawValue: String

    package init(_ rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether it is that of an ordinary flow with sign-in.
    package var isFlow: Bool { rawValue.hasPrefix("flow.") }

    /// The scenario of an ordinary flow with sign-in.
    package static func flow(_ type: ResponseType) -> ScenarioID {
        ScenarioID("flow." + type.text.split(separator: " ").joined(separator: "-"))
    }
}

/// A sequence of requests to the provider, described as a value: steps of one client in one browser, each of which may use the
/// results of earlier ones.
///
/// A new scenario is a new value, never a new engine.
package struct Scenario: Sendable, Hashable, Codable, Identifiable {
    package var id: ScenarioID
    /// The requests, in a few words.
    package var title: String
    package var tier: Tier
    package var client = ScenarioClient.configured
    /// The actions, in order; none for a scenario that registers a client and checks the response.
    package var steps: [Step]
    /// The baseline scenario, if it does not follow from the first request.
    var declaredOrdinary: Ordinary?
    /// Conditions on the target for the scenario to make sense; otherwise it is not planned.
    package var conditions: [Condition] = []
    /// The metadata members without which nothing of it is sent.
    package var requires: [MetadataRequirement] = []
    /// The flow that must be configured for the scenario to be planned.
    var flow: ResponseType?
    /// The scope value that must be configured together with others that return claims, for the scenario to be planned.
    var scope: String?

    package init(id: ScenarioID, title: String, tier: Tier, steps: [Step] = []) {
        self.id = id
        self.title = title
        self.tier = tier
        self.steps = steps
    }

    /// The ordinary scenario that an experiment differs from: it runs first.
    package enum Ordinary: Sendable, Hashable, Codable {
        /// None: the result needs no other scenario.
        case alone
        /// The flow of the response type, or below the tier `full` the request without a sign-in.
        case request(ResponseType?)
        /// A bogus code, sent by the method or, without one, as the client is configured to authenticate.
        case bogusCode(ClientAuthentication?)
    }

    var ordinary: Ordinary {
        if let declaredOrdinary { return declaredOrdinary }
        // A client that was registered for this scenario only has its own registration. A scenario that only shows whether a
        // user can sign in waits for a user who can.
        guard client == .configured || onlyAuthorizes else { return .alone }
        if let request = authorizations.first { return .request(request.responseType) }
        return steps.contains { $0.call?.endpoint == "token_endpoint" } ? .bogusCode(nil) : .alone
    }

    package func step(_ id: StepID) -> Step? { steps.firstIndex { $0.id == id }.map { steps[$0] } }

    /// The action of a step, with the scenario that it belongs to.
    package func words(for id: StepID) -> String {
        if let own = step(id)?.title ?? step(id.completed)?.title { return "\(title), then \(own)" }
        return title
    }

    /// Whether the provider is to fetch documents of this machine.
    package var servesDocuments: Bool {
        switch client {
        case .configured: false
        case .ephemeral(let metadata): !metadata.served.isEmpty
        case .described: true
        }
    }

    package var authorizations: [AuthorizationRequest] { steps.compactMap(\.authorizationRequest) }

    /// Whether it sends only authorization requests: it shows only whether a user can sign in.
    var onlyAuthorizes: Bool { !steps.isEmpty && authorizations.count == steps.count }

    /// Whether it runs in a browser in which a user has signed in for another scenario.
    package var sharesBrowser: Bool {
        // Another user has a browser of their own.
        let own = authorizations.filter { $0.user == .first }
        return !own.contains { $0.session == .signIn } && own.contains { $0.session != .none }
    }

    /// Whether it redeems the code of an ordinary request, and does nothing else.
    var redeemsOrdinaryCode: Bool {
        client == .configured && steps.count > 1
            && steps.dropFirst().allSatisfy { $0.call?.endpoint == "token_endpoint" }
            && steps.first?.authorizationRequest == AuthorizationRequest(session: .shared)
    }

    /// Whether its browser is good for scenarios that share one: an ordinary flow has signed in there.
    package var leavesBrowser: Bool { id.isFlow }

    /// A requirement of a scenario on the target.
    package enum Condition: String, Sendable, Codable {
        /// A configured flow has a code.
        case codeFlow
        /// A configured flow returns an ID Token from the authorization endpoint.
        case frontChannelIDToken
        /// A configured flow returns an access token, from either endpoint.
        case accessToken
        /// A post-logout redirect URI is configured.
        case endSession
        /// A configured flow returns an ID Token, from either endpoint.
        case idToken
        /// The configuration names a second user who can sign in.
        case otherUser
        /// The configuration says that the second user's e-mail address is not verified.
        case otherEmailUnverified
        /// The client of the code flow has credentials.
        case confidentialClient
        /// The client of the code flow may send PKCE.
        case pkce
        /// The client of the code flow sends no PKCE.
        case noPKCE
        /// The client of the code flow has none.
        case publicClient
        /// The client of the code flow sends its secret in the Authorization header.
        case basicClient
        /// The client of the code flow sends its secret in the body.
        case postClient
        /// The client of the code flow authenticates with a signed assertion.
        case assertionClient
        /// The custom parameters leave the response mode to the response type.
        case ordinaryResponseMode
        /// The configuration names a second client.
        case otherClient
        /// The configuration allows clients to be registered.
        case dynamicRegistration
        /// The configuration names a token that registering takes.
        case initialAccessToken
        /// The provider can fetch documents from this machine.
        case servedDocuments
    }
}

/// An authorization request, and how far its response is followed.
package struct AuthorizationRequest: Sendable, Hashable, Codable {
    package enum Session: String, Sendable, Codable {
        /// No user: the first page or redirect to the client ends the request.
        case none
        /// A fresh browser, and a user who signs in.
        case signIn
        /// A browser in which the user is signed in, most often by an earlier scenario; the user signs in if the provider
        /// requires it.
        case shared
        /// Like `shared`, and the user is expected to have to sign in again.
        case signInAgain
        /// In the full tier like `shared`, below it like `none`; a provider may ask who is there before it looks at the
        /// request, which no specification forbids. A page that stops the sign-in is a response.
        case signInIfAsked
        /// The browser as earlier requests left it, without filling forms: a page is a response.
        case asItIs
        /// Likewise, but the user consents where asked: a sign-in page is an answer.
        case consentIfAsked
    }

    /// Whether it requests neither a code nor a token.
    var requestsNothing: Bool { changes.contains(.set("response_type", "none")) }

    /// Whether the user may send the password, if the provider requests it.
    var mayRequirePassword: Bool { ![.none, .asItIs, .consentIfAsked].contains(session) }

    package enum User: String, Sendable, Codable {
        /// The user of `sign_in`.
        case first
        /// The user of `sign_in`, in a second browser that no other scenario uses.
        case firstElsewhere
        /// The user of `sign_in.other`, in a second browser that no other scenario uses.
        case other
    }

    /// `nil`: that of the first configured flow, one with a code before others.
    package var responseType: ResponseType?
    package var user = User.first
    package var session: Session
    package var sendsNonce = true
    /// PKCE with S256 (RFC 7636), when the response type has a code.
    package var sendsPKCE = true
    /// Made last, on the finished list of parameters.
    package var changes: [ParameterChange] = []
    /// The parameters are sent in the body of a POST (Core section 3.1.2.1).
    package var usesPOST = false
    /// A refresh token is requested with `offline_access` and `prompt=consent` (Core section 11), if the provider advertises
    /// that scope; many issue one anyway.
    package var asksOfflineAccess = false
    /// All parameters are repeated in a request object, but for `state`, which is extended there (Core section 6.1).
    package var requestObject: RequestObject?
    /// Where the request object is served, for `request_uri` (Core section 6.2); `nil` to send it as `request`.
    package var objectServedAs: ClientDocument?
    /// Changes that apply only to the request object.
    package var objectChanges: [ParameterChange] = []
    /// Only the client and the request URI of a pushed request are sent (RFC 9126 section 4).
    package var isPushed = false
    /// Below the full tier, without a sign-in, `prompt=none` is added: a sign-in page would hide whether the request is
    /// rejected, and the target of the rejection shows it.
    package var isSilentBelowFull = false
    /// The request names the origin of the client's pages, as that of a script there does (Fetch, section 3.2).
    package var isOfAScript = false
    /// The request is not pushed, whatever the provider demands.
    var isPlain = false
    /// The request is what the relying platform of the profile sends: no PKCE where the platform sends none.
    package var isAsThePlatformSends = false

    /// Whether it is sent in a request object, if the client registered an algorithm for them: the platform's own request has none,
    /// and an experiment with objects has its own.
    package var maySignObject: Bool { requestObject == nil && !isPushed && !isAsThePlatformSends }

    /// Whether it is pushed before it is made, where the provider or the platform takes no others (RFC 9126 section 5).
    package var mayBePushed: Bool { !isPushed && !isPlain }

    /// The suffix of the `state` in a request object, compared with that of the query, so that a response shows which was read.
    package static let objectStateSuffix = "-of-the-object"

    package init(responseType: ResponseType? = nil, session: Session) {
        self.responseType = responseType
        self.session = session
    }
}

/// How a request object is protected.
package enum RequestObject: String, Sendable, Hashable, Codable {
    /// `alg` is `none`.
    case unsigned
    /// With the algorithm that the client registered, or HS256 with its secret (Core section 10.1).
    case signed
    /// Likewise, with an unknown key.
    case wronglySigned
    /// RS256 with the key that the scenario's own client registered.
    case signedByKey
    /// Text that is not a JWT.
    case unreadable
}

/// A change to a finished list of parameters.
package enum ParameterChange: Sendable, Hashable, Codable {
    /// Replaces the parameter's value, or adds the parameter.
    case set(String, ParameterValue)
    case remove(String)
    /// Adds the parameter once more, whether or not it is there.
    case add(String, ParameterValue)
    /// Adds a word to the parameter's list of words.
    case addWord(String, String)
    /// Puts the parameters in the opposite order.
    case reverse
    /// Puts the values of a list separated by spaces in the opposite order.
    case reverseWords(String)
    /// Takes a value from a list separated by spaces; an empty list takes the parameter with it.
    case removeWord(String, String)
}

/// The value of a parameter: constant, or from an earlier step.
package enum ParameterValue: Sendable, Hashable, Codable, ExpressibleByStringLiteral {
    case text(String)
    /// A value from an earlier step; a step that needs a missing value is not run.
    case captured(Captured)
    /// The same with something behind it.
    case extended(Captured, by: String)
    /// A URI from the configuration with a change; a step whose URI cannot be changed so is not run.
    case varied(Captured, RedirectURIVariation)
    /// The target's redirect URI with a change; a step whose redirect URI cannot be changed so is not made.
    case redirectURI(RedirectURIVariation)
    /// The first value that a metadata member lists, or the text when it lists none.
    case firstListed(String, otherwise: String)
    /// A `max_age` in seconds, larger if the run pauses between requests, so that the sign-in is still younger at its end.
    case age(Int)

    package init(stringLiteral value: String) {
        self = .text(value)
    }

    /// The value that it uses from earlier steps.
    package var source: Captured? {
        switch self {
        case .text, .redirectURI, .firstListed, .age: nil
        case .captured(let value), .extended(let value, _), .varied(let value, _): value
        }
    }

    /// The values of earlier steps, always the latest of their kind.
    package enum Captured: String, Sendable, Hashable, Codable {
        case code
        /// The code of the authorization request before the latest, and its verifier.
        case earlierCode
        case earlierCodeVerifier
        /// The redirect URI of the latest authorization request.
        case redirectURI
        /// The verifier of the latest authorization request (RFC 7636 section 4.1).
        case codeVerifier
        /// A well-formed verifier that belongs to no challenge.
        case wrongCodeVerifier
        /// The challenge of the latest authorization request.
        case codeChallenge
        case accessToken
        /// The access token before the latest.
        case earlierAccessToken
        /// The latest access token with one character replaced: the first of a JWT's signature, otherwise the first of the token.
        case alteredAccessToken
        case refreshToken
        case earlierRefreshToken
        case idToken
        /// The first one of the scenario.
        case firstIDToken
        /// The latest ID Token with its signature spoilt.
        case forgedIDToken
        /// The claims of the latest ID Token in a token whose `alg` is none.
        case unsignedIDToken
        /// A value of the same form as codes and tokens that was never issued.
        case bogus
        /// The identifier of the client.
        case clientID
        /// The `request_uri` of a pushed authorization request (RFC 9126 section 2.2).
        case requestURI
        /// The client assertion that was sent last.
        case clientAssertion
        /// The configured address to which the client's users return after logout.
        case postLogoutRedirectURI
    }
}

/// A logout request (OpenID Connect RP-Initiated Logout section 2), which a browser carries.
package struct EndSessionRequest: Sendable, Hashable, Codable {
    package var parameters: [EndpointCall.Parameter]
    /// Whether the user says yes if the provider asks.
    package var isConfirmed: Bool

    init(_ parameters: [EndpointCall.Parameter], isConfirmed: Bool = true) {
        self.parameters = parameters
        self.isConfirmed = isConfirmed
    }
}

/// A request to an endpoint that the discovery document names: token, UserInfo, revocation, introspection.
package struct EndpointCall: Sendable, Hashable, Codable {
    /// The metadata member with the address: `token_endpoint`.
    package var endpoint: String
    package var method = "POST"
    /// In the body of a POST, in the query of a GET.
    package var parameters: [Parameter] = []
    package var authentication = Authentication.none
    /// Sent as `Authorization: Bearer` (RFC 6750 section 2.1).
    package var bearer: ParameterValue.Captured?
    /// The `Accept` header.
    package var accept = "application/json"
    /// Names the scheme of the Authorization field in lower case (RFC 9110 section 11.1).
    package var hasLowerCaseScheme = false
    /// Sent twice simultaneously: the response is that of the second, if one of them returned tokens.
    package var isSentTwice = false
    /// A POST without parameters has no body, and no media type of one.
    package var hasNoBody = false
    /// Adds the charset to the media type of a form.
    package var statesCharset = false
    /// Requests every configured scope with `scope`, whatever was granted; not run if there is only one.
    package var widensScope = false
    /// Sends the parameters of this authorization request as well (RFC 9126 section 2.1).
    package var pushes: AuthorizationRequest?
    /// Made last, on the finished list of parameters, those of client authentication included.
    package var changes: [ParameterChange] = []

    package init(_ endpoint: String, method: String = "POST", parameters: [Parameter] = []) {
        self.endpoint = endpoint
        self.method = method
        self.parameters = parameters
    }

    package struct Parameter: Sendable, Hashable, Codable {
        package var name: String
        package var value: ParameterValue

        package init(_ name: String, _ value: ParameterValue) {
            self.name = name
            self.value = value
        }
    }

    /// The client that the request claims to come from.
    package enum Authentication: Sendable, Hashable, Codable {
        /// No client: neither identifier nor credentials.
        case none
        /// The client, in the way it is registered for.
        case asRegistered
        /// The client with its identifier only.
        case identifierOnly
        /// The client by its secret, by this method whether or not it is registered for it.
        case method(ClientAuthentication)
        /// The client by a wrong secret; `nil` for the method that it is registered for.
        case wrongSecret(ClientAuthentication?)
        /// A client that does not exist, by a secret in the header.
        case unknownClient
        /// HTTP Basic with these credentials, which cannot be read.
        case malformedBasic(String)
        /// The secret in the header and in the body at once.
        case basicAndPost
        /// The secret in the header without the form encoding that RFC 6749 section 2.3.1 requires.
        case basicUnencoded
        /// The secret in the header, its first character percent-encoded, which form decoding undoes whatever it is.
        case basicPercentEncoded
        /// Another client than the one that the code was issued to, in the way it is registered for.
        case otherClient
        /// A JWT signed with the client's key or secret (RFC 7523 section 2.2).
        case assertion(Assertion)

        /// Whether its credentials belong to no client.
        package var isOfNoClient: Bool {
            switch self {
            case .unknownClient, .malformedBasic: true
            default: false
            }
        }
    }
}

extension EndpointCall {
    /// The JWT by which a client says who it is: right, or different in one way.
    package enum Assertion: String, Sendable, Hashable, Codable {
        /// For whom the client is configured; else for the token endpoint, as Core section 9 has it.
        case right
        /// For the issuer, as later texts have it.
        case forIssuer
        case forEndpoint
        case forAnother
        case expired
        case byAnotherKey
        /// With a key that is published together with the registered ones at the same moment, if keys are served.
        case byNewKey
        /// Its `alg` is none.
        case unsigned
        /// The one that was sent before.
        case repeated
    }
}

extension EndpointCall {
    /// Redeems the latest code as it should be (Core section 3.1.3.1).
    package static let redeemCode: EndpointCall = {
        var call = EndpointCall(
            "token_endpoint",
            parameters: [
                Parameter("grant_type", "authorization_code"), Parameter("code", .captured(.code)),
                Parameter("redirect_uri", .captured(.redirectURI)),
                Parameter("code_verifier", .captured(.codeVerifier)),
            ]
        )
        call.authentication = .asRegistered
        return call
    }()

    /// Redeems the code of the authorization request before the latest.
    static let redeemEarlierCode = redeemCode.with { call in
        for index in call.parameters.indices {
            switch call.parameters[index].value {
            case .captured(.code): call.parameters[index].value = .captured(.earlierCode)
            case .captured(.codeVerifier): call.parameters[index].value = .captured(.earlierCodeVerifier)
            default: break
            }
        }
    }

    /// Requests the claims with the latest access token in the header (Core section 5.3.1).
    static let userInfo: EndpointCall = {
        var call = EndpointCall("userinfo_endpoint", method: "GET")
        call.bearer = .accessToken
        return call
    }()

    /// The call with something changed.
    package func with(_ change: (inout EndpointCall) -> Void) -> EndpointCall {
        var call = self
        change(&call)
        return call
    }
}
