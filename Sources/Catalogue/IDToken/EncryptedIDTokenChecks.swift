package import Conformance
import JSONTree

/// ID Tokens for clients that registered for encryption (Core section 2, RFC 7516, RFC 7519 section 11.2).
package enum EncryptedIDTokenChecks {
    private static let tokens = Registrations.asRegistered(
        "ID Tokens of clients registered for encryption",
        "id_token_encrypted_response_alg",
        [.encryptedForRSA, .encryptedForEC, .frontChannelClient]
    ) { run, facts in
        run.scenario == Scenario.frontChannelClient.id
            ? RegisteredTokens.ofTheAuthorizationEndpoint(run) : RegisteredTokens.raw(run, facts)
    }

    private static let notEncrypted = "the ID Token is not encrypted"
    private static let notOpened = "the ID Token could not be decrypted"

    static let isEncrypted = Check(
        "idtoken.encrypted.has-five-parts",
        "The provider encrypts ID Tokens for a client that registered for encryption",
        .must,
        .safety,
        Citation(
            .registration,
            "2",
            "If this is requested, the response will be signed then encrypted, with the result being a Nested JWT"
        ),
        why: "An attacker who intercepts the token can read claims that only the platform should see.",
        reads: tokens,
        finding: { subject, _ in
            guard subject.value.encryption == nil else { return nil }
            return Finding(
                "The client is registered for encrypted ID Tokens but receives one that is not a JWE.",
                expected: "5 parts",
                found: counted(subject.value.partCount, "part"),
                fix: "Encrypt ID Tokens of clients with id_token_encrypted_response_alg, or reject its registration."
            )
        }
    )

    static let hasTheAlgorithms = Check(
        "idtoken.encrypted.has-the-algorithms",
        "The provider encrypts ID Tokens with the algorithms that the client registered",
        .must,
        .conformance,
        Citation(.registration, "2", "JWE alg algorithm REQUIRED for encrypting the ID Token issued to this Client."),
        why: "The client may not support any other algorithm, and should reject it.",
        reads: tokens,
        exempt: { subject, _ in subject.value.encryption == nil ? notEncrypted : nil },
        rule: { subject, _ in RegisteredForm.differences(subject, "id_token", subject.value) }
    )

    static let decrypts = Check(
        "idtoken.encrypted.decrypts",
        "The client's key decrypts encrypted ID Tokens",
        .must,
        .signIn,
        Citation(
            .core,
            "10.2",
            "MUST be a public key used for encryption published by the Recipient in its JWK Set document"
        ),
        why: "Users cannot sign in because the platform cannot decrypt the token.",
        reads: tokens,
        supersededBy: ["idtoken.encrypted.has-the-algorithms"],
        exempt: { subject, _ in subject.value.encryption == nil ? notEncrypted : nil },
        finding: { subject, _ in RegisteredForm.failure(subject.value, "ID Token") }
    )

    static let isNested = Check(
        "idtoken.encrypted.holds-a-signed-token",
        "An encrypted ID Token contains a signed token",
        .must,
        .safety,
        Citation(
            .core,
            "2",
            "If the ID Token is encrypted, it MUST be signed then encrypted, with the result being a Nested JWT"
        ),
        why: "An attacker can encrypt a forged token with the client's public key; only a signature prevents that.",
        reads: tokens,
        exempt: { subject, _ in
            guard let encryption = subject.value.encryption else { return notEncrypted }
            return encryption.failure == nil ? nil : notOpened
        },
        finding: { subject, _ in
            guard !subject.value.isVerified else { return nil }
            return Finding(
                "The encrypted ID Token does not contain a token with a valid signature.",
                expected: "a JWS that verifies with a published key",
                found: subject.value.partCount == 3
                    ? subject.value.trials.first?.reason?.shown() ?? "no key matches"
                    : counted(subject.value.partCount, "part"),
                fix: "Sign the ID Token first, then encrypt the signed token."
            )
        }
    )

    static let ctyIsJWT = Check(
        "idtoken.encrypted.cty-is-jwt",
        "The header of an encrypted ID Token has the cty JWT",
        .must,
        .conformance,
        Citation(
            .rfc7519,
            "5.2",
            "In the case that nested signing or encryption is employed, this Header Parameter MUST be present; in this case, the value MUST be \"JWT\""
        ),
        why: "Libraries that rely on the header parse the inner token as claims and fail.",
        reads: tokens,
        supersededBy: ["idtoken.encrypted.holds-a-signed-token"],
        exempt: { subject, _ in subject.value.encryption == nil ? notEncrypted : nil },
        finding: { subject, _ in
            let cty = TokenFacts.object(subject.value.encryption?.header)?["cty"]
            // Media types are case-insensitive (RFC 2045 section 5.1).
            guard cty?.stringValue?.uppercased() != "JWT" else { return nil }
            return Finding(
                "The header of the encrypted ID Token does not have the cty JWT.",
                at: "cty",
                expected: "JWT",
                found: Finding.shown(cty, beside: "JWT"),
                fix: "Set cty to JWT in the header of the JWE."
            )
        }
    )

    static let namesItsKey = Check(
        "idtoken.encrypted.kid-names-the-key",
        "The header of an encrypted ID Token names the client's key",
        // Core section 10.2 requires it if the client has published several keys; this one has one.
        .may,
        .conformance,
        Citation(.rfc7516, "4.1.6", "this parameter references the public key to which the JWE was encrypted"),
        why: "During key rotation a client has two keys and does not know which one decrypts the token.",
        reads: tokens,
        supersededBy: [decrypts.id],
        exempt: { subject, _ in
            if subject.value.encryption == nil { return notEncrypted }
            return published(subject).isEmpty ? "the client's keys have no kid" : nil
        },
        finding: { subject, _ in
            let kid = TokenFacts.object(subject.value.encryption?.header)?["kid"]
            let known = published(subject)
            if let name = kid?.stringValue, known.contains(name) { return nil }
            return Finding(
                "The header of the encrypted ID Token does not name a key of the client.",
                at: "kid",
                expected: known.joined(separator: ", ").shown(),
                found: Finding.shown(kid, beside: known.first ?? ""),
                fix: "Set kid in the header of the JWE to the kid of the client's key from jwks or jwks_uri."
            )
        }
    )

    /// The `kid` values of the keys that the client registered.
    private static func published(_ subject: RegisteredResponse<TokenFacts>) -> [String] {
        (subject.metadata["jwks"]?["keys"]?.arrayValue ?? []).compactMap { $0["kid"]?.stringValue }
    }

    package static let all: [Check] = [isEncrypted, hasTheAlgorithms, decrypts, isNested, ctyIsJWT, namesItsKey]
}
