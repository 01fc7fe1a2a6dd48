package import Conformance
import JSONTree

/// What the provider makes of hints about who is to be signed in.
package enum HintChecks {
    /// Errors by which a provider may refuse whatever the hint says: other conditions are not met.
    private static let conditions = ["consent_required", "interaction_required", "account_selection_required"]

    package static let isAccepted = Check(
        "authorization.id-token-hint.is-accepted",
        "An id_token_hint that names the signed-in person gets an answer",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "is already logged in … then the Authorization Server returns a positive response"),
        why: "Applications that renew sign-ins with the token they have are thrown out of the session.",
        reads: Sessions.step(.silentReturn, .hint),
        excusedBy: ["authorization.prompt-none.shows-no-page-with-session", "authorization.prompt-none.shows-no-page"],
        exempt: { step, facts in
            let run = facts.evidence.run(Scenario.silentReturn.id)
            let plain = run?.authorization(.promptNone).value?.redirect
            let error = step.answer.redirect?.error
            if let error, conditions.contains(error) { return "the provider has other conditions: \(error.shown())" }
            let isTheSame = error != nil && plain?.error == error
            return isTheSame && plain?.first("error_description") == step.answer.redirect?.first("error_description")
                ? "the request was refused in the same way without the hint" : nil
        },
        finding: { step, _ in
            guard !step.isGranted else { return nil }
            let found = step.answer.redirect?.errorText ?? step.answer.page?.phrase ?? "no answer"
            return Finding(
                "A request with the signed-in person's own ID Token as id_token_hint got \(found).",
                at: "id_token_hint",
                expected: "the same answer as without the hint",
                found: found,
                fix:
                    "Accept every ID Token that was issued to the client as id_token_hint, an expired or older one too, "
                    + "and compare its sub with the session's."
            )
        }
    )

    package static let forgedIsRefused = Check(
        "authorization.id-token-hint.forged-is-refused",
        "An id_token_hint with a spoilt signature is refused",
        .must,
        .safety,
        Citation(.core, "3.1.2.2", "the OP MUST validate that it was the issuer of the ID Token"),
        why: "A hint that anybody can make up tells whether a certain person is signed in.",
        reads: Sessions.step(.silentReturn, .forgedHint),
        passesOn: .refusal,
        exempt: { _, facts in
            // What refuses every silent request, right hint or none, says nothing about the wrong one.
            let ids: [StepID] = [.promptNone, .hint]
            let others = ids.flatMap { Sessions.step(.silentReturn, $0).samples(facts) }
            return others.contains { $0.observation.value?.isGranted == true }
                ? nil : "no silent request is granted here, with the right hint either"
        },
        finding: { step, _ in
            guard step.isGranted else { return nil }
            return Finding(
                "A request was granted although the signature of its id_token_hint is wrong.",
                at: "id_token_hint",
                expected: "an error, such as invalid_request or login_required",
                found: "no error",
                fix: "Verify the signature of id_token_hint with the provider's own keys, and refuse all others."
            )
        }
    )

    package static let otherPersonIsRefused = Check(
        "authorization.id-token-hint.of-another-person-is-refused",
        "An id_token_hint of another person brings no tokens of the one who is signed in",
        .must,
        .safety,
        Citation(.core, "3.1.2.2", "MUST NOT reply with an ID Token or Access Token for a different user"),
        why: "An application that renews one user's sign-in goes on as another, in a browser that two people share.",
        reads: Sessions.hintedReturn,
        passesOn: .refusal,
        exempt: { hinted, _ in
            hinted.hint.claims["sub"] == nil ? "the hint names no sub, which another check reports" : nil
        },
        finding: { hinted, _ in
            guard let token = hinted.token, let sub = token.claims["sub"], sub != hinted.hint.claims["sub"] else {
                return nil
            }
            return Finding(
                "The ID Token of one person was sent as id_token_hint, and an ID Token of another came back.",
                at: "id_token_hint",
                expected: "error=login_required",
                found: "an ID Token with sub \(sub.shown)",
                fix:
                    "Return login_required, or let the person sign in, when the sub of id_token_hint is not the session's."
            )
        }
    )

    package static let loginHintIsNoError = Check(
        "authorization.login-hint.is-no-error",
        "A request with login_hint is not refused",
        .risk,
        .conformance,
        Citation(.core, "3.1.2.1", "The use of this parameter is left to the OP's discretion."),
        why: "Applications that know the user's address put it there, and nobody can sign in.",
        reads: Conversations.authorization(.loginHint),
        exempt: { _, facts in
            let plain = facts.evidence.run(Scenario.unknownParameter.id)?.authorization.value
            return plain?.page?.isError == true || plain?.redirect?.has("error") == true
                ? "an ordinary request is refused as well" : nil
        },
        finding: { subject, _ in
            let error = subject.answer.redirect.flatMap { $0.has("error") ? $0.errorText : nil }
            guard let found = error ?? subject.answer.page.flatMap({ $0.isError ? $0.phrase : nil }) else { return nil }
            return Finding(
                "A request with login_hint was answered with \(found).",
                at: "login_hint",
                expected: "the sign-in page",
                found: found,
                fix: "Write login_hint into the sign-in form, or ignore it."
            )
        }
    )

    package static let all: [Check] = [isAccepted, forgedIsRefused, otherPersonIsRefused, loginHintIsNoError]
}
