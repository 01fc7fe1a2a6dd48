package import Conformance

/// What one sign-in of the run has shown to work.
package struct ProvenFlow: Sendable, Hashable {
    package var responseType: ResponseType
    package var clientID: String
    /// The scopes that were asked for and not refused, in the order of the request.
    package var scopes: [String]
    /// The scopes that the token response left out (RFC 6749 section 5.1).
    package var refusedScopes: [String]
    /// The claims of the ID Token, in its order; empty when the flow brought none.
    package var idTokenClaims: [ProvenClaim]
    /// The claims of the UserInfo response, in its order.
    package var userInfoClaims: [ProvenClaim]
    /// The `alg` of the ID Token whose signature a published key or the client secret verified.
    package var algorithm: String?
    /// Whether the request held a PKCE challenge (RFC 7636).
    package var sentPKCE: Bool
    /// `GET` or `POST`: how the UserInfo endpoint was asked.
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

    /// Whether the ID Token held the claim as such a value.
    func idTokenHolds(_ name: String, _ kinds: ProvenClaim.Kind...) -> Bool {
        idTokenClaims.contains { $0.name == name && kinds.contains($0.kind) }
    }

    /// Whether ID Token or UserInfo held the claim as such a value.
    func holds(_ name: String, _ kinds: ProvenClaim.Kind...) -> Bool {
        (idTokenClaims + userInfoClaims).contains { $0.name == name && kinds.contains($0.kind) }
    }
}

/// A claim that was seen, without its value: that is the test user's own.
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

/// All that the evidence proves of a provider, flow by flow.
package struct ProvenFacts: Sendable, Hashable {
    /// The flows that came to their end, in the order of the configuration.
    package var flows: [ProvenFlow]
    /// Why the others did not.
    package var failures: [Failure]
    /// What became of the sign-ins by OAuth 1.0a; `nil` when the run held none.
    package var oauth1: OAuth1Proof?
    /// Whether a host of the provider was trusted for an authority of the run's own only.
    package var usedPrivateAuthority: Bool

    package init(
        flows: [ProvenFlow],
        failures: [Failure] = [],
        oauth1: OAuth1Proof? = nil,
        usedPrivateAuthority: Bool = false
    ) {
        self.flows = flows
        self.failures = failures
        self.oauth1 = oauth1
        self.usedPrivateAuthority = usedPrivateAuthority
    }

    package struct Failure: Sendable, Hashable {
        package var responseType: ResponseType
        package var reason: String

        package init(responseType: ResponseType, reason: String) {
            self.responseType = responseType
            self.reason = reason
        }
    }

    /// The first of the wanted response types whose flow came to its end.
    func flow(of wanted: [ResponseType]) -> ProvenFlow? {
        for type in wanted {
            if let flow = flows.first(where: { $0.responseType == type }) { return flow }
        }
        return nil
    }
}

/// What the sign-ins by OAuth 1.0a have shown (RFC 5849 section 2).
package struct OAuth1Proof: Sendable, Hashable {
    /// How many ended with token credentials.
    package var signIns: Int
    /// Why the first that did not end so did not; `nil` when all did.
    package var failure: String?

    package init(signIns: Int, failure: String? = nil) {
        self.signIns = signIns
        self.failure = failure
    }
}
