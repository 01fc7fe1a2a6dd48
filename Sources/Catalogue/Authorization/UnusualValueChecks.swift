package import Conformance
import JSONTree

/// Valid requests that look unusual: by POST, in another order, with unusual or missing values.
package enum UnusualValueChecks {
    private static let exactValue = Citation(.rfc6749, "4.1.2", "The exact value received from the client.")

    static let postIsAccepted = AcceptedRequests.check(
        "authorization.post.is-accepted",
        "The authorization endpoint accepts requests by POST",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST support the use of the HTTP GET and POST methods"),
        why: "Clients that send long requests by POST, such as request objects, receive an error. "
            + "Most clients use GET.",
        reads: posts,
        what: "its parameters in the body of a POST",
        at: nil,
        fix: "Accept authorization requests by POST too, without a CSRF token: they come from other sites."
    )

    static let orderDoesNotMatter = AcceptedRequests.check(
        "authorization.scope.order-does-not-matter",
        "The provider accepts parameters and scope values in any order",
        .must,
        .signIn,
        Citation(.rfc6749, "3.3", "their order does not matter"),
        why: "Libraries write the values in different orders, and sign-in fails with some of them.",
        reads: StepResults.authorization(.unusualValues, .order, or: .joint),
        what: "parameters and scope values in another order",
        at: "scope",
        fix: "Look for openid anywhere in scope, and read parameters in any order."
    )

    static let ordinaryLength = Check(
        "authorization.state-and-nonce.may-be-long",
        "The provider accepts a state of 32 and a nonce of 64 characters",
        .must,
        .signIn,
        exactValue,
        why:
            "Sign-in fails on platforms whose values are longer than the provider accepts; Firebase sends 64 characters.",
        reads: StepResults.flowsAndSimpler,
        exempt: { subject, facts in
            !facts.wasRefusedWithout(.short) && (subject.isGranted || facts.collected.takesRefusedRequest(.short))
                ? nil : "the request was not granted, and the length of its values is not known to be the cause"
        },
        finding: { subject, _ in
            guard let refusal = subject.refusal else { return nil }
            return Finding(
                "The provider rejects an ordinary request: \(refusal). "
                    + "It accepts the request with a state and a nonce of 8 characters.",
                at: "state, nonce",
                expected: "the same response as to the shorter request",
                found: refusal,
                fix:
                    "Accept a state and a nonce of any length that fits into a URL. Enlarge the storage that keeps them "
                    + "until the user has signed in."
            )
        }
    )

    static let state128 = Check(
        "authorization.state.long-is-returned",
        "The provider returns a state of 128 characters unchanged",
        .must,
        .signIn,
        exactValue,
        why: "Clients that store the return URL in state, signed or encrypted, reject the response.",
        reads: StepResults.authorization(.unusualValues, .order, or: .joint),
        supersededBy: ["authorization.state.is-echoed"],
        exempt: { subject, _ in subject.isGranted ? nil : "the request was not granted" },
        rule: { subject, _ in
            subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
        }
    )

    static let state512 = Check(
        "authorization.state.very-long-is-returned",
        "The provider accepts a state of 512 characters and returns it unchanged",
        .risk,
        .signIn,
        exactValue,
        why: "Sign-in fails with clients that store the return URL in state, whose length no specification limits.",
        reads: StepResults.authorization(.unusualValues, .longState, or: .joint),
        supersededBy: [
            "authorization.flow.succeeds", "authorization.state.is-echoed", "authorization.state.long-is-returned",
        ],
        exempt: { subject, _ in subject.isInconclusive },
        rule: { subject, _ in refusedOrChanged(subject, "a state of 512 characters") }
    )

    static let shortState = AcceptedRequests.check(
        "authorization.state.may-be-short",
        "The provider accepts a state of 8 characters",
        .must,
        // No measured client sends a state that short.
        .conformance,
        Citation(.rfc6749, "A.5", "state = 1*VSCHAR"),
        why: "Clients that send a shorter state than the provider accepts receive an error. "
            + "Most clients send a longer state.",
        reads: StepResults.authorization(.optionalParameters, .shortState, or: .joint),
        what: "a state of 8 characters",
        at: "state",
        fix: "Accept a state of any length; the client is responsible for its entropy."
    )

    static let shortNonce = AcceptedRequests.check(
        "authorization.nonce.may-be-short",
        "The provider accepts a nonce of 8 characters",
        // No specification sets a minimum; Core section 15.5.2 requires sufficient entropy of clients.
        .risk,
        .signIn,
        Citation(
            .core,
            "3.1.2.1",
            "The value is passed through unmodified from the Authentication Request to the ID Token."
        ),
        why: "Sign-in fails with every client that sends a shorter nonce than the provider accepts.",
        reads: StepResults.authorization(.optionalParameters, .shortNonce, or: .joint),
        what: "a nonce of 8 characters",
        at: "nonce",
        fix: "Accept a nonce of any length; the client is responsible for its entropy."
    )

    static let specialState = Check(
        "authorization.state.special-characters-are-returned",
        "The provider accepts a state with special characters and returns it unchanged",
        .must,
        .conformance,
        exactValue,
        why:
            "A state in base64 can contain +. A client rejects the response if the provider changes the state.",
        reads: specialStates,
        supersededBy: [
            "authorization.flow.succeeds", "authorization.state.is-echoed", "authorization.state.is-echoed-with-errors",
            "authorization.state.letter-case-is-kept",
        ],
        exempt: { subject, _ in subject.isInconclusive },
        rule: { subject, _ in
            guard subject.asked.sentParameter("prompt") == "none" else {
                return refusedOrChanged(subject, "special characters in state")
            }
            // An error there comes from prompt=none, and has the state as well.
            return subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
        }
    )

    static let stateKeepsItsCase = Check(
        "authorization.state.letter-case-is-kept",
        "The provider returns the upper-case and lower-case letters of state unchanged",
        .must,
        .signIn,
        exactValue,
        why:
            "A state in base64url has letters of both cases. A client rejects the response if the provider changes them.",
        reads: specialStates,
        supersededBy: ["authorization.flow.succeeds", "authorization.state.is-echoed"],
        exempt: { subject, _ in subject.isInconclusive },
        finding: { subject, _ in
            guard let sent = subject.asked.sentParameter("state"),
                let received = subject.answer.redirect?.first("state"), sent != received,
                sent.lowercased() == received.lowercased()
            else { return nil }
            return Finding(
                "The state in the response has other upper-case or lower-case letters than the state in the request.",
                at: "state",
                expected: sent.shown(),
                found: received.shown(),
                fix: "Store and return state as it is, without a conversion to lower case."
            )
        }
    )

    /// The responses in the query, and those to a silent request in the fragment, where other code encodes the state.
    private static let specialStates: Query<AuthorizationResult> = {
        let query = StepResults.authorization(.unusualValues, .specialState)
            .orElse(StepResults.authorization(.unusualValues, .special, or: .joint))
        let fragment = StepResults.authorizations(
            ofTypes: .promptNone,
            whenEmpty: "no configured flow returns its response in the fragment",
            concerns: \.isFrontChannel
        )
        return Query(query.name, needs: query.needs, features: query.features) { facts in
            // If no response came in the fragment, the query is still checked.
            query.samples(facts) + fragment.samples(facts).filter { $0.observation.value?.answer.redirect != nil }
        }
    }()

    static let specialNonceIsAccepted = AcceptedRequests.check(
        "authorization.nonce.special-characters-are-accepted",
        "The provider accepts a nonce of 200 characters, including special characters",
        .must,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "The value is passed through unmodified from the Authentication Request to the ID Token."
        ),
        why: "Clients whose nonce is long or contains special characters receive an error. "
            + "Most clients send shorter values of letters and digits.",
        reads: StepResults.authorization(.unusualValues, .specialNonce)
            .orElse(StepResults.authorization(.unusualValues, .special, or: .joint)),
        what: "a nonce of 200 characters, including special characters",
        at: "nonce",
        fix: "Accept every printable ASCII character in nonce, at any length."
    )

    static let specialNonce = Check(
        "idtoken.nonce.special-characters-are-returned",
        "The ID Token returns a nonce of 200 characters, including special characters, unchanged",
        .must,
        .conformance,
        Citation(.core, "2", "with the Claim Value being the nonce value sent in the Authentication Request"),
        why: "Clients that send base64 reject the ID Token if + changes. "
            + "Most send hexadecimal digits and notice nothing.",
        reads: tokensWithSpecialNonce,
        concerns: .ofClaim("nonce"),
        supersededBy: ["idtoken.nonce.is-echoed", "idtoken.nonce.is-of-its-own-request"],
        finding: { token, facts in
            if let nonce = token.claims["nonce"]?.stringValue, nonce.hasSameBytes(as: Scenario.specialNonce) {
                return nil
            }
            return .claim(
                "nonce",
                facts.differingNonce(token.claims["nonce"]),
                expected: Scenario.specialNonce.shown(),
                found: token.claims["nonce"],
                fix: "Decode nonce once, store it, and copy it into the ID Token unchanged."
            )
        }
    )

    static let stateMayBeAbsent = AcceptedRequests.check(
        "authorization.state.may-be-absent",
        "The provider accepts a request without state",
        .should,
        .signIn,
        Citation(.core, "3.1.2.1", "state RECOMMENDED."),
        why: "Sign-in fails with clients that rely on PKCE or nonce and send no state.",
        reads: StepResults.authorization(.unusualValues, .noState),
        what: "no state",
        at: "state",
        fix: "Accept requests without state."
    )

    static let stateIsNotInvented = Check(
        "authorization.state.is-not-invented",
        "The provider returns no state for a request without state",
        .risk,
        .signIn,
        Citation(
            .rfc6749,
            "4.1.2",
            "REQUIRED if the \"state\" parameter was present in the client authorization request."
        ),
        why: "A client that sent no state rejects the response as forged.",
        reads: StepResults.authorization(.unusualValues, .noState),
        supersededBy: ["authorization.state.is-echoed"],
        exempt: { subject, _ in subject.answer.redirect == nil ? "the response was a page" : nil },
        rule: { subject, _ in
            subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
        }
    )

    static let nonceMayBeAbsent = AcceptedRequests.check(
        "authorization.nonce.may-be-absent",
        "The provider accepts a code flow request without a nonce",
        .must,
        .signIn,
        Citation(.core, "3.1.2.1", "nonce OPTIONAL."),
        why: "Sign-in fails on platforms that send no nonce with the code flow.",
        reads: StepResults.authorization(.codeLiberties, .noNonce),
        what: "no nonce",
        at: "nonce",
        fix: "Require a nonce only when response_type includes id_token.",
        exempt: { subject in
            subject.asked.responseType.hasIDToken ? "this response type requires a nonce" : nil
        }
    )

    static let unknownScopeIsIgnored = AcceptedRequests.check(
        "authorization.scope.unknown-is-ignored",
        "The provider ignores an unknown scope value",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "Scope values used that are not understood by an implementation SHOULD be ignored."
        ),
        why: "A client that sends the same scopes to several providers fails at those that support fewer.",
        reads: StepResults.authorization(.unusualValues, .unknownScope, or: .joint),
        what: "the scope value preflight_unknown",
        at: "scope",
        fix: "Ignore unknown scope values, and list the granted ones as scope in the token response."
    )

    static let withoutOpenID = Check(
        "authorization.scope.without-openid-yields-no-id-token",
        "The provider issues no ID Token without the scope openid",
        .may,
        .conformance,
        Citation(.core, "3.1.2.1", "If the openid scope value is not present, the behavior is entirely unspecified."),
        why: "A client that forgets the scope openid works with this provider and fails with others.",
        reads: tokensWithoutOpenID,
        exempt: { subject, _ in
            subject.isSuccess ? nil : "the token endpoint issued no tokens"
        },
        finding: { subject, _ in
            guard subject.json?["id_token"] != nil else { return nil }
            return Finding(
                "The provider issues an ID Token although scope does not contain openid.",
                at: "/id_token",
                expected: "no ID Token",
                found: "an ID Token",
                fix: "Issue ID Tokens only when scope contains openid."
            )
        }
    )

    /// The responses to a POST, up to the sign-in page and through the sign-in, until which the provider must store the request.
    private static let posts: Query<AuthorizationResult> = {
        let (plain, elsewhere) = (
            StepResults.authorization(.byPOST), StepResults.authorization(.silentReturn, .elsewhere)
        )
        return Query(plain.name, needs: plain.needs, features: plain.features) { facts in
            plain.samples(facts)
                // This request needs a user, and the check does not wait for one.
                + elsewhere.samples(facts).filter { $0.observation.value != nil }
                .map { $0.labelled("in a browser without a session") }
        }
    }()

    package static let all: [Check] = [
        postIsAccepted, orderDoesNotMatter, ordinaryLength, shortState, shortNonce, state128, state512,
        stateKeepsItsCase, specialState,
        specialNonceIsAccepted,
        Check(specialNonce, in: .idtoken),
        stateMayBeAbsent,
        stateIsNotInvented, nonceMayBeAbsent, unknownScopeIsIgnored, withoutOpenID,
    ]

    /// The ID Token of a request with a special nonce; none if the provider rejected that nonce, which another check reports.
    private static let tokensWithSpecialNonce = StepResults.anyIDToken(.unusualValues, .specialNonce)
        .orElse(StepResults.anyIDToken(.unusualValues, .special, or: .joint))
        .narrowed("an ID Token with a special nonce", whenEmpty: "the provider rejected the nonce") { sample, facts in
            guard case .absent = sample.observation else { return sample }
            let asked = StepResults.authorization(.unusualValues, .specialNonce).samples(facts).first?.observation
                .value
            guard case .refused? = asked?.outcome else { return sample }
            return nil
        }

    /// The token response to the code of a request without openid; empty if the provider issued no code, as it may.
    private static let tokensWithoutOpenID = StepResults.answer(.codeLiberties, .noOpenID.token)
        .narrowed(
            "token response to a code of a request without openid",
            whenEmpty: "the provider rejected the request, as it may"
        ) {
            sample,
            facts in
            guard case .absent = sample.observation,
                let asked = facts.evidence.run(Scenario.codeLiberties.id)?.authorization(.noOpenID).value
            else { return sample }
            return asked.redirect?.has("code") == true ? sample : nil
        }

    private static func refusedOrChanged(_ subject: AuthorizationResult, _ what: String) -> [Finding] {
        if let refusal = subject.refusal {
            return [
                Finding(
                    "The provider rejects a request with \(what): \(refusal).",
                    at: "state",
                    expected: "the response to an ordinary request",
                    found: refusal,
                    fix: "Accept every printable ASCII character in state, at any length."
                )
            ]
        }
        return subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
    }
}
