package import Conformance

/// The values that one sign-in of the run proved.
package struct ProvenFlow: Sendable, Hashable {
    package var responseType: ResponseType
    package var clientID: String
    /// The requested scopes without the refused ones, in the order of the request.
    package var scopes: [String]
    /// The scopes that the token response left out (RFC 6749 section 5.1).
    package var refusedScopes: [String]
    /// The claims of the ID Token, in its order; empty without an ID Token.
    package var idTokenClaims: [ProvenClaim]
    /// The claims of the UserInfo response, in its order.
    package var userInfoClaims: [ProvenClaim]
    /// The `alg` of the ID Token whose signature was verified with a published key or the client secret.
    package var algorithm: String?
    /// Whether the request contained a PKCE challenge (RFC 7636).
    package var sentPKCE: Bool
    /// The method of the UserInfo request, `GET` or `POST`.
    package var userInfoMethod: String?

    package init(
        responseType: ResponseType,
        clientID: String,
        scopes: [String],
        refusedScopes: [String] = [],
        idTokenClaims: [ProvenClaim] = [],
        userInfoClaims: [ProvenClaim] = [],
        algorithm: String? = nil,
        sentPKCE: Bool = false,
        userInfoMethod: String? = nil
    ) {
        self.responseType = responseType
        self.clientID = clientID
        self.scopes = scopes
        self.refusedScopes = refusedScopes
        self.idTokenClaims = idTokenClaims
        self.userInfoClaims = userInfoClaims
        self.algorithm = algorithm
        self.sentPKCE = sentPKCE
        self.userInfoMethod = userInfoMethod
    }

    /// Whether the ID Token contained the claim with a value of such a kind.
    func idTokenContains(_ name: String, _ kinds: ProvenClaim.Kind...) -> Bool {
        idTokenClaims.contains { $0.name == name && kinds.contains($0.kind) }
    }

    /// Whether ID Token or UserInfo contained the claim with a value of such a kind.
    func contains(_ name: String, _ kinds: ProvenClaim.Kind...) -> Bool {
        (idTokenClaims + userInfoClaims).contains { $0.name == name && kinds.contains($0.kind) }
    }
}

/// A claim without its value, which is personal data of the test user.
package struct ProvenClaim: Sendable, Hashable {
    package enum Kind: String, Sendable {
        case text, number, flag, texts, other
    }

    package var name: String
    package var kind: Kind

    package init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// The facts that the evidence proves, flow by flow.
package struct ProvenFacts: Sendable, Hashable {
    /// The completed flows, in the order of the configuration.
    package var flows: [ProvenFlow]
    /// Why the other flows failed.
    package var failures: [Failure]
    /// The results of sign-ins with OAuth 1.0a; `nil` if the run had none.
    package var oauth1: OAuth1Proof?
    /// Whether a host of the provider was trusted only through a configured certificate authority.
    package var usedPrivateAuthority: Bool
    /// The addresses of the discovery document, by their members.
    package var endpoints: [String: String]

    package init(
        flows: [ProvenFlow],
        failures: [Failure] = [],
        oauth1: OAuth1Proof? = nil,
        endpoints: [String: String] = [:],
        usedPrivateAuthority: Bool = false
    ) {
        self.flows = flows
        self.failures = failures
        self.oauth1 = oauth1
        self.endpoints = endpoints
        self.usedPrivateAuthority = usedPrivateAuthority
    }

    package struct Failure: Sendable, Hashable {
        var responseType: ResponseType
        package var reason: String

        package init(responseType: ResponseType, reason: String) {
            self.responseType = responseType
            self.reason = reason
        }
    }

    /// The first of the wanted response types with a completed flow.
    func flow(of wanted: [ResponseType]) -> ProvenFlow? {
        for type in wanted {
            if let flow = flows.first(where: { $0.responseType == type }) { return flow }
        }
        return nil
    }
}

/// The results of sign-ins with OAuth 1.0a (RFC 5849 section 2).
package struct OAuth1Proof: Sendable, Hashable {
    /// How many ended with token credentials.
    package var signIns: Int
    /// Why the first of the others failed; `nil` if there is none.
    package var failure: String?

    package init(signIns: Int, failure: String? = nil) {
        self.signIns = signIns
        self.failure = failure
    }
}
