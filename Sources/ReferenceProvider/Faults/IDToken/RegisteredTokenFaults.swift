import Conformance
import JOSE
import JSONTree

/// Faults of ID Tokens for clients that registered for something special.
extension Fault {
    static let registeredTokens: [Fault] = signedTokens + encryptedTokens + subjects

    private static let signedTokens: [Fault] = [
        .special("idtoken.signed-as-registered.has-the-algorithm", "every client gets RS256") { seams in
            seams.registration.wishes = { $0.idTokenAlgorithm = nil }
        },
        .special("idtoken.signed-as-registered.verifies", "HS256 and ES256 use keys that nobody knows") { seams in
            seams.registration.signing = .unpublishedKey
        },
        .special(
            "idtoken.signed-as-registered.verifies",
            variant: "other-key",
            "tokens with ES256 name another published key"
        ) { seams in
            seams.keySet = { $0.append(.object(KeySample.otherEC), to: "keys") }
            seams.idTokenHeader = { header, _ in
                if header["alg"] == "ES256" { header["kid"] = KeySample.otherEC["kid"] }
            }
        },
        .provider("idtoken.auth-time.is-present-as-registered", "require_auth_time is registered and forgotten") {
            seams in
            seams.registration.idTokenClaims = { claims, _ in claims["auth_time"] = nil }
        },
    ]

    private static let encryptedTokens: [Fault] = [
        .encrypting("idtoken.encrypted.has-five-parts", .idToken, "ID Tokens are not encrypted") {
            $0.isLeftOut = true
        },
        .encrypting("idtoken.encrypted.has-the-algorithms", .idToken, "content is always encrypted with A192GCM") {
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
            "ID Tokens that the browser carries are encrypted to another key"
        ) { seams in
            seams.registration.encryption = { draft, what in
                guard what == .frontChannelIDToken, let key = try? SigningKeys.unpublished().key(.rs256) else { return }
                draft.recipient.key = key.publicKey
            }
        },
        .encrypting("idtoken.encrypted.holds-a-signed-token", .idToken, "claims are encrypted without a signature") {
            let claims = String(decoding: $0.content, as: UTF8.self).split(separator: ".").dropFirst().first
            $0.content = claims.flatMap { try? Base64URL.decode($0) } ?? $0.content
        },
        .encrypting("idtoken.encrypted.cty-is-jwt", .idToken, "cty is missing") { $0.header["cty"] = nil },
        .encrypting("idtoken.encrypted.kid-names-the-key", .idToken, "kid is missing") {
            $0.recipient.key.attributes.kid = nil
        },
    ]

    private static let subjects: [Fault] = [
        .special("idtoken.pairwise-sub.differs-from-public", "pairwise clients get the public subject") { seams in
            seams.registration.pairwiseSubject = { $1 }
        },
        .special("idtoken.pairwise-sub.is-stable", "pairwise subjects are drawn anew") { seams in
            seams.registration.pairwiseSubject = { _, _ in Base64URL.encode(Hashes.randomOctets(16)) }
        },
    ]

    /// A change to what is encrypted to clients that registered for it.
    static func encrypting(
        _ trips: CheckID,
        _ answer: EncryptedAnswer,
        _ title: String,
        _ edit: @escaping @Sendable (inout EncryptionDraft) -> Void
    ) -> Fault {
        .special(trips, title) { seams in
            seams.registration.encryption = { draft, what in
                let isOfBrowser = answer == .idToken && what == .frontChannelIDToken
                if what == answer || isOfBrowser { edit(&draft) }
            }
        }
    }
}
