package import Conformance

/// The signature of an ID Token, tried with every published key that fits its algorithm.
package enum IDTokenSignatureChecks {
    package static let verifies = Check(
        "idtoken.signature.verifies",
        "The ID Token's signature verifies with a published key",
        .must,
        .signIn,
        Citation(.core, "3.1.3.7", "The Client MUST use the keys provided by the Issuer."),
        why: "Every client rejects a token whose signature does not verify.",
        reads: IDTokenQueries.rawWithKeys,
        supersededBy: [
            "idtoken.form.has-three-parts", "idtoken.form.is-strict-base64url", "idtoken.header.is-a-json-object",
            "idtoken.alg.is-not-none", "idtoken.header.has-no-crit", "idtoken.kid.is-published",
        ],
        exempt: { token, facts in
            // The signed token is inside, and this run has no key to decrypt it.
            if token.isEncrypted { return "the token is encrypted" }
            return token.alg == "none" && facts.mayBeUnsigned(token.asked, token.place)
                ? "the client is registered for unsigned ID Tokens (none)" : nil
        },
        finding: { token, _ in
            let trials = token.facts.trials
            guard !trials.contains(where: \.isVerified) else { return nil }
            let alg = (token.alg ?? "none").shown()
            if token.facts.isSignedInDER == true {
                return Finding(
                    "The signature is encoded in ASN.1 DER; it verifies only after R and S are extracted.",
                    at: "signature",
                    expected: "R and S concatenated (RFC 7518 section 3.4), 64 bytes for ES256",
                    found: "ASN.1 DER",
                    fix: "Encode the signature as R followed by S, each padded to the same length, without ASN.1."
                )
            }
            return Finding(
                trials.isEmpty
                    ? "No published key can verify a signature with \(alg)."
                    : trials.count == 1
                        ? "The signature does not verify with the only key that fits."
                        : "The signature verifies with none of the \(trials.count) keys that fit.",
                at: "signature",
                expected: "a signature by a key in the key set",
                found: trials.first?.reason?.shown() ?? "alg \(alg)",
                fix: "Publish the signing key at jwks_uri, and sign with the key that the header names."
            )
        }
    )

    package static let all: [Check] = [verifies]
}
