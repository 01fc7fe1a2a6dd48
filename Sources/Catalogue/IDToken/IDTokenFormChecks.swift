package import Conformance
import JSONTree

/// The outer form of an ID Token: parts, encoding, JSON.
package enum IDTokenFormChecks {
    static let hasThreeParts = Check(
        "idtoken.form.has-three-parts",
        "The ID Token has three parts separated by dots",
        .must,
        .signIn,
        Citation(.core, "2", "ID Tokens MUST be signed using JWS"),
        why: "Clients cannot parse a token that is not a signed JWT in compact form.",
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in token.isEncrypted ? "the token is encrypted (reported by another check)" : nil },
        finding: { token, _ in
            guard token.facts.partCount != 3 else { return nil }
            return Finding(
                "The ID Token has \(token.facts.partCount) part\(token.facts.partCount == 1 ? "" : "s").",
                expected: "3 parts: header.claims.signature",
                found: counted(token.facts.partCount, "part"),
                fix:
                    "Return id_token as a signed JWT in compact form: header, claims and signature in base64url, joined by dots."
            )
        }
    )

    static let isNotEncrypted = Check(
        "idtoken.form.is-not-encrypted",
        "The ID Token is not encrypted unless the client registered for encryption",
        .platform,
        .signIn,
        Citation(.registration, "2", "The default, if omitted, is that no encryption is performed."),
        why: "The platform has no key to decrypt the token.",
        reads: StepResults.rawIDTokens,
        exempt: { token, facts in
            // No measured relying party decrypts an ID Token.
            facts.profile.uses == nil && facts.isRegisteredForEncryption(token)
                ? "the client is registered for encryption (client.id_token_encrypted_response_alg)" : nil
        },
        finding: { token, _ in
            guard token.isEncrypted || token.facts.encryption != nil else { return nil }
            return Finding(
                "The ID Token has five parts, so it is encrypted.",
                expected: "three parts",
                found: "5",
                fix: "Remove id_token_encrypted_response_alg from the client's registration."
            )
        }
    )

    static let isStrictBase64URL = Check(
        "idtoken.form.is-strict-base64url",
        "Every part of the ID Token is base64url without padding",
        .must,
        .signIn,
        Citation(.rfc7515, "2", "with all trailing '=' characters omitted"),
        why: "Strict clients reject tokens with padding, line breaks or the characters of plain base64.",
        reads: StepResults.rawIDTokens
    ) { token, _ in
        let names = ["header", "claims", "signature"]
        return token.facts.partFaults.enumerated()
            .compactMap { index, fault in
                guard let fault else { return nil }
                let name = token.facts.partCount == 3 && index < 3 ? "The \(names[index])" : "Part \(index + 1)"
                return Finding(
                    "\(name) of the ID Token is not base64url: \(fault.shown()).",
                    at: index < 3 ? names[index] : "part \(index + 1)",
                    expected: "characters A-Z a-z 0-9 - _ and no padding",
                    found: fault.shown(),
                    fix: "Encode every part in base64url without padding."
                )
            }
    }

    static let headerIsObject = Check(
        "idtoken.header.is-a-json-object",
        "The ID Token's header is a JSON object",
        .must,
        .signIn,
        Citation(.rfc7515, "4", "the members of the JSON object(s) representing the JOSE Header"),
        why: "Clients cannot determine the key and the algorithm.",
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in
            token.facts.partCount != 3 || token.facts.partFaults.first.flatMap { $0 } != nil
                ? "the header could not be decoded (reported by another check)" : nil
        },
        rule: { token, _ in notAnObject("header", token.facts.header) }
    )

    static let claimsAreObject = Check(
        "idtoken.claims.are-a-json-object",
        "The ID Token's claims are a JSON object",
        .must,
        .signIn,
        Citation(.rfc7519, "7.2", "a completely valid JSON object"),
        why: "Clients cannot read who signed in.",
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in
            token.facts.claims == nil || token.isEncrypted
                ? "the claims could not be decoded (reported by another check)" : nil
        },
        rule: { token, _ in notAnObject("claims", token.facts.claims) }
    )

    static let claimsAreCharacters = Check(
        "idtoken.claims.consist-of-characters",
        "The ID Token's claims contain no unpaired surrogates",
        // Measured: a sixth of the clients reject it.
        .risk,
        .signIn,
        Citation(
            .rfc8259,
            "8.2",
            "the behavior of software that receives JSON texts containing such values is unpredictable"
        ),
        why: "Some clients reject the whole token, so users whose name contains one cannot sign in.",
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in token.claimsDocument == nil ? "the claims are not JSON (reported by another check)" : nil
        },
        finding: { token, _ in
            guard token.claimsDocument?.hadLoneSurrogates == true else { return nil }
            return Finding(
                "A string in the ID Token's claims contains an unpaired surrogate.",
                at: "claims",
                expected: "whole characters",
                found: #"an escape such as \uD83D without the second one of its pair"#,
                fix: "Truncate text at character boundaries, not at UTF-16 code units, before writing it as JSON."
            )
        }
    )

    static let hasNoByteOrderMark = Check(
        "idtoken.form.has-no-byte-order-mark",
        "The ID Token's header and claims do not start with a byte order mark",
        .must,
        .signIn,
        ByteOrderMark.citation,
        why: ByteOrderMark.why,
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in token.isEncrypted ? "the ID Token is encrypted" : nil },
        rule: { token, _ in
            let parts: [(name: String, body: Body?)] = [("header", token.facts.header), ("claims", token.facts.claims)]
            return parts.compactMap { name, body in
                ByteOrderMark.finding(in: body, "The JSON of the ID Token's \(name)", at: name)
            }
        }
    )

    static let headerIsUnique = Check(
        "idtoken.header.has-unique-members",
        "The ID Token's header has no duplicate members",
        .must,
        .signIn,
        Citation(.rfc7515, "4", "The Header Parameter names within the JOSE Header MUST be unique"),
        why: "Two libraries may read two different algorithms from one header.",
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in token.headerDocument == nil ? "the header is not JSON" : nil },
        rule: { token, _ in duplicates(token.headerDocument) }
    )

    static let claimsAreUnique = Check(
        "idtoken.claims.has-unique-members",
        "The ID Token has no duplicate claims",
        .must,
        .signIn,
        Citation(.rfc7519, "4", "The Claim Names within a JWT Claims Set MUST be unique"),
        why: "Two libraries may see two different users in one token.",
        reads: StepResults.rawIDTokens,
        exempt: { token, _ in token.claimsDocument == nil ? "the claims are not JSON" : nil },
        rule: { token, _ in duplicates(token.claimsDocument) }
    )

    static let fitsACookie = Check(
        "idtoken.length.fits-a-cookie",
        "The ID Token has at most 4096 characters",
        .risk,
        .signIn,
        Citation(.rfc6265, "6.1", "At least 4096 bytes per cookie"),
        why:
            "Applications that store the token in a cookie lose it (Envoy, Trino Gateway, Traefik); mod_auth_openidc fails above 8 kB.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            let count = token.lengthWithoutSignature
            guard count > 4_096 else { return nil }
            return Finding(
                "The ID Token has more than 4096 characters without its signature.",
                expected: "at most 4096 characters",
                found: "more than \(count) characters",
                fix: "Omit claims that UserInfo returns from the ID Token, groups and roles first."
            )
        }
    )

    package static let all: [Check] = [
        fitsACookie, hasThreeParts, isNotEncrypted, isStrictBase64URL, headerIsObject, claimsAreObject,
        claimsAreCharacters, hasNoByteOrderMark, headerIsUnique, claimsAreUnique,
    ]

    private static func notAnObject(_ name: String, _ body: Body?) -> [Finding] {
        let found: String
        let isUTF8: Bool
        do throws(JSONError) {
            let root = try JSONDocument.parse(body?.bytes ?? []).root
            if root.objectValue != nil { return [] }
            (found, isUTF8) = (root.kind.phrase, true)
        } catch .invalidUTF8(let offset) { (found, isUTF8) = ("text that is not UTF-8 at byte \(offset)", false) } catch
        { (found, isUTF8) = ("not JSON: \(error)", true) }
        return [
            Finding(
                "The \(name) of the ID Token \(name == "claims" ? "are" : "is") not a JSON object: \(found).",
                at: name,
                expected: "a JSON object" + (isUTF8 ? "" : " in UTF-8"),
                found: found,
                fix: isUTF8
                    ? "Encode the \(name) of the token as a JSON object."
                    : "Encode the \(name) in UTF-8 before encoding in base64url."
            )
        ]
    }

    /// Top-level duplicates only: the specification does not mention nested objects.
    private static func duplicates(_ document: JSONDocument?) -> [Finding] {
        (document?.duplicates ?? []).filter { $0.tokens.count == 1 }
            .map { pointer in
                Finding(
                    "The member \((pointer.tokens.first ?? "").quoted) appears more than once.",
                    at: pointer.description.shown(),
                    expected: "once",
                    found: "more than once",
                    fix: "Write \((pointer.tokens.first ?? "").quoted) once."
                )
            }
    }
}
