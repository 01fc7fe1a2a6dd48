package import Conformance
import JSONTree

/// Who issued the token, and for whom.
package enum IssuerAudienceChecks {
    package static let issMatchesIssuer = Check(
        "idtoken.iss.matches-issuer",
        "iss is the issuer, character for character",
        .must,
        .signIn,
        Citation(.core, "3.1.3.7", "MUST exactly match the value of the iss (issuer) Claim"),
        why: "Clients compare the two as strings and refuse the token on any difference.",
        reads: Conversations.idTokens,
        finding: { token, facts in
            let iss = token.claims["iss"]?.stringValue
            if let iss, facts.isIssuer(iss) { return nil }
            // No document was given with the token, so that the registration may be at fault as well.
            if let iss, token.place == .handedIn {
                return .claim(
                    "iss",
                    "The ID Token names another issuer than the one that is registered.",
                    expected: facts.issuer.shown(),
                    found: token.claims["iss"],
                    fix:
                        "Register \(iss.shown()) as the issuer if it is the provider's; some providers have one for each tenant, "
                        + "enterprise or user pool. If it is not, the token is somebody else's."
                )
            }
            let entry = "\"iss\": \(JSON.string(facts.issuer).serialized().shown(limit: 200))"
            return .claim(
                "iss",
                iss == nil
                    ? "The ID Token names no issuer."
                    : "The ID Token names another issuer than the discovery document.",
                expected: facts.issuer.shown(),
                found: token.claims["iss"],
                fix: iss == nil
                    ? "Add \(entry)."
                    : "Issue tokens with \(entry), as the discovery document states it; clients look the document up by "
                        + "that issuer, and compare."
            )
        }
    )

    package static let audIsPresent = Check(
        "idtoken.aud.is-present",
        "aud is a string or a list of strings",
        .must,
        .signIn,
        Citation(.core, "2", "aud REQUIRED. Audience(s) that this ID Token is intended for."),
        why: "Without an audience a token for one client opens all others.",
        reads: Conversations.idTokens,
        finding: { token, _ in
            guard token.audiences.isEmpty else { return nil }
            return .claim(
                "aud",
                "The ID Token has no usable aud.",
                expected: "the client ID",
                found: token.claims["aud"],
                fix: "Add \"aud\": \(JSON.string(token.asked.clientID).serialized().shown(limit: 200))."
            )
        }
    )

    package static let audHoldsClient = Check(
        "idtoken.aud.holds-client",
        "aud holds the client ID",
        .must,
        .signIn,
        Citation(
            .core,
            "3.1.3.7",
            "The ID Token MUST be rejected if the ID Token does not list the Client as a valid audience"
        ),
        why: "Clients refuse tokens that were issued for somebody else.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.audiences.isEmpty ? "the token has no usable aud" : nil },
        finding: { token, _ in
            guard !token.audiences.contains(where: { $0.hasSameOctets(as: token.asked.clientID) }) else { return nil }
            let isParty = token.claims["azp"]?.stringValue == token.asked.clientID
            return .claim(
                "aud",
                "The client is not among the audiences" + (isParty ? ", only in azp." : "."),
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: token.place == .handedIn
                    ? "Configure the client that the token was issued to: providers give an application one for each "
                        + "platform. If it is this one, add the client ID to aud."
                    : "Add the client ID to aud; at some providers this takes an audience mapper."
            )
        }
    )

    package static let audHoldsNobodyElse = Check(
        "idtoken.aud.holds-nobody-else",
        "aud holds no other audience",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "or if it contains additional audiences not trusted by the Client"),
        why: "Clients must refuse tokens with audiences that they do not trust, and they know of none.",
        reads: Conversations.idTokens,
        excusedBy: ["idtoken.aud.holds-client"],
        finding: { token, _ in
            let others = token.audiences.filter { !$0.hasSameOctets(as: token.asked.clientID) }
            guard !others.isEmpty else { return nil }
            return .claim(
                "aud",
                "The ID Token is also meant for \(others.joined(separator: ", ").quoted)"
                    + (token.claims.has("azp") ? "." : ", and no azp says who asked for it."),
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: "Remove the other audiences, or add azp with the client ID and tell the client to trust them."
            )
        }
    )

    package static let audHasNoRepetition = Check(
        "idtoken.aud.has-no-repetition",
        "aud names each audience once",
        .risk,
        .signIn,
        Citation(.rfc7519, "4.1.3", "the \"aud\" value is an array of case-sensitive strings"),
        why: "Clients count two audiences, and refuse a token for several.",
        reads: Conversations.idTokens,
        finding: { token, _ in
            guard Set(token.audiences).count < token.audiences.count else { return nil }
            return .claim(
                "aud",
                "aud names an audience more than once.",
                expected: token.asked.clientID.shown(),
                found: token.claims["aud"],
                fix: "Write each audience once."
            )
        }
    )

    package static let azpIsClient = Check(
        "idtoken.azp.is-the-client",
        "azp, if it is there, is the client ID",
        .must,
        .signIn,
        Citation(.core, "2", "If present, it MUST contain the OAuth 2.0 Client ID of this party."),
        why: "Clients take a token with another azp for one that was issued to somebody else.",
        reads: Conversations.idTokens,
        concerns: .ofClaim("azp"),
        exempt: { token, _ in token.claims.has("azp") ? nil : "the token has no azp, which is optional" },
        finding: { token, _ in
            if let azp = token.claims["azp"]?.stringValue, azp.hasSameOctets(as: token.asked.clientID) { return nil }
            return .claim(
                "azp",
                "azp names another party than the client that asked.",
                expected: token.asked.clientID.shown(),
                found: token.claims["azp"],
                fix: "Return the client ID in azp, or leave azp out."
            )
        }
    )

    package static let all: [Check] = [
        issMatchesIssuer, audIsPresent, audHoldsClient, audHoldsNobodyElse, audHasNoRepetition,
        azpIsClient,
    ]
}
