import Conformance
import JSONTree

/// Logout requests that the provider must ask the user about.
enum LogoutConfirmationChecks {
    static let otherUser = confirmed(
        "logout.id-token-hint.of-another-user-is-confirmed",
        "The provider asks the user before a logout with the ID Token of another user",
        .must,
        .safety,
        why: "An attacker can sign users out with a link that contains the attacker's own ID Token.",
        step: .hintOfOtherUser,
        hint: "the ID Token of another user",
        fix: "Compare the sub of id_token_hint with the user of the browser's session, and ask the user if they differ."
    )

    static let noHint = confirmed(
        "logout.id-token-hint.missing-is-confirmed",
        "The provider asks the user before a logout without an ID Token",
        .must,
        .safety,
        why: "An attacker can end users' sessions with a link to the end-session endpoint.",
        step: .clientAlone,
        hint: "client_id and no ID Token",
        fix: "Ask the user whether to log out if the request has no id_token_hint."
    )

    static let otherSession = confirmed(
        "logout.id-token-hint.of-another-session-is-confirmed",
        "The provider asks the user before a logout with the ID Token of an earlier session",
        // “and/or” in the sentence: a provider that compares only the user follows one reading of it.
        .should,
        .conformance,
        why: "Any page that has an old ID Token of the user ends the user's present session.",
        step: .hintOfEarlierSession,
        exempt: whyOneSession,
        hint: "the ID Token of a session that has ended",
        fix: "Compare the sid of id_token_hint with that of the browser's session, and ask the user if they differ."
    )

    static let all: [Check] = [otherUser, noHint, otherSession]

    private static func confirmed(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        why: String,
        step: StepID,
        exempt: @escaping @Sendable (UnconfirmedLogout, Facts) -> String? = { _, _ in nil },
        hint: String,
        fix: String
    ) -> Check {
        Check(
            id,
            title,
            requirement,
            consequence,
            Citation(
                .rpInitiatedLogout,
                "2",
                "the OP MUST ask the End-User this question if an id_token_hint was not provided or if the supplied ID Token "
                    + "does not belong to the current OP session with the RP and/or currently logged in End-User"
            ),
            why: why,
            reads: Sessions.unconfirmedLogout(step),
            exempt: { logout, facts in
                exempt(logout, facts)
                    ?? (logout.wasGranted || logout.endedSession
                        ? nil : "the response to prompt=none does not show whether the user is still signed in")
            },
            finding: { logout, _ in
                guard logout.endedSession else { return nil }
                return Finding(
                    "A logout request with \(hint) ends the session, and the user is not asked.",
                    at: "id_token_hint",
                    expected: "a page that asks the user whether to log out",
                    found: logout.answer.shown + ", then \(logout.afterwards.answer.shown) for prompt=none",
                    fix: fix
                )
            }
        )
    }

    /// Why the ID Tokens of the two sign-ins do not show two sessions; `nil` when they do.
    @Sendable private static func whyOneSession(_: UnconfirmedLogout, _ facts: Facts) -> String? {
        guard let pair = Sessions.pairs([(.logout, .again)]).samples(facts).first?.observation.value else {
            return "the second sign-in returned no ID Token"
        }
        guard pair.signedInAgain else { return "the user did not have to sign in again after the logout" }
        guard let first = pair.first.claims["sid"], let second = pair.second.claims["sid"] else {
            return "the ID Tokens have no sid, so sessions of one user cannot be distinguished"
        }
        return first == second ? "both sessions have the same sid" : nil
    }
}

extension AuthorizationAnswer {
    /// Where the browser went, in a few words.
    var shown: String {
        switch ending {
        case .redirected(let redirect):
            redirect.error.map { "error=\($0.shown(limit: 80))" } ?? "a redirect to \(redirect.address.shown())"
        case .page(let page): "a page with HTTP status \(page.status)"
        }
    }
}
