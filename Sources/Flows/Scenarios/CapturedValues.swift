import Conformance
import JOSE

/// Values that the steps of a scenario returned, for later steps; they are never recorded.
struct CapturedValues: Sendable {
    private var values: [ParameterValue.Captured: Secret] = [:]
    /// The code of the latest authorization request, even if it was redeemed, and its verifier.
    private var latest: (code: Secret, verifier: Secret?)?
    /// Why there is no code: the outcome of the latest authorization request.
    private var whyNoCode: ScenarioRunner.Reason?
    /// Why there is no access token: the outcome of the request that should have returned it.
    private var whyNoToken: ScenarioRunner.Reason?
    /// Whether the provider rejected the latest request with `offline_access`: then no later step lacks a value that it should have.
    private(set) var isOfflineAccessRejected = false
    /// The client's keys for what is encrypted to it.
    var decryptionKeys: [PrivateKey] = []
    /// The access tokens that are not bound to a key, although the client may be registered for DPoP: the authorization endpoint
    /// cannot bind a token (RFC 9449 section 5).
    private var bearerTokens: [Secret] = []
    /// Whether the provider returned an ID Token that no key decrypts.
    private var hasUnreadIDToken = false

    subscript(name: ParameterValue.Captured) -> Secret? { values[name] }

    mutating func capture(_ secret: Secret?, as captured: ParameterValue.Captured) {
        var secret = secret
        if captured == .idToken, let token = secret, token.reveal().compactPartCount == 5 {
            secret = signed(token)
            hasUnreadIDToken = secret == nil
        }
        // A provider may return what it had issued before: that is no earlier one then.
        guard let secret, !secret.isEmpty, secret != values[captured] else { return }
        switch captured {
        case .accessToken:
            values[.earlierAccessToken] = values[.accessToken]
            values[.alteredAccessToken] = Self.forged(secret) ?? Self.altered(secret)
        case .refreshToken: values[.earlierRefreshToken] = values[.refreshToken]
        case .idToken:
            values[.forgedIDToken] = Self.forged(secret)
            values[.unsignedIDToken] = Self.unsigned(secret)
            if values[.firstIDToken] == nil { values[.firstIDToken] = secret }
        default: break
        }
        values[captured] = secret
    }

    /// Whether it is a token that is not bound to a key.
    func isBearer(_ captured: ParameterValue.Captured) -> Bool { values[captured].map(bearerTokens.contains) ?? false }

    /// Takes what an authorization request uses; verifiers of earlier ones are gone.
    mutating func capture(_ parameters: AuthorizationParameters, _ secrets: RequestSecrets) {
        // The challenge of a pushed request went with the push.
        if !parameters.isPushed {
            values[.codeVerifier] = nil
            values[.codeChallenge] = nil
        }
        capture(parameters["redirect_uri"].map { Secret($0) }, as: .redirectURI)
        if parameters.hasChallenge {
            capture(Secret(secrets.verifier), as: .codeVerifier)
            capture(Secret(secrets.challenge), as: .codeChallenge)
        }
        values[.code] = nil
    }

    /// Takes what arrived at the redirect URI.
    mutating func capture(_ arrival: ArrivedRedirect) {
        if let token = arrival.accessToken { bearerTokens.append(token) }
        capture(arrival.code, as: .code)
        capture(arrival.accessToken, as: .accessToken)
        capture(arrival.idToken, as: .idToken)
    }

    /// Records why an authorization request returned nothing: the codes of earlier ones are gone in any case.
    ///
    /// - Parameter isForOfflineAccess: A provider need not grant it to this client (Core section 11).
    mutating func end(
        authorization outcome: Observation<StepRun.Outcome>,
        _ type: ResponseType,
        isForOfflineAccess: Bool
    ) {
        whyNoCode = nil
        isOfflineAccessRejected = false
        switch outcome {
        case .observed(.authorization(let answer)):
            if answer.redirect?.isRedirectURI != true {
                whyNoCode = .absent("the flow did not end at the redirect URI")
            } else if let error = answer.redirect?.error {
                whyNoCode = .absent("the flow ended with error=\(error.quoted)")
            }
        case .observed(.answer): break
        case .absent(let why): whyNoCode = .absent(why)
        case .notAttempted(let why): whyNoCode = .notAttempted(why)
        }
        if whyNoCode != nil { values[.code] = nil }
        if isForOfflineAccess, case .observed(.authorization(let answer)) = outcome, answer.isRejection,
            let why = whyNoCode
        {
            isOfflineAccessRejected = true
            whyNoCode = .notAttempted("the provider does not grant offline_access to this client: \(why.why.text)")
        }
        values[.earlierCode] = latest?.code
        values[.earlierCodeVerifier] = latest?.verifier
        latest = values[.code].map { ($0, values[.codeVerifier]) }
        whyNoToken = whyNoCode
        if whyNoCode == nil, !type.hasCode { whyNoCode = .notAttempted("the response type \(type) has no code") }
    }

    /// Records why a code was not exchanged for tokens.
    mutating func end(redemption outcome: Observation<StepRun.Outcome>) {
        switch outcome {
        case .observed(.answer(let answer)):
            // A replayed code is rejected after it has been redeemed.
            let refusal = values[.accessToken] == nil ? Outcome.refusal(in: answer.body.json) : nil
            whyNoToken =
                refusal.map { error in
                    let words = answer.words.map { ", with the message \($0.quoted)" } ?? ""
                    return .absent("the token endpoint rejected the code with the error \(error.quoted)" + words)
                }
        case .observed: whyNoToken = nil
        case .absent(let why): whyNoToken = .absent(why)
        case .notAttempted(let why): whyNoToken = .notAttempted(why)
        }
    }

    /// Drops a code whose request got no response: the provider may have redeemed it, so the run does not send it again.
    mutating func endUnanswered() {
        guard values[.code] != nil else { return }
        values[.code] = nil
        whyNoCode = .absent("a token request with the code got no response, and the run does not send a code again")
    }

    /// The text of a parameter's value; `nil` if no step returned it.
    func text(_ value: ParameterValue) -> String? {
        switch value {
        case .text(let text): text
        case .captured(let captured): values[captured]?.reveal()
        case .extended(let captured, let suffix): values[captured].map { $0.reveal() + suffix }
        case .varied(let captured, let variation): values[captured].flatMap { variation.changed($0.reveal()) }
        case .redirectURI, .firstListed, .age: nil
        }
    }

    mutating func capture(_ tokens: TokenResponseSecrets) {
        if let token = tokens.accessToken, !tokens.isBound { bearerTokens.append(token) }
        capture(tokens.accessToken, as: .accessToken)
        capture(tokens.refreshToken, as: .refreshToken)
        capture(tokens.idToken, as: .idToken)
        capture(tokens.requestURI, as: .requestURI)
    }

    /// Why a step cannot run because a value is missing.
    func whyMissing(_ captured: ParameterValue.Captured) -> ScenarioRunner.Reason {
        switch captured {
        case .refreshToken:
            .notAttempted(whyNoToken?.why.text ?? "the provider issued no refresh token")
        case .earlierRefreshToken: .notAttempted("no refresh token was replaced by another")
        case .requestURI: .absent("no pushed authorization request returned a request_uri")
        case .earlierCode, .earlierCodeVerifier:
            .notAttempted("the authorization request before the latest returned no code")
        case .code: whyNoCode ?? .absent("the authorization response has no code")
        case .accessToken, .earlierAccessToken, .alteredAccessToken:
            whyNoToken ?? .absent("no access token was returned")
        case .idToken, .firstIDToken, .forgedIDToken, .unsignedIDToken:
            hasUnreadIDToken
                ? .notAttempted(
                    "the ID Token is encrypted, and "
                        + (decryptionKeys.isEmpty
                            ? "the configuration has no client.decryption_key"
                            : "client.decryption_key does not decrypt it")
                )
                : .absent("no ID Token was returned")
        default: .absent("no earlier step returned the \(captured.rawValue)")
        }
    }

    /// The signed token in an encrypted one, which a client sends as `id_token_hint` (Core section 3.1.2.1); `nil` if no key
    /// decrypts it.
    private func signed(_ token: Secret) -> Secret? {
        decryptionKeys.lazy
            .compactMap { key in try? JWE.parse(compact: token.reveal()).decrypt(with: .private(key)) }
            .first
            .map { Secret(String(decoding: $0, as: UTF8.self)) }
    }

    /// The token with the first character of its signature replaced: it decodes as before and verifies no more.
    private static func forged(_ token: Secret) -> Secret? {
        var parts = token.reveal().compactParts.map(String.init)
        guard parts.count == 3, let first = parts[2].first else { return nil }
        parts[2] = (first == "A" ? "B" : "A") + parts[2].dropFirst()
        return Secret(parts.joined(separator: "."))
    }

    private static func altered(_ token: Secret) -> Secret {
        let text = token.reveal()
        return Secret((text.first == "A" ? "B" : "A") + text.dropFirst())
    }

    /// The token's claims with the header `{"alg":"none"}` and an empty signature (RFC 7519 section 6).
    private static func unsigned(_ token: Secret) -> Secret? {
        let parts = token.reveal().compactParts.map(String.init)
        guard parts.count == 3 else { return nil }
        return Secret(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + ".")
    }
}

extension ParameterChange {
    /// The value that it uses from earlier steps.
    var captured: ParameterValue.Captured? {
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

extension AuthorizationRequest {
    /// Whether its `max_age` has passed when it is made.
    var hasExpiredAge: Bool { changes.contains { if case .age? = $0.value { true } else { false } } }
}

extension AuthorizationAnswer {
    /// Whether the provider rejects the request with an error or an error page that is not temporary.
    fileprivate var isRejection: Bool {
        switch ending {
        case .redirected(let redirect):
            redirect.error.map { !["server_error", "temporarily_unavailable"].contains($0) } ?? false
        case .page(let page): page.isError && page.status < 500 && page.status != 429
        }
    }
}
