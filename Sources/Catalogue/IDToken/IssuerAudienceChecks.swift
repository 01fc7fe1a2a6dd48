package import Conformance
import JSONTree

/// The issuer and the audience of an ID Token.
package enum IssuerAudienceChecks {
    static let issMatchesIssuer = Check(
        "idtoken.iss.matches-issuer",
        "The ID Token's iss is exactly the issuer",
        .must,
        .signIn,
        Citation(.core, "3.1.3.7", "MUST exactly match the value of the iss (issuer) Claim"),
        why: "Clients compare the two as strings and reject the token on any difference.",
        reads: StepResults.idTokens,
        finding: { token, facts in
            let iss = token.claims["iss"]?.stringValue
            if let iss, facts.isIssuer(iss) { return nil }
            // No document was given with the token, so the registration may also be wrong.
            if let iss, token.place == .offlineInput {
                return .claim(
                    "iss",
                    "The ID Token names an issuer other than the registered one.",
                    expected: facts.issuer.shown(),
                    found: token.claims["iss"],
                    fix:
                        "Register \(iss.shown()) as the issuer if it is the provider's; some providers have one for each tenant, "
                        + "enterprise or user pool. Otherwise, the token is from another provider."
                )
            }
            let entry = "\"iss\": \(JSON.string(facts.issuer).serialized().shown(limit: 200))"
            return .claim(
                "iss",
                iss == nil
                    ? "The ID Token names no issuer."
                    : "The ID Token names an issuer other than that of the discovery document.",
                expected: facts.issuer.shown(),
                found: token.claims["iss"],
                fix: iss == nil
                    ? "Add \(entry) to ID Tokens."
                    : IssuerDifference.isTemplate(facts.issuer)
                        ? IssuerDifference.adviceForTemplate(facts.issuer)
                        : "Issue tokens with \(entry), as in the discovery document; clients compare iss with the issuer "
                            + "of that document."
            )
        }
    )

    static let audIsPresent = Check(
        "idtoken.aud.is-present",
        "The ID Token's aud is a string or a list of strings",
        .must,
        .signIn,
        Citation(.core, "2", "aud REQUIRED. Audience(s) that this ID Token is intended for."),
        why: "Without an audience, an attacker can use a token of one client at any other.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            guard token.audiences.isEmpty else { return nil }
            return .claim(
                "aud",
                "The ID Token has no usable aud.",
                expected: "the client ID",
                found: token.claims["aud"],
                fix: "Add \"aud\": \(JSON.string(token.asked.clientID).serialized().shown(limit: 200)) to ID Tokens."
            )
        }
    )

    static let audContainsClient = Check(
        "idtoken.aud.holds-client",
        "The ID Token's aud contains the client ID",
        .must,
        .signIn,
        Citation(
            .core,
            "3.1.3.7",
            "The ID Token MUST be rejected if the ID Token does not list the Client as a valid audience"
        ),
        why: "Clients reject tokens that were issued for another client.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.audiences.isEmpty ? "the token has no usable aud" : nil },
        finding: { token, _ in
            guard !token.audiences.contains(where: { $0.hasSameBytes(as: token.asked.clientID) }) else { return nil }
            let isParty = token.claims["azp"]?.stringValue == token.asked.clientID
            return .claim(
                "aud",
                "The ID Token's aud does not contain the client ID" + (isParty ? "; only azp is the client ID." : "."),
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: token.place == .offlineInput
                    ? "Configure the client that the token was issued to; an application may have a separate client "
                        + "for each platform. If it is this client, add the client ID to aud."
                    : "Add the client ID to aud; some providers need an audience mapper for this."
            )
        }
    )

    static let audIsClientAlone = Check(
        "idtoken.aud.holds-nobody-else",
        "The ID Token's aud contains only the client ID",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "or if it contains additional audiences not trusted by the Client"),
        why: "Clients must reject tokens with audiences that they do not trust, and by default they trust none.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.aud.holds-client", "idtoken.azp.is-present"],
        finding: { token, _ in
            let others = token.audiences.filter { !$0.hasSameBytes(as: token.asked.clientID) }
            guard !others.isEmpty else { return nil }
            return .claim(
                "aud",
                "The ID Token's aud also contains \(others.joined(separator: ", ").quoted).",
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: "Remove the other audiences from aud, or configure the client to trust them."
            )
        }
    )

    static let azpIsPresent = Check(
        "idtoken.azp.is-present",
        "An ID Token with several audiences has azp",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "or if it contains additional audiences not trusted by the Client"),
        why: "Half of the client libraries reject a token with several audiences that does not name the client in azp.",
        reads: StepResults.idTokens,
        concerns: .ofClaim("azp"),
        supersededBy: ["idtoken.aud.holds-client"],
        exempt: { token, _ in Set(token.audiences).count > 1 ? nil : "the token has one audience" },
        finding: { token, _ in
            guard !token.claims.has("azp") else { return nil }
            return .claim(
                "azp",
                "The ID Token has several audiences and no azp.",
                expected: token.asked.clientID.shown(),
                found: nil,
                fix: "Remove the other audiences from aud, or add azp with the client ID."
            )
        }
    )

    static let audHasNoRepetition = Check(
        "idtoken.aud.has-no-repetition",
        "The ID Token's aud contains each audience once",
        .risk,
        .signIn,
        Citation(.rfc7519, "4.1.3", "the \"aud\" value is an array of case-sensitive strings"),
        why: "Clients count two audiences and reject a token with several.",
        reads: StepResults.idTokens,
        finding: { token, _ in
            // With the client's azp, which several audiences require, no measured client rejects the token.
            guard Set(token.audiences).count < token.audiences.count,
                token.claims["azp"]?.stringValue != token.asked.clientID
            else { return nil }
            return .claim(
                "aud",
                "The ID Token's aud contains an audience more than once.",
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: "Write each audience in aud only once."
            )
        }
    )

    static let azpIsClient = Check(
        "idtoken.azp.is-the-client",
        "The ID Token's azp, if present, is the client ID",
        .must,
        .signIn,
        Citation(.core, "2", "If present, it MUST contain the OAuth 2.0 Client ID of this party."),
        why: "Clients reject a token with another azp as one that was issued to another client.",
        reads: StepResults.idTokens,
        concerns: .ofClaim("azp"),
        exempt: { token, _ in token.claims.has("azp") ? nil : "the token has no azp, which is optional" },
        finding: { token, _ in
            if let azp = token.claims["azp"]?.stringValue, azp.hasSameBytes(as: token.asked.clientID) { return nil }
            return .claim(
                "azp",
                "The ID Token's azp is not the client ID of the requesting client.",
                expected: token.asked.clientID.shown(),
                found: token.claims["azp"],
                fix: "Set azp to the client ID, or omit azp."
            )
        }
    )

    package static let all: [Check] = [
        issMatchesIssuer, audIsPresent, audContainsClient, audIsClientAlone, audHasNoRepetition, azpIsClient,
        azpIsPresent,
    ]
}
