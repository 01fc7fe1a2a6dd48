package import Conformance
import JSONTree

/// Requests that are as good as any other and look different: by POST, in another order, with unusual values or without.
package enum UnusualValueChecks {
    private static let exactValue = Citation(.rfc6749, "4.1.2", "The exact value received from the client.")

    package static let postIsAccepted = AcceptedRequests.check(
        "authorization.post.is-accepted",
        "The authorization endpoint takes requests by POST",
        .must,
        .conformance,
        Citation(.core, "3.1.2.1", "MUST support the use of the HTTP GET and POST methods"),
        why: "Clients with long requests, such as those with request objects, send them by POST.",
        reads: posts,
        what: "its parameters in the body of a POST",
        at: nil,
        fix: "Take authorization requests by POST as well, without a token against forgery: they come from other sites."
    )

    package static let orderDoesNotMatter = AcceptedRequests.check(
        "authorization.scope.order-does-not-matter",
        "Parameters and scope values are taken in any order",
        .must,
        .signIn,
        Citation(.rfc6749, "3.3", "their order does not matter"),
        why: "Libraries write them in orders of their own.",
        reads: Conversations.authorization(.unusualValues, .order, or: .joint),
        what: "parameters and scope values in another order",
        at: "scope",
        fix: "Look for openid anywhere in scope, and read parameters in any order."
    )

    package static let ordinaryLength = Check(
        "authorization.state-and-nonce.may-be-long",
        "A state of 32 and a nonce of 64 characters are taken",
        .must,
        .signIn,
        exactValue,
        why:
            "Nobody signs in from a platform whose values are longer than the provider takes; Firebase's have 64 characters.",
        reads: Conversations.flowsAndSimpler,
        exempt: { subject, facts in
            !facts.wasRefusedWithout(.short) && (subject.isGranted || facts.collected.takesRefusedRequest(.short))
                ? nil : "the request was not granted, and not for the length of its values"
        },
        finding: { subject, _ in
            guard let refusal = subject.refusal else { return nil }
            return Finding(
                "An ordinary request was refused with \(refusal); "
                    + "with a state and a nonce of 8 characters it is let in.",
                at: "state, nonce",
                expected: "the answer that the shorter request has",
                found: refusal,
                fix:
                    "Take a state and a nonce of any length that fits into an address: make room for them where they are "
                    + "kept until the person has signed in."
            )
        }
    )

    package static let state128 = Check(
        "authorization.state.long-is-returned",
        "A state of 128 characters comes back whole",
        .must,
        .signIn,
        exactValue,
        why: "Clients that keep the way back in state, signed or encrypted, refuse the answer.",
        reads: Conversations.authorization(.unusualValues, .order, or: .joint),
        excusedBy: ["authorization.state.is-echoed"],
        exempt: { subject, _ in subject.isGranted ? nil : "the request was not granted" },
        rule: { subject, _ in
            subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
        }
    )

    package static let state512 = Check(
        "authorization.state.very-long-is-returned",
        "A state of 512 characters is accepted and comes back whole",
        .risk,
        .signIn,
        exactValue,
        why: "No text sets a bound; clients that keep the way back in state reach such lengths.",
        reads: Conversations.authorization(.unusualValues, .longState, or: .joint),
        excusedBy: [
            "authorization.flow.succeeds", "authorization.state.is-echoed", "authorization.state.long-is-returned",
        ],
        exempt: { subject, _ in subject.isUndecided },
        rule: { subject, _ in refusedOrChanged(subject, "a state of 512 characters") }
    )

    package static let shortState = AcceptedRequests.check(
        "authorization.state.may-be-short",
        "A state of 8 characters is accepted",
        .must,
        .signIn,
        Citation(.rfc6749, "A.5", "state = 1*VSCHAR"),
        why: "Sign-in fails with every client that sends a shorter state than the provider accepts.",
        reads: Conversations.authorization(.optionalParameters, .shortState, or: .joint),
        what: "a state of 8 characters",
        at: "state",
        fix: "Accept a state of any length; the client is responsible for its entropy."
    )

    package static let shortNonce = AcceptedRequests.check(
        "authorization.nonce.may-be-short",
        "A nonce of 8 characters is accepted",
        // No text sets a bound; Core section 15.5.2 asks clients for sufficient entropy.
        .risk,
        .signIn,
        Citation(
            .core,
            "3.1.2.1",
            "The value is passed through unmodified from the Authentication Request to the ID Token."
        ),
        why: "Sign-in fails with every client that sends a shorter nonce than the provider accepts.",
        reads: Conversations.authorization(.optionalParameters, .shortNonce, or: .joint),
        what: "a nonce of 8 characters",
        at: "nonce",
        fix: "Accept a nonce of any length; the client is responsible for its entropy."
    )

    package static let specialState = Check(
        "authorization.state.special-characters-are-returned",
        "A state with special characters is accepted and comes back unchanged",
        .must,
        .conformance,
        exactValue,
        why: "State in base64 has +, / and =; a + that comes back as a space ends every sign-in of some clients.",
        reads: specialStates,
        excusedBy: [
            "authorization.flow.succeeds", "authorization.state.is-echoed", "authorization.state.is-echoed-with-errors",
        ],
        exempt: { subject, _ in subject.isUndecided },
        rule: { subject, _ in
            guard subject.asked.sentParameter("prompt") == "none" else {
                return refusedOrChanged(subject, "special characters in state and nonce")
            }
            // A refusal there is that of prompt=none, and has the state as well.
            return subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
        }
    )

    /// The answers in the query, and to a silent request in the fragment, where a state is encoded by other code.
    private static let specialStates: Slot<AnsweredAuthorization> = {
        let query = Conversations.authorization(.unusualValues, .special, or: .joint)
        let fragment = Conversations.authorizations(
            ofTypes: .promptNone,
            whenEmpty: "no configured flow is answered in the fragment",
            concerns: \.isFrontChannel
        )
        return Slot(query.name, needs: query.needs, features: query.features) { facts in
            // Where nothing came back in the fragment, the query is judged all the same.
            query.samples(facts) + fragment.samples(facts).filter { $0.observation.value?.answer.redirect != nil }
        }
    }()

    package static let specialNonce = Check(
        "idtoken.nonce.special-characters-are-returned",
        "A nonce of 200 characters with special ones comes back unchanged",
        .must,
        .conformance,
        Citation(.core, "2", "with the Claim Value being the nonce value sent in the Authentication Request"),
        why: "A nonce in base64 has +, / and =; a + that becomes a space ends every sign-in of some clients.",
        reads: Conversations.anyIDToken(.unusualValues, .special, or: .joint),
        concerns: .ofClaim("nonce"),
        excusedBy: ["idtoken.nonce.is-echoed"],
        finding: { token, _ in
            if let nonce = token.claims["nonce"]?.stringValue, nonce.hasSameOctets(as: Scenario.specialNonce) {
                return nil
            }
            return .claim(
                "nonce",
                token.claims.has("nonce") ? "The nonce came back changed." : "The ID Token has no nonce.",
                expected: Scenario.specialNonce.shown(),
                found: token.claims["nonce"],
                fix: "Keep the nonce as it was sent, decoded once, and copy it into the ID Token unchanged."
            )
        }
    )

    package static let stateMayBeAbsent = AcceptedRequests.check(
        "authorization.state.may-be-absent",
        "A request without state is accepted",
        .should,
        .signIn,
        Citation(.core, "3.1.2.1", "state RECOMMENDED."),
        why: "Clients that are safe by PKCE or nonce send none, and nobody can sign in to them.",
        reads: Conversations.authorization(.unusualValues, .noState),
        what: "no state",
        at: "state",
        fix: "Accept requests without state."
    )

    package static let stateIsNotInvented = Check(
        "authorization.state.is-not-invented",
        "A request without state is answered without state",
        .risk,
        .signIn,
        Citation(
            .rfc6749,
            "4.1.2",
            "REQUIRED if the \"state\" parameter was present in the client authorization request."
        ),
        why: "A client that sent none takes the answer for somebody else's.",
        reads: Conversations.authorization(.unusualValues, .noState),
        excusedBy: ["authorization.state.is-echoed"],
        exempt: { subject, _ in subject.answer.redirect == nil ? "the answer was a page" : nil },
        rule: { subject, _ in
            subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
        }
    )

    package static let nonceMayBeAbsent = AcceptedRequests.check(
        "authorization.nonce.may-be-absent",
        "A code flow request without a nonce is accepted",
        .must,
        .signIn,
        Citation(.core, "3.1.2.1", "nonce OPTIONAL."),
        why: "Platforms that send no nonce with the code flow cannot sign anybody in.",
        reads: Conversations.authorization(.codeLiberties, .noNonce),
        what: "no nonce",
        at: "nonce",
        fix: "Demand a nonce only when response_type names id_token.",
        exempt: { subject in
            subject.asked.responseType.hasIDToken ? "with this response type a nonce is demanded rightly" : nil
        }
    )

    package static let unknownScopeIsIgnored = AcceptedRequests.check(
        "authorization.scope.unknown-is-ignored",
        "A scope value that is not known is ignored",
        .should,
        .conformance,
        Citation(
            .core,
            "3.1.2.1",
            "Scope values used that are not understood by an implementation SHOULD be ignored."
        ),
        why: "A client that asks several providers for the same scopes fails at the one that knows fewer.",
        reads: Conversations.authorization(.unusualValues, .unknownScope, or: .joint),
        what: "the scope value preflight_unknown",
        at: "scope",
        fix: "Ignore scope values that are not known, and tell by scope in the token response what was granted."
    )

    package static let withoutOpenID = Check(
        "authorization.scope.without-openid-yields-no-id-token",
        "Without the scope openid no ID Token is issued",
        .may,
        .conformance,
        Citation(.core, "3.1.2.1", "If the openid scope value is not present, the behavior is entirely unspecified."),
        why: "A client that forgot the scope works here and nowhere else.",
        reads: tokensWithoutOpenID,
        exempt: { subject, _ in
            (200...299).contains(subject.response.status) ? nil : "the token endpoint gave no tokens"
        },
        finding: { subject, _ in
            guard subject.json?["id_token"] != nil else { return nil }
            return Finding(
                "An ID Token was issued though scope did not name openid.",
                at: "/id_token",
                expected: "no ID Token",
                found: "an ID Token",
                fix: "Issue ID Tokens only when scope names openid."
            )
        }
    )

    /// The answers to a POST where the user is signed in, and where the provider has to keep the request until the user is.
    private static let posts: Slot<AnsweredAuthorization> = {
        let (plain, elsewhere) = (
            Conversations.authorization(.byPOST), Conversations.authorization(.silentReturn, .elsewhere)
        )
        return Slot(plain.name, needs: plain.needs, features: plain.features) { facts in
            plain.samples(facts)
                // That one takes a user, which the check does not wait for.
                + elsewhere.samples(facts).filter { $0.observation.value != nil }
                .map { $0.labelled("in a browser in which the user has to sign in first") }
        }
    }()

    package static let all: [Check] = [
        postIsAccepted, orderDoesNotMatter, ordinaryLength, shortState, shortNonce, state128, state512, specialState,
        Check(specialNonce, in: .idtoken),
        stateMayBeAbsent,
        stateIsNotInvented, nonceMayBeAbsent, unknownScopeIsIgnored, withoutOpenID,
    ]

    /// The answer to the code of a request without openid; nothing where no code was given, which is left to the provider.
    private static let tokensWithoutOpenID = Conversations.answer(.codeLiberties, .noOpenID.token)
        .narrowed("token response to a code of plain OAuth", whenEmpty: "the provider refused the request, as it may") {
            sample,
            facts in
            guard case .absent = sample.observation,
                let asked = facts.evidence.run(Scenario.codeLiberties.id)?.authorization(.noOpenID).value
            else { return sample }
            return asked.redirect?.has("code") == true ? sample : nil
        }

    private static func refusedOrChanged(_ subject: AnsweredAuthorization, _ what: String) -> [Finding] {
        if let refusal = subject.refusal {
            return [
                Finding(
                    "A request with \(what) was answered with \(refusal).",
                    at: "state",
                    expected: "the same as without",
                    found: refusal,
                    fix: "Accept every printable ASCII character in state, and as many as there are."
                )
            ]
        }
        return subject.answer.redirect.map { StateChecks.findings(subject.asked, $0) } ?? []
    }
}
