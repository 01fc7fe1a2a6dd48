package import Conformance

/// How the token endpoint redeems authorization codes.
package enum CodeChecks {
    /// Responses to a reused code, and to two simultaneous requests if both return tokens: a single success proves no reuse.
    private static let reuses: Query<CallResult> = {
        let (inTurn, atOnce) = (
            IncorrectRedemptions.reuses(.codeTwice), IncorrectRedemptions.query(.silentReturn, .redeemTwice)
        )
        return Query(inTurn.name, needs: inTurn.needs.union(atOnce.needs), features: inTurn.features) { facts in
            let samples = inTurn.samples(facts)
            if samples.contains(where: { $0.observation.value?.issuedTokens == true }) { return samples }
            return samples
                + atOnce.samples(facts).filter { $0.observation.value?.issuedTokens == true }
                .map { $0.labelled("two simultaneous requests") }
        }
    }()

    static let isSingleUse = Check(
        "token.code.is-single-use",
        "The token endpoint rejects a code that was already redeemed",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.2",
            "If an authorization code is used more than once, the authorization server MUST deny the request"
        ),
        why: "An attacker who finds a used code in a log or a Referer header can access the user's account.",
        reads: reuses,
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens for a code that was already redeemed.",
            at: "code",
            fix: "Redeem a code and mark it as used in one atomic step; return invalid_grant for every later use."
        )
    }

    static let staysUsed = Check(
        "token.code.stays-used",
        "The token endpoint still rejects a redeemed code after 30 seconds",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.2",
            "If an authorization code is used more than once, the authorization server MUST deny the request"
        ),
        why: "If the provider soon forgets that a code was used, an attacker only has to wait to redeem it again.",
        reads: IncorrectRedemptions.reuses(.codeTwiceLater),
        supersededBy: [IncorrectRedemptions.anyCode, isSingleUse.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens for a code that was redeemed more than 30 seconds earlier.",
            at: "code",
            fix: "Store used codes where every server sees them, at least until the codes expire."
        )
    }

    static let reuseRevokesTokens = Check(
        "token.code.reuse-revokes-tokens",
        "The provider revokes the tokens issued for a code when the code is reused",
        .should,
        .safety,
        Citation(.rfc6749, "4.1.2", "SHOULD revoke (when possible) all tokens previously issued based on that"),
        why: "An attacker who redeems a stolen code before the client does keeps access to the user's data.",
        reads: IncorrectRedemptions.query(.codeTwice, .userInfo),
        supersededBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"],
        passesOn: .refusal,
        exempt: { subject, facts in
            let again = IncorrectRedemptions.reuses(.codeTwice).samples(facts).compactMap(\.observation.value)
            if again.isEmpty { return "the code could not be redeemed a second time" }
            if again.contains(where: \.issuedTokens) {
                return "the token endpoint accepts the code a second time, which another check reports"
            }
            // Only then the endpoint has read the code: a gateway may have rejected the request.
            return again.contains { $0.error != nil }
                ? nil : "no response to the reused code is an error of the token endpoint"
        },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo still accepts the access token issued for a code after the code was reused.",
                expected: "HTTP status 401 and error invalid_token",
                found: "HTTP status \(subject.response.status)",
                fix: "Revoke all tokens issued for a code when the code is redeemed again, and reject them at UserInfo."
            )
        }
    )

    static let isBoundToRedirectURI = Check(
        "token.code.is-bound-to-redirect-uri",
        "The token endpoint rejects a code with a wrong redirect_uri",
        .must,
        .safety,
        Citation(.core, "3.1.3.2", "Ensure that the redirect_uri parameter value is identical"),
        why:
            "An attacker can divert a code to another address of the client and inject it into a different user's sign-in.",
        reads: IncorrectRedemptions.query(.wrongRedirectURI),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens although redirect_uri differs from the authorization request.",
            at: "redirect_uri",
            fix: "Store redirect_uri with the code, and compare it byte for byte when the code is redeemed."
        )
    }

    /// Core allows a provider to proceed without it if the client has a single redirect URI; plain OAuth does not.
    static let needsRedirectURI = Check(
        "token.code.needs-redirect-uri",
        "The token endpoint rejects a code without redirect_uri",
        .may,
        .safety,
        Citation(.core, "3.1.3.2", "the Authorization Server MAY return an error"),
        why: "An attacker can bypass the binding of a code to its redirect URI by omitting redirect_uri.",
        reads: IncorrectRedemptions.query(.missingRedirectURI),
        supersededBy: [IncorrectRedemptions.anyCode, isBoundToRedirectURI.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens without redirect_uri although the authorization request had one.",
            at: "redirect_uri",
            expected: "HTTP status 400 and error invalid_request or invalid_grant",
            fix: "Require redirect_uri in the token request if the authorization request contained it."
        )
    }

    static let isBoundToClient = Check(
        "token.code.is-bound-to-client",
        "The token endpoint rejects a code that was issued to another client",
        .must,
        .safety,
        Citation(.core, "3.1.3.2", "Ensure the Authorization Code was issued to the authenticated Client."),
        why: "The operator of another client could redeem stolen codes and sign in as the affected users.",
        reads: IncorrectRedemptions.query(.codeOfAnotherClient),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal,
        exempt: { subject, facts in
            guard subject.clientRefusal != nil else { return nil }
            // If the client is accepted with a bogus code, the rejection is about the code.
            let bogus = IncorrectRedemptions.query(.codeOfAnotherClient, .bogus).samples(facts).first?.observation.value
            return bogus.map { $0.clientRefusal == nil } == true
                ? nil : "the other client was rejected before its code was checked"
        },
        rule: { subject, facts in
            subject.tokens(
                "The token endpoint issues tokens to the client \((facts.target.otherClient?.id ?? "").quoted) for another client's code.",
                at: "code",
                fix: "Store client_id with the code, and return invalid_grant to every other client."
            )
        }
    )

    static let refusalIsInvalidGrant = Check(
        "token.code.refusal-is-invalid-grant",
        "The token endpoint returns invalid_grant for used codes and for codes that do not match the request",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "is invalid, expired, revoked, does not match the redirection URI"),
        why: "Clients start a new sign-in on invalid_grant and report a failure on any other error.",
        reads: IncorrectRedemptions.refused,
        supersededBy: [
            "token.made-up-code.has-invalid-grant", "token.client-authentication.is-accepted",
            "token.error.has-error-member",
        ],
        exempt: { subject, facts in
            // The client's credentials worked in a flow, so the rejection is about the code and has the wrong error.
            let isOther = subject.asked.scenario == Scenario.codeOfAnotherClient.id
            let isLetIn = !isOther && facts.redeemsFreshCodes(subject.asked.run.clientID)
            return isLetIn ? nil : subject.clientRefusal
        },
        finding: { subject, _ in
            guard subject.error != "invalid_grant" else { return nil }
            return Finding(
                "The token endpoint rejects a code with \(subject.phrase) instead of invalid_grant.",
                at: "/error",
                expected: "invalid_grant",
                found: subject.error?.shown() ?? "no error member",
                fix:
                    "Return invalid_grant if the code is invalid or used, or if redirect_uri, client or code_verifier does not match."
            )
        }
    )

    package static let all: [Check] = [
        isSingleUse, staysUsed, reuseRevokesTokens, isBoundToRedirectURI, needsRedirectURI, isBoundToClient,
        refusalIsInvalidGrant,
    ]
}
