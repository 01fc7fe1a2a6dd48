package import Conformance
import JSONTree

/// What the header of an ID Token says of algorithm and key.
package enum IDTokenHeaderChecks {
    package static let algIsNotNone = Check(
        "idtoken.alg.is-not-none",
        "The ID Token is signed",
        .must,
        .signIn,
        Citation(.core, "2", "ID Tokens MUST NOT use none as the alg value unless"),
        why: "Anybody can write a token without a signature.",
        reads: Conversations.idTokens,
        exempt: { token, facts in
            facts.mayBeUnsigned(token.asked, token.place)
                ? "the client registered none, and the token came over TLS (Core section 2)" : nil
        },
        finding: { token, _ in
            guard (token.alg ?? "none").lowercased() == "none" else { return nil }
            return .claim(
                "alg",
                "The header says that the token is not signed.",
                expected: "RS256",
                found: token.header["alg"],
                fix: "Sign ID Tokens with a key of the published set."
            )
        }
    )

    package static let algIsAdvertised = Check(
        "idtoken.alg.is-advertised",
        "The signature algorithm is one that discovery lists",
        // Inferred: nothing calls the list complete; but clients take it for that.
        .must,
        .signIn,
        Citation(.discovery, "3", "the JWS signing algorithms (alg values) supported by the OP for the ID Token"),
        why: "Clients accept only the algorithms that the provider lists and refuse this token.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.alg.is-not-none"],
        exempt: { token, facts in
            guard let listed = facts.metadata.value?.strings("id_token_signing_alg_values_supported") else {
                return "there is no list of algorithms to compare with"
            }
            // Any other algorithm that is not listed is a second fault beside the missing RS256.
            return token.alg == "RS256" && !listed.contains("RS256")
                ? "the list lacks RS256, which the check of the list reports" : nil
        },
        finding: { token, facts in
            let listed = facts.metadata.value?.strings("id_token_signing_alg_values_supported") ?? []
            guard let alg = token.alg, !listed.contains(alg) else { return nil }
            return .claim(
                "alg",
                "The ID Token is signed with \(alg.quoted), which the discovery document does not list.",
                expected: listed.joined(separator: ", ").shown(),
                found: .string(alg),
                fix: alg.hasPrefix("HS")
                    ? "Choose a signing key for this client; without one the provider signs with the client secret."
                    : "Sign with a listed algorithm, or add \(alg.shown()) to id_token_signing_alg_values_supported."
            )
        }
    )

    package static let algIsDefault = Check(
        "idtoken.alg.is-the-default",
        "The signature algorithm is the registered one, or RS256, the default",
        .should,
        .signIn,
        Citation(.core, "3.1.3.7", "The alg value SHOULD be the default of RS256"),
        why: "Clients that registered no algorithm expect RS256 and many refuse everything else.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised"],
        finding: { token, facts in
            let registered = facts.target.client(for: token.asked.responseType)?.idTokenSignedResponseAlg ?? "RS256"
            guard let alg = token.alg, alg != registered else { return nil }
            return .claim(
                "alg",
                "The ID Token is signed with \(alg.quoted).",
                expected: registered == "RS256" ? "RS256, unless the client registered another algorithm" : registered,
                found: .string(alg),
                fix:
                    "Register id_token_signed_response_alg \(registered) for this client; if it registered \(alg.shown()), "
                    + "say so: client.id_token_signed_response_alg."
            )
        }
    )

    package static let kidIsPresent = Check(
        "idtoken.kid.is-present",
        "The header names the key when the set holds several",
        .must,
        .signIn,
        Citation(.core, "10.1", "a kid value MUST be provided in the JOSE Header"),
        why: "Clients cannot tell which key to use and refuse the token or try in vain.",
        reads: IDTokenSlots.withKeys,
        excusedBy: ["idtoken.kid.is-a-string", "idtoken.kid.is-not-null"],
        exempt: { token, facts in
            if token.isSymmetric { return "the token is signed with the client secret" }
            return facts.keySet.value?.keys.count ?? 0 > 1 ? nil : "the key set holds no more than one key"
        },
        finding: { token, _ in
            guard token.kid == nil else { return nil }
            return .claim(
                "kid",
                "The header has no kid though the key set holds several keys.",
                expected: "the kid of the signing key",
                found: token.header["kid"],
                fix: "Add the signing key's kid to the header."
            )
        }
    )

    package static let kidIsPublished = Check(
        "idtoken.kid.is-published",
        "The key that the header names is in the key set",
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "MUST be associated with a public key used for signature verification published by the sender"
        ),
        why: "Clients do not find the key and refuse the token; relying platforms cannot verify it.",
        reads: IDTokenSlots.withKeys,
        excusedBy: ["keys.list.is-present", "keys.signing-key.is-present"],
        exempt: { token, facts in
            if let why = kidExemption(token) { return why }
            // A key need not state its kid; whether it is the one that signed, the signature tells.
            return facts.hasKeyWithoutName(for: token) ? "a key without a kid may be the one that is named" : nil
        },
        finding: { token, facts in
            guard let kid = token.kid, let set = facts.keySet.value, !facts.isPublished(kid) else { return nil }
            let names = set.keys.compactMap(\.kid)
            return .claim(
                "kid",
                "The header names a key that the key set does not hold.",
                expected: names.isEmpty ? "a key with this kid in the set" : names.joined(separator: ", ").shown(),
                found: .string(kid),
                fix: "Publish the key at jwks_uri before signing with it."
            )
        }
    )

    package static let hasNoCrit = Check(
        "idtoken.header.has-no-crit",
        "The header demands no extension",
        // Inferred: the sentence binds the recipient, who has to refuse what the sender wrote.
        .must,
        .signIn,
        Citation(.rfc7515, "4.1.11", "are not understood and supported by the recipient, then the JWS is invalid"),
        why: "Clients that do not know the extension, which is all of them, must refuse the token.",
        reads: Conversations.idTokens,
        finding: { token, _ in
            guard let crit = token.header["crit"] else { return nil }
            return .claim(
                "crit",
                "The header has crit, which demands extensions.",
                expected: "no crit",
                found: crit,
                fix: "Leave crit out of ID Tokens."
            )
        }
    )

    package static let isEncoded = Check(
        "idtoken.header.b64-is-not-false",
        "The claims are encoded before they are signed",
        .must,
        .signIn,
        Citation(.rfc7797, "7", "JSON Web Tokens [JWT] MUST NOT use \"b64\" with a \"false\" value"),
        why: "Half of the client libraries compute another signature and refuse the token.",
        reads: Conversations.idTokens,
        finding: { token, _ in
            guard token.header["b64"]?.boolValue == false else { return nil }
            return .claim(
                "b64",
                "The header has b64: false.",
                expected: "no b64",
                found: token.header["b64"],
                fix: "Leave b64 out of ID Tokens, and sign the encoded claims."
            )
        }
    )

    package static let hasNoKey = Check(
        "idtoken.header.has-no-key",
        "The header brings no key of its own",
        .should,
        .conformance,
        Citation(.core, "2", "SHOULD NOT use the JWS or JWE x5u, x5c, jku, or jwk Header Parameter fields"),
        why: "A client that trusts a key from the token accepts tokens of anybody.",
        reads: Conversations.idTokens
    ) { token, _ in
        ["jwk", "jku", "x5u", "x5c"].filter(token.header.has)
            .map { name in
                .claim(
                    name,
                    "The header has \(name).",
                    expected: "no \(name)",
                    found: token.header[name],
                    fix: "Name the key by kid only; clients find it at jwks_uri."
                )
            }
    }

    package static let thumbprintsAreDigests = Check(
        "idtoken.header.thumbprints-are-digests",
        "x5t and x5t#S256, if they are there, are digests in base64url",
        // The sentence is a definition without a MUST.
        .risk,
        .conformance,
        Citation(.rfc7515, "4.1.7", "base64url-encoded SHA-1 thumbprint (a.k.a. digest) of the DER encoding"),
        why: "A client that looks the key up by its thumbprint finds none.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            token.header.has("x5t") || token.header.has("x5t#S256") ? nil : "the header has neither x5t nor x5t#S256"
        },
        rule: { token, _ in
            [("x5t", 20), ("x5t#S256", 32)]
                .compactMap { name, length -> Finding? in
                    guard let value = token.header[name], let problem = Thumbprint.problem(with: value, bytes: length)
                    else { return nil }
                    return .claim(
                        name,
                        "\(name) of the header \(problem).",
                        expected: "\(length) bytes in base64url, without padding",
                        found: value,
                        fix: "Leave \(name) out, or encode the digest of the certificate in base64url."
                    )
                }
        }
    )

    package static let typIsJWT = Check(
        "idtoken.typ.is-jwt",
        "typ, if it is there, says JWT",
        .risk,
        .signIn,
        Citation(.rfc7519, "5.1", "it is RECOMMENDED that its value be \"JWT\""),
        why: "A token marked as another kind is refused by clients that tell kinds apart.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.header.has("typ") ? nil : "the header has no typ, which is optional" },
        finding: { token, _ in
            let typ = token.header["typ"]?.stringValue?.lowercased()
            guard typ != "jwt" else { return nil }
            return .claim(
                "typ",
                "The header has a typ that some clients take for another kind of token.",
                expected: "JWT",
                found: token.header["typ"],
                fix: "Write \"typ\": \"JWT\" in the header of ID Tokens, or no typ."
            )
        }
    )

    package static let all: [Check] = [
        algIsNotNone, algIsAdvertised, algIsDefault, kidIsPresent, kidIsPublished, hasNoCrit,
        isEncoded, hasNoKey, thumbprintsAreDigests, typIsJWT,
    ]

    private static func kidExemption(_ token: IDToken) -> String? {
        if token.isSymmetric { return "the token is signed with the client secret" }
        return token.kid == nil ? "the header has no kid" : nil
    }
}
