package import Conformance
import JSONTree

/// Logout tokens that the provider sends to the client (OpenID Connect Back-Channel Logout).
package enum BackChannelChecks {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    static let arrives = Check(
        "logout.back-channel.message-arrives",
        "The provider sends a logout message to the client",
        .should,
        .conformance,
        Citation(.backChannelLogout, "2.5", "The OP uses an HTTP POST to the registered back-channel logout URI"),
        why: "Users stay signed in to the application after they log out at the provider.",
        reads: BackChannelMessages.all,
        finding: { messages, facts in
            guard messages.isEmpty else { return nil }
            return Finding(
                "The provider sends no logout message after a logout.",
                at: "backchannel_logout_uri",
                expected: facts.target.logout.backChannelListener.map { "a POST at \($0.shown())" },
                found: "nothing",
                fix:
                    "Register the URL of logout.back_channel_listener as the client's backchannel_logout_uri, and make sure that the provider can reach it."
            )
        }
    )

    static let isFormPost = Check(
        "logout.back-channel.message-is-a-form",
        "The provider sends the logout token in a form by POST",
        .must,
        .conformance,
        Citation(.backChannelLogout, "2.5", "The POST body uses the application/x-www-form-urlencoded encoding"),
        why: "The application does not find the logout token and does not end the session.",
        reads: BackChannelMessages.each,
        finding: { message, _ in
            let type = message.contentType?.split(separator: ";").first?.lowercased()
            let isForm = type == "application/x-www-form-urlencoded"
            if message.method == "POST", isForm, message.parameters.contains("logout_token") { return nil }
            return Finding(
                "The logout message is not a form with a logout_token.",
                expected: "POST, application/x-www-form-urlencoded, logout_token",
                found: "\(message.method.shown()), \(message.contentType?.shown() ?? "no content type"), "
                    + (message.parameters.map { $0.shown(limit: 40) }.joined(separator: ", ")),
                fix: "Send logout_token by POST in a body of type application/x-www-form-urlencoded."
            )
        }
    )

    static let signatureVerifies = Check(
        "logout.back-channel.signature-verifies",
        "The logout token is signed with the published key that its header names",
        .must,
        .conformance,
        Citation(.backChannelLogout, "2.4", "A Logout Token MUST be signed"),
        why: "Applications that verify the signature ignore the logout, and the user stays signed in there. "
            + "Sign-in itself works.",
        reads: BackChannelMessages.tokens,
        supersededBy: SigningKeyChecks.all.map(\.id) + ["keys.signing-key.is-present"],
        exempt: { _, facts in facts.keySet.value?.keys.isEmpty == false ? nil : "the provider publishes no key" },
        rule: { token, facts in
            if token.facts.isVerified { return SigningKey.blockers("logout token", token.facts, facts) }
            return [
                Finding(
                    "The signature of the logout token does not verify with any published key.",
                    at: "alg",
                    expected: "a signature by a key in the key set, as for ID Tokens",
                    found: token.header["alg"]?.stringValue.map { "alg \($0.quoted)" } ?? "no alg",
                    fix: "Sign logout tokens with the same key and algorithm as the client's ID Tokens."
                )
            ]
        }
    )

    static let issuer = claim(
        "logout.back-channel.iss-matches-issuer",
        "iss",
        "The logout token's iss is the issuer",
        "2.4",
        "iss REQUIRED. Issuer Identifier",
        fix: "Set iss to the issuer of the discovery document."
    ) { claims, facts in
        // Another check reports a document that states another issuer than the requested one.
        let issuers = [facts.target.issuer, facts.metadata.value?.string("issuer")]
        return claims["iss"]?.stringValue.map(issuers.contains) == true ? nil : facts.target.issuer
    }

    static let audience = claim(
        "logout.back-channel.aud-holds-client",
        "aud",
        "The logout token's aud contains the client ID",
        "2.4",
        "aud REQUIRED. Audience(s)",
        fix: "Add the client ID to aud."
    ) { claims, facts in
        let client = facts.target.client(for: facts.target.flows.first(where: \.hasCode) ?? "code")?.id ?? ""
        let audience = claims["aud"]?.strings ?? claims["aud"]?.stringValue.map { [$0] } ?? []
        return audience.contains(client) ? nil : client
    }

    static let issuedAt = claim(
        "logout.back-channel.iat-is-present",
        "iat",
        "The logout token has a numeric iat",
        "2.4",
        "iat REQUIRED. Issued at time",
        fix: "Set iat to the time of issue, in seconds since 1970."
    ) { claims, _ in claims["iat"]?.numberValue == nil ? "a number" : nil }

    static let identifier = claim(
        "logout.back-channel.jti-is-present",
        "jti",
        "The logout token has a jti",
        "2.4",
        "jti REQUIRED. Unique identifier for the token",
        fix: "Set jti to a string that is unique for each token."
    ) { claims, _ in claims["jti"]?.stringValue?.isEmpty == false ? nil : "a string" }

    static let expiry = Check(
        "logout.back-channel.exp-is-present",
        "The logout token has a numeric exp",
        // Many providers follow a draft before the final version of 2022, which had no exp.
        .should,
        .safety,
        Citation(.backChannelLogout, "2.4", "exp REQUIRED. Expiration time"),
        why: "An attacker who recorded a logout token can log the user out again at any later time.",
        reads: BackChannelMessages.tokens,
        finding: { token, _ in
            guard token.claims["exp"]?.numberValue == nil else { return nil }
            return Finding(
                "The logout token has no numeric exp; drafts of the specification before 2022 did not require it.",
                at: "/exp",
                expected: "a number",
                found: "missing",
                fix: "Set exp to two minutes after the time of issue."
            )
        }
    )

    static let events = claim(
        "logout.back-channel.events-name-logout",
        "events",
        "The logout token's events contain the logout event",
        "2.4",
        "events REQUIRED. Claim whose value is a JSON object containing the member name",
        fix: "Set events to {\"\(event)\": {}}."
    ) { claims, _ in claims["events"]?[event]?.objectValue == nil ? "an object with the member \(event)" : nil }

    static let subject = claim(
        "logout.back-channel.subject-is-told",
        "sub",
        "The logout token has sub, sid or both",
        "2.4",
        "A Logout Token MUST contain either a sub or a sid Claim, and MAY contain both",
        fix: "Add sub, sid or both, as strings, to logout tokens."
    ) { claims, _ in claims["sub"]?.stringValue == nil && claims["sid"]?.stringValue == nil ? "sub or sid" : nil }

    static let noNonce = claim(
        "logout.back-channel.has-no-nonce",
        "nonce",
        "The logout token has no nonce",
        "2.4",
        "A nonce Claim MUST NOT be present",
        fix: "Omit nonce from logout tokens."
    ) { claims, _ in claims.has("nonce") ? "no nonce" : nil }

    static let type = Check(
        "logout.back-channel.typ-is-logout",
        "The logout token has the typ logout+jwt",
        .may,
        .conformance,
        Citation(.backChannelLogout, "2.4", "It is RECOMMENDED that Logout Tokens be explicitly typed"),
        why: "A client may accept the logout token as another type of token.",
        reads: BackChannelMessages.tokens,
        finding: { token, _ in
            let type = token.header["typ"]?.stringValue?.lowercased()
            guard type != "logout+jwt", type != "application/logout+jwt" else { return nil }
            return Finding(
                "The logout token's header does not have the typ logout+jwt.",
                at: "typ",
                expected: "logout+jwt",
                found: token.header["typ"]?.stringValue?.shown() ?? "missing",
                fix: "Set typ in the header of logout tokens to logout+jwt."
            )
        }
    )

    /// A check of one claim; `expected` returns the value that should be there, or `nil` if the claim is right.
    private static func claim(
        _ id: CheckID,
        _ name: String,
        _ title: String,
        _ section: String,
        _ words: String,
        fix: String,
        expected: @escaping @Sendable (JSONObject, Facts) -> String?
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .conformance,
            Citation(.backChannelLogout, section, words),
            why: "The application rejects the logout token, and the user stays signed in there.",
            reads: BackChannelMessages.tokens,
            finding: { token, facts in
                guard let expected = expected(token.claims, facts) else { return nil }
                return Finding(
                    expected == "no \(name)"
                        ? "The logout token has a \(name)." : "The logout token's \(name) is missing or wrong.",
                    at: "/" + name,
                    expected: expected,
                    found: Finding.shown(token.claims[name], beside: expected),
                    fix: fix
                )
            }
        )
    }

    package static let all: [Check] = [
        arrives, isFormPost, signatureVerifies, issuer, audience, issuedAt, identifier, expiry, events, subject,
        noNonce, type,
    ]
}
