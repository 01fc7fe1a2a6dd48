package import Conformance
import JSONTree

/// Logout tokens that the provider sends to the client (OpenID Connect Back-Channel Logout).
package enum BackChannelChecks {
    private static let event = "http://schemas.openid.net/event/backchannel-logout"

    package static let arrives = Check(
        "logout.back-channel.message-arrives",
        "The client is told of a logout by a message",
        .should,
        .conformance,
        Citation(.backChannelLogout, "2.5", "The OP uses an HTTP POST to the registered back-channel logout URI"),
        why: "People stay signed in to the application after they have logged out at the provider.",
        reads: BackChannelMessages.all,
        finding: { messages, facts in
            guard messages.isEmpty else { return nil }
            return Finding(
                "No logout message arrived after a logout.",
                at: "backchannel_logout_uri",
                expected: facts.target.logout.backChannelListener.map { "a POST at \($0.shown())" },
                found: "nothing",
                fix: "Register the address as the client's backchannel_logout_uri and see that the provider reaches it."
            )
        }
    )

    package static let isFormPost = Check(
        "logout.back-channel.message-is-a-form",
        "A logout message is a form, sent by POST, with a logout token",
        .must,
        .conformance,
        Citation(.backChannelLogout, "2.5", "The POST body uses the application/x-www-form-urlencoded encoding"),
        why: "The application does not find the token and ends no session.",
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
                fix: "Send logout_token=… by POST in a body of type application/x-www-form-urlencoded."
            )
        }
    )

    package static let signatureVerifies = Check(
        "logout.back-channel.signature-verifies",
        "A logout token is signed with the published key that it names",
        .must,
        .conformance,
        Citation(.backChannelLogout, "2.4", "A Logout Token MUST be signed"),
        why: "The application refuses the token; or, if it does not look, anybody can log people out.",
        reads: BackChannelMessages.tokens,
        excusedBy: SigningKeyChecks.all.map(\.id) + ["keys.signing-key.is-present"],
        exempt: { _, facts in facts.keySet.value?.keys.isEmpty == false ? nil : "there is no published key" },
        rule: { token, facts in
            if token.facts.isVerified { return SigningKey.obstacles("logout token", token.facts, facts) }
            return [
                Finding(
                    "No published key verifies the logout token.",
                    at: "alg",
                    expected: "a signature by a key of the key set, like that of ID Tokens",
                    found: token.header["alg"]?.stringValue.map { "alg \($0.quoted)" } ?? "no alg",
                    fix: "Sign logout tokens with the key and algorithm of the client's ID Tokens."
                )
            ]
        }
    )

    package static let issuer = claim(
        "logout.back-channel.iss-matches-issuer",
        "iss",
        "The iss of a logout token is the issuer",
        "2.4",
        "iss REQUIRED. Issuer Identifier",
        fix: "Write the issuer of the discovery document into iss."
    ) { claims, facts in
        // That the document states another issuer than was asked for is judged where it stands.
        let issuers = [facts.target.issuer, facts.metadata.value?.string("issuer")]
        return claims["iss"]?.stringValue.map(issuers.contains) == true ? nil : facts.target.issuer
    }

    package static let audience = claim(
        "logout.back-channel.aud-holds-client",
        "aud",
        "The aud of a logout token holds the client",
        "2.4",
        "aud REQUIRED. Audience(s)",
        fix: "Write the client_id into aud."
    ) { claims, facts in
        let client = facts.target.client(for: facts.target.flows.first(where: \.hasCode) ?? "code")?.id ?? ""
        let audience = claims["aud"]?.strings ?? claims["aud"]?.stringValue.map { [$0] } ?? []
        return audience.contains(client) ? nil : client
    }

    package static let issuedAt = claim(
        "logout.back-channel.iat-is-present",
        "iat",
        "A logout token says when it was issued",
        "2.4",
        "iat REQUIRED. Issued at time",
        fix: "Write the time of issue into iat, in seconds."
    ) { claims, _ in claims["iat"]?.numberValue == nil ? "a number" : nil }

    package static let identifier = claim(
        "logout.back-channel.jti-is-present",
        "jti",
        "A logout token has an identifier",
        "2.4",
        "jti REQUIRED. Unique identifier for the token",
        fix: "Write a value into jti that no other token has."
    ) { claims, _ in claims["jti"]?.stringValue?.isEmpty == false ? nil : "a string" }

    package static let expiry = Check(
        "logout.back-channel.exp-is-present",
        "A logout token expires",
        // Providers that keep to an edition before the final one of 2022, which had no exp, are many.
        .should,
        .safety,
        Citation(.backChannelLogout, "2.4", "exp REQUIRED. Expiration time"),
        why: "Whoever has recorded a token logs people out again at any later time.",
        reads: BackChannelMessages.tokens,
        finding: { token, _ in
            guard token.claims["exp"]?.numberValue == nil else { return nil }
            return Finding(
                "The logout token has no exp; editions of the specification before 2022 did not ask for it.",
                at: "/exp",
                expected: "a number",
                found: "missing",
                fix: "Write a time two minutes ahead into exp."
            )
        }
    )

    package static let events = claim(
        "logout.back-channel.events-name-logout",
        "events",
        "A logout token names the event",
        "2.4",
        "events REQUIRED. Claim whose value is a JSON object containing the member name",
        fix: "Write events: {\"\(event)\": {}}."
    ) { claims, _ in
        claims["events"]?[event]?.objectValue == nil ? "an object with the member \(event)" : nil
    }

    package static let subject = claim(
        "logout.back-channel.subject-is-told",
        "sub",
        "A logout token tells whom or which session it means",
        "2.4",
        "A Logout Token MUST contain either a sub or a sid Claim, and MAY contain both",
        fix: "Write sub, sid or both."
    ) { claims, _ in
        claims["sub"]?.stringValue == nil && claims["sid"]?.stringValue == nil ? "sub or sid" : nil
    }

    package static let noNonce = claim(
        "logout.back-channel.has-no-nonce",
        "nonce",
        "A logout token has no nonce",
        "2.4",
        "A nonce Claim MUST NOT be present",
        fix: "Leave nonce out of logout tokens."
    ) { claims, _ in claims.has("nonce") ? "no nonce" : nil }

    package static let type = Check(
        "logout.back-channel.typ-is-logout",
        "A logout token is typed",
        .may,
        .conformance,
        Citation(.backChannelLogout, "2.4", "It is RECOMMENDED that Logout Tokens be explicitly typed"),
        why: "A logout token may be taken for another kind of token.",
        reads: BackChannelMessages.tokens,
        finding: { token, _ in
            let type = token.header["typ"]?.stringValue?.lowercased()
            guard type != "logout+jwt", type != "application/logout+jwt" else { return nil }
            return Finding(
                "The logout token's header does not say that it is one.",
                at: "typ",
                expected: "logout+jwt",
                found: token.header["typ"]?.stringValue?.shown() ?? "missing",
                fix: "Set typ to logout+jwt."
            )
        }
    )

    /// A check of one claim; `expected` is what should have been there, `nil` when all is well.
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
            why: "The application refuses the message, and the person stays signed in there.",
            reads: BackChannelMessages.tokens,
            finding: { token, facts in
                guard let expected = expected(token.claims, facts) else { return nil }
                return Finding(
                    "\(name) of the logout token is not as it must be.",
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
