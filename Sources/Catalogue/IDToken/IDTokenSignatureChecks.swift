package import Conformance

/// The signature, tried with every published key that could have made it.
package enum IDTokenSignatureChecks {
    package static let verifies = Check(
        "idtoken.signature.verifies",
        "The signature verifies with a published key",
        .must,
        .signIn,
        Citation(.core, "3.1.3.7", "The Client MUST use the keys provided by the Issuer."),
        why: "A token that cannot be verified is refused everywhere.",
        reads: IDTokenSlots.rawWithKeys,
        excusedBy: [
            "idtoken.form.has-three-parts", "idtoken.form.is-strict-base64url",
            "idtoken.header.is-a-json-object", "idtoken.alg.is-not-none", "idtoken.header.has-no-crit",
            "idtoken.kid.is-published",
        ],
        exempt: { token, facts in
            // What is signed is inside, and this run has no key to open it with.
            if token.isEncrypted { return "the token is encrypted" }
            return token.alg == "none" && facts.mayBeUnsigned(token.asked, token.place)
                ? "the client registered none" : nil
        },
        finding: { token, _ in
            let trials = token.facts.trials
            guard !trials.contains(where: \.isVerified) else { return nil }
            let alg = (token.alg ?? "none").shown()
            if token.facts.isSignedInDER == true {
                return Finding(
                    "The signature is in ASN.1 DER, and verifies only when R and S are taken out of it.",
                    at: "signature",
                    expected: "R and S side by side (RFC 7518 section 3.4), 64 bytes for ES256",
                    found: "ASN.1 DER",
                    fix: "Write R and S as two numbers of equal length, one behind the other."
                )
            }
            return Finding(
                trials.isEmpty
                    ? "No published key could have made a signature with \(alg)."
                    : "The signature does not verify with any of the \(trials.count) keys that could have made it.",
                at: "signature",
                expected: "a signature by a key of the set",
                found: trials.first?.reason?.shown() ?? "alg \(alg)",
                fix: "Publish the signing key at jwks_uri, and sign with the key that the header names."
            )
        }
    )

    package static let all: [Check] = [verifies]
}
