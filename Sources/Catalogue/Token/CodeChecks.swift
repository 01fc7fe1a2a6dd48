package import Conformance

/// What becomes of authorization codes.
package enum CodeChecks {
    /// The answers to a code that was used before, and to two requests at once where both brought tokens: nothing is said by one that did not.
    private static let reuses: Slot<AnsweredCall> = {
        let (inTurn, atOnce) = (Redemptions.reuses(.codeTwice), Redemptions.slot(.byPOST, .redeemTwice))
        return Slot(inTurn.name, needs: inTurn.needs.union(atOnce.needs), features: inTurn.features) { facts in
            let samples = inTurn.samples(facts)
            if samples.contains(where: { $0.observation.value?.gaveTokens == true }) { return samples }
            return samples
                + atOnce.samples(facts).filter { $0.observation.value?.gaveTokens == true }
                .map { $0.labelled("two requests at once") }
        }
    }()

    package static let isSingleUse = Check(
        "token.code.is-single-use",
        "A code that was redeemed is refused the second time",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.2",
            "If an authorization code is used more than once, the authorization server MUST deny the request"
        ),
        why: "Whoever finds a used code in a log or a referrer still opens the account of the one who signed in.",
        reads: reuses,
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens for a code that had been redeemed before.",
            at: "code",
            fix: "Mark a code as used in the same step that redeems it, and answer invalid_grant afterwards."
        )
    }

    package static let staysUsed = Check(
        "token.code.stays-used",
        "A code that was redeemed is refused half a minute later too",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.2",
            "If an authorization code is used more than once, the authorization server MUST deny the request"
        ),
        why: "Where used codes are remembered for moments only, a thief needs no more than patience.",
        reads: Redemptions.reuses(.codeTwiceLater),
        excusedBy: [Redemptions.anyCode, isSingleUse.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens for a code that had been redeemed half a minute before.",
            at: "code",
            fix: "Remember used codes, by all servers, at least until they would have expired."
        )
    }

    package static let reuseRevokesTokens = Check(
        "token.code.reuse-revokes-tokens",
        "When a code comes a second time, the tokens of the first time are revoked",
        .should,
        .safety,
        Citation(.rfc6749, "4.1.2", "SHOULD revoke (when possible) all tokens previously issued based on that"),
        why: "The second use shows that a code was stolen, and the thief may have been the first.",
        reads: Redemptions.slot(.codeTwice, .userInfo),
        excusedBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"],
        passesOn: .refusal,
        exempt: { subject, facts in
            let again = Redemptions.reuses(.codeTwice).samples(facts).compactMap(\.observation.value)
            if again.isEmpty { return "the code could not be redeemed a second time" }
            return again.contains(where: \.gaveTokens)
                ? "the code was taken a second time, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "The access token of a code still opened UserInfo after the code had come a second time.",
                expected: "HTTP status 401 and error invalid_token",
                found: "HTTP status \(subject.response.status)",
                fix: "Revoke the tokens of a code when it comes again, as far as they can be revoked."
            )
        }
    )

    package static let isBoundToRedirectURI = Check(
        "token.code.is-bound-to-redirect-uri",
        "A code is refused with another redirect_uri than it was asked for with",
        .must,
        .safety,
        Citation(.core, "3.1.3.2", "Ensure that the redirect_uri parameter value is identical"),
        why: "A code that was lured to another address of the client can be slipped into the sign-in of somebody else.",
        reads: Redemptions.slot(.wrongRedirectURI),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens though redirect_uri was not that of the authorization request.",
            at: "redirect_uri",
            fix: "Keep the redirect_uri with the code, and compare it octet for octet when the code is redeemed."
        )
    }

    /// Core lets a provider go on without it where the client has one redirect URI only; OAuth alone does not.
    package static let needsRedirectURI = Check(
        "token.code.needs-redirect-uri",
        "A code is refused without the redirect_uri that it was asked for with",
        .may,
        .safety,
        Citation(.core, "3.1.3.2", "the Authorization Server MAY return an error"),
        why: "The rule that binds a code to its address stops no thief when leaving the address out is enough.",
        reads: Redemptions.slot(.missingRedirectURI),
        excusedBy: [Redemptions.anyCode, isBoundToRedirectURI.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens without the redirect_uri of the authorization request.",
            at: "redirect_uri",
            expected: "HTTP status 400 and error invalid_request or invalid_grant",
            fix: "Demand redirect_uri in every token request whose authorization request had one."
        )
    }

    package static let isBoundToClient = Check(
        "token.code.is-bound-to-client",
        "A code is refused to another client than the one it was issued to",
        .must,
        .safety,
        Citation(.core, "3.1.3.2", "Ensure the Authorization Code was issued to the authenticated Client."),
        why: "Whoever runs another application at the provider could redeem stolen codes and sign in as their owners.",
        reads: Redemptions.slot(.codeOfAnotherClient),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal,
        exempt: { subject, facts in
            guard subject.clientRefusal != nil else { return nil }
            // With a code that never was, the same client is refused for the code.
            let madeUp = Redemptions.slot(.codeOfAnotherClient, .madeUp).samples(facts).first?.observation.value
            return madeUp.map { $0.clientRefusal == nil } == true
                ? nil : "the other client was refused before the code was looked at"
        },
        rule: { subject, facts in
            subject.tokens(
                "The client \((facts.target.otherClient?.id ?? "").quoted) got tokens for a code of another client.",
                at: "code",
                fix: "Keep the client_id with the code, and answer invalid_grant to every other client."
            )
        }
    )

    package static let refusalIsInvalidGrant = Check(
        "token.code.refusal-is-invalid-grant",
        "Codes that are used up or do not match the request get the error invalid_grant",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "is invalid, expired, revoked, does not match the redirection URI"),
        why: "Clients begin a new sign-in on invalid_grant and report a failure on anything else.",
        reads: Redemptions.refused,
        excusedBy: [
            "token.made-up-code.has-invalid-grant", "token.client-authentication.is-accepted",
            "token.error.has-error-member",
        ],
        exempt: { subject, facts in
            // Who redeems codes every day is let in: then it is the code that was refused, in the wrong words.
            let isOther = subject.asked.scenario == Scenario.codeOfAnotherClient.id
            let isLetIn = !isOther && facts.redeemsFreshCodes(subject.asked.run.clientID)
            return isLetIn ? nil : subject.clientRefusal
        },
        finding: { subject, _ in
            guard subject.error != "invalid_grant" else { return nil }
            return Finding(
                "A code that must not be redeemed was refused with \(subject.phrase).",
                at: "/error",
                expected: "invalid_grant",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_grant when the code or what it is bound to is wrong."
            )
        }
    )

    package static let all: [Check] = [
        isSingleUse, staysUsed, reuseRevokesTokens, isBoundToRedirectURI, needsRedirectURI, isBoundToClient,
        refusalIsInvalidGrant,
    ]
}
