import Conformance
import JOSE

/// What the steps of a conversation brought, for the steps that come after; never kept.
struct Holdings: Sendable {
    private var values: [ParameterValue.Held: Secret] = [:]
    /// Why there is no code: what became of the authorization request.
    var whyNoCode: String?

    subscript(held: ParameterValue.Held) -> Secret? { values[held] }

    mutating func hold(_ secret: Secret?, as held: ParameterValue.Held) {
        // A provider may return what it had issued before: that is no earlier one then.
        guard let secret, !secret.isEmpty, secret != values[held] else { return }
        switch held {
        case .accessToken: values[.earlierAccessToken] = values[.accessToken]
        case .refreshToken: values[.earlierRefreshToken] = values[.refreshToken]
        case .idToken: values[.forgedIDToken] = Self.forged(secret)
        default: break
        }
        values[held] = secret
    }

    /// Takes what an authorization request used and its answer brought; codes and verifiers of earlier ones are gone.
    mutating func hold(_ parameters: AuthorizationParameters, _ secrets: RequestSecrets, _ arrival: ArrivedRedirect?) {
        values[.code] = nil
        // The challenge of a pushed request went with the push.
        if !parameters.isPushed {
            values[.codeVerifier] = nil
            values[.codeChallenge] = nil
        }
        hold(parameters["redirect_uri"].map { Secret($0) }, as: .redirectURI)
        if parameters.hasChallenge {
            hold(Secret(secrets.verifier), as: .codeVerifier)
            hold(Secret(secrets.challenge), as: .codeChallenge)
        }
        hold(arrival?.code, as: .code)
        hold(arrival?.accessToken, as: .accessToken)
        hold(arrival?.idToken, as: .idToken)
    }

    /// The text of a parameter's value; `nil` when no step brought it.
    func text(_ value: ParameterValue) -> String? {
        switch value {
        case .text(let text): text
        case .held(let held): values[held]?.reveal()
        case .extended(let held, let suffix): values[held].map { $0.reveal() + suffix }
        case .redirectURI, .firstListed: nil
        }
    }

    mutating func hold(_ tokens: TokenResponseSecrets) {
        hold(tokens.accessToken, as: .accessToken)
        hold(tokens.refreshToken, as: .refreshToken)
        hold(tokens.idToken, as: .idToken)
        hold(tokens.requestURI, as: .requestURI)
    }

    /// Why a step that needs a value cannot be made.
    func whyMissing(_ held: ParameterValue.Held) -> Conversation.Reason {
        switch held {
        case .refreshToken: .notAttempted("the provider issued no refresh token")
        case .earlierRefreshToken: .notAttempted("no refresh token was replaced by another")
        case .requestURI: .absent("no pushed request brought a request URI")
        case .code: .absent(whyNoCode ?? "no code was returned")
        case .accessToken, .earlierAccessToken: .absent("no access token was returned")
        case .idToken, .forgedIDToken: .absent("no ID Token was returned")
        default: .absent("no earlier step brought the \(held.rawValue)")
        }
    }

    /// The token with the first character of its signature replaced: it decodes as before and verifies no more.
    private static func forged(_ token: Secret) -> Secret? {
        var parts = token.reveal().split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let first = parts[2].first else { return nil }
        parts[2] = (first == "A" ? "B" : "A") + parts[2].dropFirst()
        return Secret(parts.joined(separator: "."))
    }
}

extension ParameterChange {
    /// What it takes from earlier steps.
    var held: ParameterValue.Held? {
        switch self {
        case .set(_, let value), .add(_, let value): value.source
        case .remove, .reverse, .reverseWords, .addWord, .removeWord: nil
        }
    }

    /// The value that it sets or adds.
    var value: ParameterValue? {
        switch self {
        case .set(_, let value), .add(_, let value): value
        case .remove, .reverse, .reverseWords, .addWord, .removeWord: nil
        }
    }
}
