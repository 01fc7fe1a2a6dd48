/// A part of a provider that a relying party may use or not, beyond the minimum for a sign-in.
///
/// A profile names those that its platform uses. The features of a check derive from the data that it reads: the steps of
/// scenarios, the members of the discovery document, the claims of an ID Token.
package enum Feature: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Sends users to the authorization endpoint.
    case authorization
    /// Redeems a code at the token endpoint (Core section 3.1.3).
    case code
    /// Takes an ID Token from the authorization endpoint (Core sections 3.2 and 3.3).
    case frontChannelIDToken = "id_token"
    /// PKCE (RFC 7636).
    case pkce
    /// Sends `nonce` and compares it (Core section 3.1.2.1).
    case nonce
    /// Asks the UserInfo endpoint (Core section 5.3).
    case userInfo = "userinfo"
    /// Uses refresh tokens (Core section 12).
    case refresh
    /// Sends `prompt` (Core section 3.1.2.1).
    case prompt
    /// Sends `max_age`, or reads `auth_time` (Core section 3.1.2.1).
    case maxAge = "max_age"
    /// Sends `id_token_hint` or `login_hint` (Core section 3.1.2.1).
    case hints
    /// Requests an authentication context, or reads `acr` and `amr` (Core sections 2 and 3.1.2.1).
    case acr
    /// Sends `display`, `ui_locales` or `claims_locales` (Core sections 3.1.2.1 and 5.2).
    case display
    /// Sends the parameter `claims` (Core section 5.5).
    case claimsParameter = "claims"
    /// Sends requests as JWTs, by value or by reference (Core section 6).
    case requestObject = "request_object"
    /// Pushes authorization requests (RFC 9126).
    case pushedRequest = "par"
    /// Has answers sent as a form (OAuth 2.0 Form Post Response Mode section 2).
    case formPost = "form_post"
    /// Names another `response_mode` (OAuth 2.0 Multiple Response Type Encoding Practices section 2.1).
    case responseMode = "response_mode"
    /// Sends authorization requests in the body of a POST (Core section 3.1.2.1).
    case post
    /// Names a resource (RFC 8707).
    case resource
    /// Authenticates with a signed assertion (Core section 9, RFC 7523 section 2.2).
    case clientAssertion = "client_assertion"
    /// Authenticates with a certificate (RFC 8705).
    case mutualTLS = "mtls"
    /// Proves a key of its own with requests for tokens and uses of them (RFC 9449).
    case dpop
    /// Receives what is encrypted to it (Core section 10.2).
    case encryption
    /// Asks with scripts of its pages (Fetch, section 3.2).
    case scripts
    /// Revokes tokens (RFC 7009).
    case revocation
    /// Introspects tokens (RFC 7662).
    case introspection
    /// Ends sessions at the provider, or is notified of their end (the logout specifications).
    case logout
    /// Registers clients by itself (Registration, RFC 7591).
    case registration

    package static func < (left: Feature, right: Feature) -> Bool {
        let order = Self.allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}

extension Feature {
    /// The feature, for users: follows `does not use`.
    package var phrase: String {
        switch self {
        case .authorization: "the authorization endpoint"
        case .code: "the code flow"
        case .frontChannelIDToken: "ID Tokens of the authorization endpoint"
        case .pkce: "PKCE"
        case .nonce: "nonce"
        case .userInfo: "the UserInfo endpoint"
        case .refresh: "refresh tokens"
        case .prompt: "prompt"
        case .maxAge: "max_age or auth_time"
        case .hints: "id_token_hint or login_hint"
        case .acr: "acr_values, acr or amr"
        case .display: "display, ui_locales or claims_locales"
        case .claimsParameter: "the claims parameter"
        case .requestObject: "request objects"
        case .pushedRequest: "pushed authorization requests"
        case .formPost: "form_post"
        case .responseMode: "response_mode"
        case .post: "POST at the authorization endpoint"
        case .resource: "resource indicators"
        case .clientAssertion: "client assertions"
        case .mutualTLS: "mutual TLS"
        case .dpop: "DPoP"
        case .encryption: "encryption of tokens and responses"
        case .scripts: "requests from scripts"
        case .revocation: "the revocation endpoint"
        case .introspection: "the introspection endpoint"
        case .logout: "logout at the provider"
        case .registration: "dynamic client registration"
        }
    }

    /// The feature of an authorization parameter.
    static func ofParameter(_ name: String) -> Feature? {
        switch name {
        case "nonce": .nonce
        case "prompt": .prompt
        case "max_age": .maxAge
        case "id_token_hint", "login_hint": .hints
        case "acr_values": .acr
        case "display", "ui_locales", "claims_locales": .display
        case "claims": .claimsParameter
        case "request", "request_uri": .requestObject
        case "response_mode": .responseMode
        case "resource": .resource
        case "registration": .registration
        case "code_challenge", "code_challenge_method", "code_verifier": .pkce
        default: nil
        }
    }

    /// The feature of a claim of an ID Token.
    package static func ofClaim(_ name: String) -> Feature? {
        switch name {
        case "nonce": .nonce
        case "auth_time": .maxAge
        case "acr", "amr": .acr
        case "azp": .authorization
        default: nil
        }
    }

    /// The feature of a member of the discovery document; a relying party that does not use it does not read it.
    package static func ofMember(_ name: String) -> Feature? {
        if name.contains("_encryption_") { return .encryption }
        for (beginning, feature) in families where name.hasPrefix(beginning) { return feature }
        return members[name]
    }

    private static let families: [(String, Feature)] = [
        ("userinfo_", .userInfo), ("revocation_", .revocation), ("introspection_", .introspection),
        ("frontchannel_logout_", .logout), ("backchannel_logout_", .logout), ("request_object_", .requestObject),
        ("tls_client_", .mutualTLS), ("dpop_", .dpop),
    ]

    private static let members: [String: Feature] = [
        "authorization_endpoint": .authorization, "response_types_supported": .authorization,
        "subject_types_supported": .authorization,
        "scopes_supported": .authorization, "token_endpoint": .code, "token_endpoint_auth_methods_supported": .code,
        "grant_types_supported": .code, "token_endpoint_auth_signing_alg_values_supported": .clientAssertion,
        "authorization_response_iss_parameter_supported": .authorization, "response_modes_supported": .responseMode,
        "code_challenge_methods_supported": .pkce, "registration_endpoint": .registration,
        "end_session_endpoint": .logout, "check_session_iframe": .logout, "acr_values_supported": .acr,
        "display_values_supported": .display, "ui_locales_supported": .display, "claims_locales_supported": .display,
        "claims_parameter_supported": .claimsParameter, "prompt_values_supported": .prompt,
        "request_parameter_supported": .requestObject, "request_uri_parameter_supported": .requestObject,
        "require_request_uri_registration": .requestObject, "mtls_endpoint_aliases": .mutualTLS,
        "require_signed_request_object": .requestObject,
        "pushed_authorization_request_endpoint": .pushedRequest,
        "require_pushed_authorization_requests": .pushedRequest,
    ]

    /// The feature of the endpoint of a call.
    static func ofEndpoint(_ member: String) -> Feature? { member == "token_endpoint" ? .code : ofMember(member) }
}

extension Feature {
    /// The features that all of several have in common.
    package static func shared(_ each: [Set<Feature>]) -> Set<Feature> {
        each.dropFirst().reduce(each.first ?? []) { $0.intersection($1) }
    }
}

extension Stage {
    /// The feature of everything in the stage; `nil` if every relying party with a sign-in is affected.
    var feature: Feature? {
        switch self {
        case .authorization: .authorization
        case .token: .code
        case .userinfo: .userInfo
        case .revocation: .revocation
        case .introspection: .introspection
        case .registration: .registration
        case .logout: .logout
        case .discovery, .keys, .transport, .idtoken, .platform: nil
        }
    }
}

extension AuthorizationRequest {
    /// The features that it uses beyond an ordinary request.
    ///
    /// Requesting offline access is left out, because its tokens have other uses.
    fileprivate var features: Set<Feature> {
        var features = Set((changes + objectChanges).compactMap(\.feature))
        if requestObject != nil { features.insert(.requestObject) }
        if isPushed { features.insert(.pushedRequest) }
        if usesPOST { features.insert(.post) }
        if isOfAScript { features.insert(.scripts) }
        if responseType?.hasIDToken == true { features.insert(.frontChannelIDToken) }
        return features
    }
}

extension ParameterChange {
    /// The feature that is set or added; removing or reordering uses none.
    fileprivate var feature: Feature? {
        switch self {
        case .set("response_mode", "form_post"): .formPost
        case .set(let name, _), .add(let name, _), .addWord(let name, _): Feature.ofParameter(name)
        case .remove, .reverse, .reverseWords, .removeWord: nil
        }
    }
}

extension EndpointCall {
    fileprivate var features: Set<Feature> {
        var features = Set([Feature.ofEndpoint(endpoint)].compactMap(\.self))
        if parameters.contains(where: { $0.name == "grant_type" && $0.value == .text("refresh_token") }) {
            features.insert(.refresh)
        }
        if case .assertion = authentication { features.insert(.clientAssertion) }
        if let pushes { features.formUnion(pushes.features) }
        return features
    }

    /// Whether later steps continue with its results.
    fileprivate var leadsOn: Bool {
        endpoint != "userinfo_endpoint" && endpoint != "introspection_endpoint"
    }
}

extension Step {
    fileprivate var features: Set<Feature> {
        switch request {
        case .authorize(let request): request.features
        case .call(let call): call.features
        case .endSession: [.logout]
        case .deleteClient: [.registration]
        case .wait, .waitLong: []
        }
    }
}

extension Scenario.Condition {
    /// The feature that a client must use for the scenario to make sense.
    fileprivate var feature: Feature? {
        switch self {
        case .codeFlow: .code
        case .frontChannelIDToken: .frontChannelIDToken
        case .endSession: .logout
        case .pkce: .pkce
        case .assertionClient: .clientAssertion
        case .dynamicRegistration, .initialAccessToken, .servedDocuments: .registration
        case .accessToken, .idToken, .otherUser, .otherEmailUnverified, .otherClient, .ordinaryResponseMode,
            .confidentialClient, .noPKCE, .publicClient, .basicClient, .postClient:
            nil
        }
    }
}

extension Scenario {
    /// The features of a step: those that it uses, and those of the steps that led to it.
    package func features(of id: StepID) -> Set<Feature> {
        guard let index = steps.firstIndex(where: { $0.id == id }) else { return givenFeatures }
        let before = steps[..<index]
            .filter { earlier in
                switch earlier.request {
                case .call(let call): call.leadsOn
                case .endSession, .deleteClient: true
                case .authorize: earlier.id == id.completed
                case .wait, .waitLong: false
                }
            }
        return before.reduce(steps[index].features.union(givenFeatures)) { $0.union($1.features) }
    }

    /// The features of each of its steps.
    var features: Set<Feature> {
        let each = steps.filter { !$0.isPause }.map { features(of: $0.id) }
        return each.isEmpty ? givenFeatures : Feature.shared(each)
    }

    /// The features that are known before any request: by its conditions on the target, and by its client.
    private var givenFeatures: Set<Feature> {
        let needed = Set(conditions.compactMap(\.feature))
        return client == .configured ? needed : needed.union([.registration])
    }
}

extension Set<Need> {
    /// The features of all data that is collected for them, whichever of several scenarios ran.
    var features: Set<Feature> {
        let shared = Feature.shared(
            compactMap { need in
                guard case .probe(let id) = need else { return nil }
                return Scenario.named(id)?.features ?? []
            }
        )
        return contains(.scripts) ? shared.union([.scripts]) : shared
    }
}
