package import Conformance
import JSONTree

/// The algorithm and the key that the header of an ID Token names.
package enum IDTokenHeaderChecks {
    private static let listOfRS256: CheckID = "discovery.id-token-signing-alg-values-supported.include-rs256"

    static let algIsNotNone = Check(
        "idtoken.alg.is-not-none",
        "The ID Token is signed",
        .must,
        .signIn,
        Citation(.core, "2", "ID Tokens MUST NOT use none as the alg value unless"),
        why: "An attacker can forge a token that has no signature.",
        reads: StepResults.idTokens,
        exempt: { token, facts in
            facts.mayBeUnsigned(token.asked, token.place)
                ? "the client is registered for unsigned ID Tokens (none), and the token came over TLS (Core section 2)"
                : nil
        },
        finding: { token, _ in
            guard (token.alg ?? "none").lowercased() == "none" else { return nil }
            return .claim(
                "alg",
                "The header states that the token is not signed.",
                expected: "RS256",
                found: token.header["alg"],
                fix: "Sign ID Tokens with a key in the published key set."
            )
        }
    )

    static let algIsAdvertised = Check(
        "idtoken.alg.is-advertised",
        "The ID Token is signed with an algorithm that discovery lists",
        // Inferred: no sentence calls the list complete, but clients treat it as complete.
        .must,
        .signIn,
        Citation(.discovery, "3", "the JWS signing algorithms (alg values) supported by the OP for the ID Token"),
        why: "Clients accept only the algorithms that the provider lists, and reject this token.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.alg.is-not-none"],
        exempt: { token, facts in
            guard let listed = facts.metadata.value?.strings("id_token_signing_alg_values_supported"), !listed.isEmpty
            else { return "the discovery document lists no algorithms" }
            // Any other algorithm that is not listed is a second fault, in addition to the missing RS256. Where the profile
            // accepts such a list, the token is still rejected.
            return token.alg == "RS256" && !listed.contains("RS256") && !facts.profile.lowers(listOfRS256)
                ? "RS256 is not listed (reported by the check of the list)" : nil
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
                    ? "Select a signing key for this client; without one, the provider signs with the client secret."
                    : "Sign with a listed algorithm, or add \(alg.shown()) to id_token_signing_alg_values_supported."
            )
        }
    )

    static let algIsRegistered = Check(
        "idtoken.alg.is-the-registered",
        "The ID Token is signed with the algorithm that the client registered",
        .must,
        .conformance,
        Citation(
            .registration,
            "2",
            "id_token_signed_response_alg OPTIONAL. JWS alg algorithm REQUIRED for signing the ID Token issued to this Client."
        ),
        why: "A client that registered an algorithm rejects ID Tokens signed with another.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised"],
        exempt: { token, facts in
            facts.target.client(for: token.asked.responseType)?.idTokenSignedResponseAlg == nil
                ? "the configuration has no client.id_token_signed_response_alg" : nil
        },
        finding: { token, facts in
            guard let alg = token.alg,
                let registered = facts.target.client(for: token.asked.responseType)?.idTokenSignedResponseAlg,
                alg != registered
            else { return nil }
            return .claim(
                "alg",
                "The ID Token is signed with \(alg.quoted), but client.id_token_signed_response_alg is \(registered.quoted).",
                expected: registered,
                found: .string(alg),
                fix: "Register id_token_signed_response_alg \(registered) for this client. If it is registered for "
                    + "\(alg.shown()), set client.id_token_signed_response_alg to it in the configuration."
            )
        }
    )

    static let algIsDefault = Check(
        "idtoken.alg.is-the-default",
        "The ID Token is signed with RS256 if the client registered no algorithm",
        .should,
        .signIn,
        Citation(.core, "3.1.3.7", "The alg value SHOULD be the default of RS256"),
        why: "Clients that registered no algorithm expect RS256, and many reject every other algorithm.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.alg.is-not-none", "idtoken.alg.is-advertised"],
        exempt: { token, facts in
            facts.target.client(for: token.asked.responseType)?.idTokenSignedResponseAlg == nil
                ? nil : "the client registered an algorithm"
        },
        finding: { token, facts in
            guard let alg = token.alg, alg != "RS256" else { return nil }
            return .claim(
                "alg",
                "The ID Token is signed with \(alg.quoted).",
                expected: "RS256, unless the client registered another algorithm",
                found: .string(alg),
                fix: "Register id_token_signed_response_alg RS256 for this client. If it is registered for "
                    + "\(alg.shown()), set client.id_token_signed_response_alg in the configuration."
            )
        }
    )

    static let kidIsPresent = Check(
        "idtoken.kid.is-present",
        "The ID Token's header names the signing key if the key set contains several",
        .must,
        .signIn,
        Citation(.core, "10.1", "a kid value MUST be provided in the JOSE Header"),
        why: "Clients do not know which key to use and reject the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: ["idtoken.kid.is-a-string", "idtoken.kid.is-not-null"],
        exempt: { token, facts in
            if token.isSymmetric { return "the token is signed with the client secret" }
            return facts.keySet.value?.keys.count ?? 0 > 1 ? nil : "the key set contains at most one key"
        },
        finding: { token, _ in
            guard token.kid == nil else { return nil }
            return .claim(
                "kid",
                "The header has no kid although the key set contains several keys.",
                expected: "the kid of the signing key",
                found: token.header["kid"],
                fix: "Set kid in the header to the kid of the signing key."
            )
        }
    )

    static let kidIsPublished = Check(
        "idtoken.kid.is-published",
        "The key set contains the key that the ID Token's header names",
        .must,
        .signIn,
        Citation(
            .core,
            "10.1",
            "MUST be associated with a public key used for signature verification published by the sender"
        ),
        why: "Clients do not find the key, cannot verify the signature, and reject the token.",
        reads: IDTokenQueries.withKeys,
        supersededBy: ["keys.list.is-present", "keys.signing-key.is-present"],
        exempt: { token, facts in
            if let why = kidExemption(token) { return why }
            // kid is optional in a key; verifying the signature shows whether it is the signing key.
            return facts.hasKeyWithoutName(for: token) ? "a published key without a kid may be the named key" : nil
        },
        finding: { token, facts in
            guard let kid = token.kid, let set = facts.keySet.value, !facts.isPublished(kid) else { return nil }
            let names = set.keys.compactMap(\.kid)
            return .claim(
                "kid",
                "The header names a key that is not in the key set.",
                expected: names.isEmpty ? "a key with this kid in the key set" : names.joined(separator: ", ").shown(),
                found: .string(kid),
                fix: "Publish the key, with this kid, at jwks_uri before signing with it."
            )
        }
    )

    static let hasNoCrit = Check(
        "idtoken.header.has-no-crit",
        "The ID Token's header has no crit",
        // Inferred: the sentence binds the recipient, which has to reject the sender's header.
        .must,
        .signIn,
        Citation(.rfc7515, "4.1.11", "are not understood and supported by the recipient, then the JWS is invalid"),
        why: "Clients must reject a token with a critical extension that they do not support.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            guard let crit = token.header["crit"], !names(no: crit) else { return nil }
            return .claim(
                "crit",
                "The header has crit, which requires clients to support extensions.",
                expected: "no crit",
                found: crit,
                fix: "Omit crit from the header of ID Tokens."
            )
        }
    )

    static let critNamesExtensions = Check(
        "idtoken.header.crit-is-not-empty",
        "crit in the ID Token's header, if present, is neither empty nor null",
        .must,
        .signIn,
        Citation(.rfc7515, "4.1.11", "Producers MUST NOT use the empty list"),
        why: "A third of the client libraries reject the token; the others read such a member as a missing one.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            guard let crit = token.header["crit"], names(no: crit) else { return nil }
            return .claim(
                "crit",
                "The header has crit, which names no extension.",
                expected: "no crit",
                found: crit,
                fix: "Omit crit from the header of ID Tokens."
            )
        }
    )

    /// Whether the value of crit is null or the empty list.
    private static func names(no crit: JSON) -> Bool { crit.isNull || crit.arrayValue?.isEmpty == true }

    static let isEncoded = Check(
        "idtoken.header.b64-is-not-false",
        "The ID Token's header does not set b64 to false",
        .must,
        .signIn,
        Citation(.rfc7797, "7", "JSON Web Tokens [JWT] MUST NOT use \"b64\" with a \"false\" value"),
        why: "Half of the client libraries compute another signature and reject the token.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            guard token.header["b64"]?.boolValue == false else { return nil }
            return .claim(
                "b64",
                "The header has b64: false.",
                expected: "no b64",
                found: token.header["b64"],
                fix: "Omit b64 from the header of ID Tokens, and sign the base64url-encoded claims."
            )
        }
    )

    static let hasNoKey = Check(
        "idtoken.header.has-no-key",
        "The ID Token's header contains no key and no address of a key",
        .should,
        .conformance,
        Citation(.core, "2", "SHOULD NOT use the JWS or JWE x5u, x5c, jku, or jwk Header Parameter fields"),
        why:
            "A client that trusts a key in the header accepts tokens that an attacker signed; correct clients ignore it.",
        reads: StepResults.idTokens
    ) { token, _ in
        ["jwk", "jku", "x5u", "x5c"].filter { token.header.has($0) && !hasWrongType($0, token.header[$0]) }
            .map { name in
                .claim(
                    name,
                    "The header has \(name).",
                    expected: "no \(name)",
                    found: token.header[name],
                    fix: "Omit \(name), and identify the key only by kid; clients find it at jwks_uri."
                )
            }
    }

    static let keyHasItsType = Check(
        "idtoken.header.key-has-its-json-type",
        "The ID Token's jwk and x5c, if present, are a JSON object and a list of strings",
        // Inferred: the sentence is a definition, and clients that read the member fail at any other value.
        .must,
        .signIn,
        Citation(.rfc7515, "4.1.6", "is represented as a JSON array of certificate value strings"),
        why: "Clients on go-jose, such as Kubernetes and Vault, cannot read the header and reject the token.",
        reads: StepResults.idTokens,
        exempt: { token, _ in
            // go-jose reads null as an absent member.
            ["jwk", "x5c"].allSatisfy { token.header[$0] ?? .null == .null }
                ? "the header has neither jwk nor x5c" : nil
        },
        rule: { token, _ in
            [("jwk", "a JSON object, as in a key set"), ("x5c", "a list of certificates in base64")]
                .compactMap { name, expected in
                    guard let found = token.header[name], hasWrongType(name, found) else { return nil }
                    return .claim(
                        name,
                        "The header's \(name) is \(found.kind.phrase).",
                        expected: expected,
                        found: found,
                        fix: "Omit \(name), and identify the key only by kid; clients find it at jwks_uri."
                    )
                }
        }
    )

    private static func hasWrongType(_ name: String, _ value: JSON?) -> Bool {
        guard let value, value != .null else { return false }
        return switch name {
        case "jwk": value.objectValue == nil
        case "x5c": value.arrayValue?.allSatisfy { $0.stringValue != nil } != true
        default: false
        }
    }

    static let hasNoCty = Check(
        "idtoken.header.has-no-cty",
        "The ID Token's header has no cty",
        .should,
        .conformance,
        Citation(.rfc7519, "5.2", "the use of this Header Parameter is NOT RECOMMENDED"),
        why: "A client that reads cty may expect another token inside the ID Token.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            guard let cty = token.header["cty"] else { return nil }
            return .claim(
                "cty",
                "The header has cty although the ID Token contains claims and no other token.",
                expected: "no cty",
                found: cty,
                fix: "Omit cty from the header of ID Tokens."
            )
        }
    )

    static let thumbprintsAreDigests = Check(
        "idtoken.header.thumbprints-are-digests",
        "The ID Token's x5t and x5t#S256, if present, are digests in base64url",
        // The sentence is a definition without a MUST.
        .risk,
        .conformance,
        Citation(.rfc7515, "4.1.7", "base64url-encoded SHA-1 thumbprint (a.k.a. digest) of the DER encoding"),
        why: "A client that looks up the key by its thumbprint finds none.",
        reads: StepResults.idTokens,
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
                        "The header's \(name) \(problem).",
                        expected: "\(length) bytes in base64url, without padding",
                        found: value,
                        fix: "Omit \(name), or set it to the digest of the certificate in base64url."
                    )
                }
        }
    )

    static let typIsJWT = Check(
        "idtoken.typ.is-jwt",
        "The ID Token's typ, if present, is JWT",
        .risk,
        .signIn,
        Citation(.rfc7519, "5.1", "it is RECOMMENDED that its value be \"JWT\""),
        why: "Clients that distinguish token types reject a token of another type.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.typ.is-a-string"],
        exempt: { token, _ in token.header.has("typ") ? nil : "the header has no typ, which is optional" },
        finding: { token, _ in
            let typ = token.header["typ"]?.stringValue?.lowercased()
            guard typ != "jwt" else { return nil }
            return .claim(
                "typ",
                "The header has a typ that some clients treat as another type of token.",
                expected: "JWT",
                found: token.header["typ"],
                fix: "Set \"typ\": \"JWT\" in the header of ID Tokens, or omit typ."
            )
        }
    )

    static let typIsAString = Check(
        "idtoken.typ.is-a-string",
        "The ID Token's typ, if present, is a string",
        .risk,
        .signIn,
        Citation(.rfc7515, "4.1.9", "is used by JWS applications to declare the media type"),
        why: "A quarter of the client libraries cannot parse the header, and reject the token.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.header.has("typ") ? nil : "the header has no typ, which is optional" },
        finding: { token, _ in
            .unlessString(
                "typ",
                token.header["typ"],
                fix: "Set \"typ\": \"JWT\" in the header of ID Tokens, or omit typ."
            )
        }
    )

    package static let all: [Check] = [
        algIsNotNone, algIsAdvertised, algIsRegistered, algIsDefault, kidIsPresent, kidIsPublished, hasNoCrit,
        critNamesExtensions, isEncoded, hasNoKey, keyHasItsType, hasNoCty, thumbprintsAreDigests, typIsAString,
        typIsJWT,
    ]

    private static func kidExemption(_ token: IDToken) -> String? {
        if token.isSymmetric { return "the token is signed with the client secret" }
        return token.kid == nil ? "the header has no kid" : nil
    }
}
