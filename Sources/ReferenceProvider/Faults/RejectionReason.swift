/// Why the provider rejects a request.
///
/// A fault recognises a rejection by its case; the text is only for readers of the error description.
package enum RejectionReason: Sendable, Hashable, ExpressibleByStringInterpolation {
    case repeatedParameter(String)
    case missingGrantType
    case malformedBasic
    case twoAuthentications
    case missingVerifier, malformedVerifier, wrongVerifier
    /// The code_challenge itself was sent as code_verifier.
    case challengeAsVerifier
    case verifierWithoutChallenge
    case unknownTransform
    case unregisteredRedirectURI
    /// Another redirect URI than in the authorization request.
    case otherRedirectURI
    case otherClient
    case codeWasUsed
    case tokenWasReplaced
    case unknownGrant
    case malformedClaims
    case malformedMaxAge
    case tokensInQuery
    case unsignedAssertion, wrongAssertionSignature, wrongAssertionAudience, expiredAssertion, reusedAssertion
    /// A rejection that no fault overrides.
    case other(String)

    package init(stringLiteral value: String) { self = .other(value) }

    var isOfVerifier: Bool {
        let all: [RejectionReason] = [
            .missingVerifier, .malformedVerifier, .wrongVerifier, .challengeAsVerifier, .verifierWithoutChallenge,
        ]
        return all.contains(self)
    }

    var text: String {
        switch self {
        case .repeatedParameter(let name): "\(name) occurs more than once"
        case .missingGrantType: "grant_type is missing"
        case .malformedBasic: "the Authorization field is not as Basic has it"
        case .twoAuthentications: "the client authenticates in two ways"
        case .missingVerifier: "code_verifier is missing"
        case .malformedVerifier: "code_verifier is malformed"
        case .wrongVerifier: "code_verifier does not belong to the code_challenge"
        case .challengeAsVerifier: "code_verifier is the code_challenge"
        case .verifierWithoutChallenge: "there was no code_challenge"
        case .unknownTransform: "transform algorithm not supported"
        case .unregisteredRedirectURI: "redirect_uri is not registered"
        case .otherRedirectURI: "redirect_uri is not that of the authorization request"
        case .otherClient: "it belongs to another client"
        case .codeWasUsed: "it was used before"
        case .tokenWasReplaced: "it was replaced by another"
        case .unknownGrant: "it was never issued, or was revoked"
        case .malformedClaims: "claims is not a JSON object"
        case .malformedMaxAge: "max_age is no number"
        case .tokensInQuery: "tokens are not returned in a query"
        case .unsignedAssertion: "the assertion is not signed"
        case .wrongAssertionSignature: "the assertion's signature does not match"
        case .wrongAssertionAudience: "the assertion's aud is another server"
        case .expiredAssertion: "the assertion has expired"
        case .reusedAssertion: "the assertion was used before"
        case .other(let text): text
        }
    }
}
