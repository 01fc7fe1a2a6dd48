package import Conformance
import JSONTree

/// Hints about the user to sign in: id_token_hint and login_hint.
package enum HintChecks {
    /// Errors that a provider may return whatever the hint says, because another condition is not met.
    private static let conditions = ["consent_required", "interaction_required", "account_selection_required"]

    static let isAccepted = Check(
        "authorization.id-token-hint.is-accepted",
        "The provider accepts an id_token_hint for the signed-in user",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "is already logged in … then the Authorization Server returns a positive response"),
        why: "An application that renews a sign-in with its ID Token as the hint loses the session.",
        reads: Sessions.step(.silentReturn, .hint),
        supersededBy: [
            "authorization.prompt-none.shows-no-page-with-session", "authorization.prompt-none.shows-no-page",
        ],
        exempt: { step, facts in
            let run = facts.evidence.run(Scenario.silentReturn.id)
            let plain = run?.authorization(.promptNone).value?.redirect
            let error = step.answer.redirect?.error
            if let error, conditions.contains(error) {
                return "the provider requires something else first: \(error.shown())"
            }
            let isTheSame = error != nil && plain?.error == error
            return isTheSame && plain?.first("error_description") == step.answer.redirect?.first("error_description")
                ? "the provider rejected the request without the hint in the same way" : nil
        },
        finding: { step, _ in
            guard !step.isGranted else { return nil }
            let found = step.answer.redirect?.errorText ?? step.answer.page?.phrase ?? "no response"
            return Finding(
                "The provider does not grant a request with the signed-in user's own ID Token as id_token_hint: \(found).",
                at: "id_token_hint",
                expected: "the same response as without the hint",
                found: found,
                fix:
                    "Accept every ID Token that was issued to the client as id_token_hint, even an expired or older one. "
                    + "Compare its sub with the session's."
            )
        }
    )

    static let forgedIsRefused = refused(
        "authorization.id-token-hint.forged-is-refused",
        "The provider rejects an id_token_hint with an invalid signature",
        .forgedHint,
        message: "The provider grants a request although the signature of its id_token_hint is invalid."
    )

    static let unsignedIsRefused = refused(
        "authorization.id-token-hint.unsigned-is-refused",
        "The provider rejects an id_token_hint without a signature",
        .unsignedHint,
        supersededBy: ["authorization.id-token-hint.forged-is-refused"],
        message: "The provider grants a request although its id_token_hint has alg none and no signature."
    )

    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ step: StepID,
        supersededBy: [CheckID] = [],
        message: String
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .safety,
            Citation(.core, "3.1.2.2", "the OP MUST validate that it was the issuer of the ID Token"),
            why: "An attacker can forge a hint to find out whether a certain user is signed in.",
            reads: Sessions.step(.silentReturn, step),
            supersededBy: supersededBy,
            passesOn: .refusal,
            exempt: { _, facts in
                // A provider that rejects every silent request, with a valid hint or none, shows nothing about an invalid one.
                let ids: [StepID] = [.promptNone, .hint]
                let others = ids.flatMap { Sessions.step(.silentReturn, $0).samples(facts) }
                return others.contains { $0.observation.value?.isGranted == true }
                    ? nil : "the provider grants no silent request, not even with a valid hint"
            },
            finding: { step, _ in
                guard step.isGranted else { return nil }
                return Finding(
                    message,
                    at: "id_token_hint",
                    expected: "an error, such as invalid_request or login_required",
                    found: "no error",
                    fix: "Verify the signature of id_token_hint with the provider's own keys, and reject all others."
                )
            }
        )
    }

    static let isAcceptedWithoutPrompt = Check(
        "authorization.id-token-hint.is-accepted-without-prompt",
        "The provider accepts an id_token_hint for the signed-in user in a request without prompt",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "is already logged in … then the Authorization Server returns a positive response"),
        why: "An application that names its user in each request gets an error instead of the sign-in.",
        reads: Sessions.step(.silentReturn, .hintAlone),
        supersededBy: ["authorization.id-token-hint.is-accepted"],
        finding: { step, _ in
            let error = step.answer.redirect.flatMap { $0.has("error") ? $0.errorText : nil }
            guard let found = error ?? step.answer.page.flatMap({ $0.isError ? $0.phrase : nil }) else { return nil }
            return Finding(
                "The provider does not grant a request without prompt that has the signed-in user's own ID Token as "
                    + "id_token_hint: \(found).",
                at: "id_token_hint",
                expected: "the same response as without the hint",
                found: found,
                fix: "Accept id_token_hint in every request, not only with prompt=none."
            )
        }
    )

    static let otherUserIsRefused = Check(
        "authorization.id-token-hint.of-another-person-is-refused",
        "The provider issues no ID Token for a user other than the one in id_token_hint",
        .must,
        .safety,
        Citation(.core, "3.1.2.2", "MUST NOT reply with an ID Token or Access Token for a different user"),
        why: "In a shared browser, an application that renews one user's sign-in continues as another user.",
        reads: Sessions.hintedReturn,
        passesOn: .refusal,
        exempt: { hinted, _ in
            hinted.hint.claims["sub"] == nil ? "the hint has no sub, which another check reports" : nil
        },
        finding: { hinted, _ in
            guard let token = hinted.token, let sub = token.claims["sub"], sub != hinted.hint.claims["sub"] else {
                return nil
            }
            return Finding(
                "The provider returns an ID Token for a user other than the one in id_token_hint.",
                at: "id_token_hint",
                expected: "error=login_required",
                found: "an ID Token with sub \(sub.shown)",
                fix:
                    "Return login_required, or let the user sign in, when the sub of id_token_hint is not the session's."
            )
        }
    )

    static let loginHintIsNoError = Check(
        "authorization.login-hint.is-no-error",
        "The provider accepts a request with login_hint",
        .risk,
        .conformance,
        Citation(.core, "3.1.2.1", "The use of this parameter is left to the OP's discretion."),
        why: "Clients that send the user's address in login_hint receive an error. Most clients do not send it.",
        reads: StepResults.authorization(.loginHint),
        exempt: { _, facts in
            let plain = facts.evidence.run(Scenario.unknownParameter.id)?.authorization.value
            return plain?.page?.isError == true || plain?.redirect?.has("error") == true
                ? "an ordinary request is rejected as well" : nil
        },
        finding: { subject, _ in
            let error = subject.answer.redirect.flatMap { $0.has("error") ? $0.errorText : nil }
            guard let found = error ?? subject.answer.page.flatMap({ $0.isError ? $0.phrase : nil }) else { return nil }
            return Finding(
                "The provider rejects a request with login_hint: \(found).",
                at: "login_hint",
                expected: "the sign-in page",
                found: found,
                fix: "Prefill the sign-in form with login_hint, or ignore it."
            )
        }
    )

    package static let all: [Check] = [
        isAccepted, isAcceptedWithoutPrompt, forgedIsRefused, unsignedIsRefused, otherUserIsRefused, loginHintIsNoError,
    ]
}
