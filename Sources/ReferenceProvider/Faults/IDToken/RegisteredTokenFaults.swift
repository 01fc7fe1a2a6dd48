import Conformance
import JOSE
import JSONTree

/// Faults of ID Tokens for clients that registered special metadata.
extension Fault {
    static let registeredTokens: [Fault] = signedTokens + encryptedTokens + subjects

    private static let signedTokens: [Fault] = [
        .special(
            "idtoken.signed-as-registered.has-the-algorithm",
            "the registered signing algorithm is ignored, and RS256 is used"
        ) { hooks in
            hooks.registration.wishes = { $0.idTokenAlgorithm = nil }
        },
        .special(
            "idtoken.signed-as-registered.verifies",
            "tokens with HS256 and ES256 are signed with unpublished keys"
        ) { hooks in
            hooks.registration.signing = .unpublishedKey
        },
        .special(
            "idtoken.signed-as-registered.verifies",
            variant: "other-key",
            "kid of tokens with ES256 names another published key"
        ) { hooks in
            hooks.keySet = { $0.append(.object(KeySample.otherEC), to: "keys") }
            hooks.idTokenHeader = { header, _ in
                if header["alg"] == "ES256" { header["kid"] = KeySample.otherEC["kid"] }
            }
        },
        .provider(
            "idtoken.auth-time.is-present-as-registered",
            "auth_time is missing although require_auth_time was registered"
        ) {
            hooks in
            hooks.registration.idTokenClaims = { claims, _ in claims["auth_time"] = nil }
        },
    ]

    private static let encryptedTokens: [Fault] = [
        .encrypting("idtoken.encrypted.has-five-parts", .idToken, "ID Tokens are not encrypted") {
            $0.isLeftOut = true
        },
        .encrypting(
            "idtoken.encrypted.has-the-algorithms",
            .idToken,
            "the registered content encryption is ignored, and A192GCM is used"
        ) {
            $0.recipient.encryption = .a192GCM
        },
        .encrypting("idtoken.encrypted.decrypts", .idToken, "ID Tokens are encrypted to another key") { draft in
            if let key = try? SigningKeys.unpublished().key(draft.recipient.key.type == .rsa ? .rs256 : .es256) {
                draft.recipient.key = key.publicKey
            }
        },
        .special(
            "idtoken.encrypted.decrypts",
            variant: "front",
            "ID Tokens in the front channel are encrypted to another key"
        ) { hooks in
            hooks.registration.encryption = { draft, what in
                guard what == .frontChannelIDToken, let key = try? SigningKeys.unpublished().key(.rs256) else { return }
                draft.recipient.key = key.publicKey
            }
        },
        .encrypting("idtoken.encrypted.holds-a-signed-token", .idToken, "the encrypted ID Token is not signed") {
            let claims = String(decoding: $0.content, as: UTF8.self).split(separator: ".").dropFirst().first
            $0.content = claims.flatMap { try? Base64URL.decode($0) } ?? $0.content
        },
        .encrypting("idtoken.encrypted.cty-is-jwt", .idToken, "cty is missing") { $0.header["cty"] = nil },
        .encrypting("idtoken.encrypted.kid-names-the-key", .idToken, "kid is missing") {
            $0.recipient.key.attributes.kid = nil
        },
    ]

    private static let subjects: [Fault] = [
        .special("idtoken.pairwise-sub.differs-from-public", "pairwise clients get the public sub") { hooks in
            hooks.registration.pairwiseSubject = { $1 }
        },
        .special("idtoken.pairwise-sub.is-stable", "a pairwise sub changes with every ID Token") { hooks in
            hooks.registration.pairwiseSubject = { _, _ in Base64URL.encode(Hashes.randomBytes(16)) }
        },
    ]

    /// Changes the encrypted responses for clients that registered for encryption.
    static func encrypting(
        _ trips: CheckID,
        _ answer: EncryptedAnswer,
        _ title: String,
        _ edit: @escaping @Sendable (inout EncryptionDraft) -> Void
    ) -> Fault {
        .special(trips, title) { hooks in
            hooks.registration.encryption = { draft, what in
                let isOfBrowser = answer == .idToken && what == .frontChannelIDToken
                if what == answer || isOfBrowser { edit(&draft) }
            }
        }
    }
}
