package import Conformance

/// Clients that authenticate with `private_key_jwt` (Core section 9, RFC 7523).
package enum AssertionChecks {
    private static func answers(
        _ name: String,
        _ read: @escaping @Sendable (ScenarioRun, Facts) -> Observation<AnsweredCall>
    ) -> Slot<AsRegistered<AnsweredCall>> {
        Registrations.asRegistered(
            name,
            "token_endpoint_auth_method",
            [.assertingClient],
            needing: AuthenticationOrder.needs,
            read
        )
    }

    /// Every answer to an assertion that is in order, whichever audience it names.
    private static let right = Registrations.asRegistered(
        "answers to assertions that are in order",
        "token_endpoint_auth_method",
        [.assertingClient],
        needing: []
    ) { run, facts -> Observation<[AnsweredCall]> in
        let first = Registrations.answer(run, .token, facts)
        let second = Registrations.answer(run, .forIssuer, facts)
        return first.map { [$0] + [second.value].compactMap { $0 } }
    }

    package static let isAccepted = Check(
        "token.private-key-jwt.is-accepted",
        "A client that registered for private_key_jwt is let in with its key",
        .must,
        .signIn,
        // The promise is the list's: a method that stands there is supported.
        Citation(.discovery, "3", "a list of Client Authentication methods supported by this Token Endpoint"),
        why: "The client can redeem no code, and nobody can sign in.",
        reads: right,
        finding: { subject, _ in
            // The endpoint's address and the issuer are both in use as audience; who takes one of them is right.
            guard !subject.value.contains(where: { $0.isAcceptance }), let first = subject.value.first else {
                return nil
            }
            return Finding(
                "The token endpoint refused the client's assertion, for the endpoint and for the issuer as its audience.",
                at: "client_assertion",
                expected: "tokens",
                found: first.phrase,
                fix:
                    "Verify assertions with the keys in the client's jwks, or take private_key_jwt out of token_endpoint_auth_methods_supported."
            )
        }
    )

    package static let otherKeyIsRefused = refused(
        "token.private-key-jwt.other-key-is-refused",
        "An assertion that another key signed is refused",
        Citation(
            .rfc7523,
            "3",
            "The JWT MUST be digitally signed or have a Message Authentication Code (MAC) applied by the issuer. The authorization server MUST reject JWTs with an invalid signature or MAC."
        ),
        why: "Anybody can speak for the client.",
        step: .otherKey,
        "with a signature by a key that the client never registered",
        fix: "Verify the signature with the keys in the client's jwks, and refuse with invalid_client."
    )

    package static let expiredIsRefused = refused(
        "token.private-key-jwt.expired-is-refused",
        "An assertion that has expired is refused",
        Citation(.rfc7523, "3", "The authorization server MUST reject any JWT with an expiration time that has passed"),
        why: "Whoever finds an assertion that leaked can use it for ever.",
        step: .expired,
        "that had expired an hour before",
        fix: "Refuse assertions whose exp has passed, a minute or two of clock skew allowed."
    )

    package static let otherAudienceIsRefused = refused(
        "token.private-key-jwt.other-audience-is-refused",
        "An assertion for another server is refused",
        Citation(
            .rfc7523,
            "3",
            "the authorization server MUST reject any JWT that does not contain its own identity as the intended audience"
        ),
        why: "Another server to which the client authenticates can pass its assertion on and speak for it here.",
        step: .otherAudience,
        "that was made for another server",
        fix: "Refuse assertions whose aud is neither the issuer nor the token endpoint."
    )

    /// An assertion is all that proves who the client is.
    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        why: String,
        step: StepID,
        _ what: String,
        fix: String
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .safety,
            citation,
            why: why,
            reads: answers(title) { run, facts in Registrations.answer(run, step, facts) },
            excusedBy: ["token.private-key-jwt.is-accepted"],
            passesOn: .refusal,
            exempt: { _, facts in AuthenticationOrder.whyUnknown(facts) },
            finding: { subject, _ in
                guard subject.value.isAcceptance else { return nil }
                return Finding(
                    "The token endpoint let the client in by an assertion \(what).",
                    at: "client_assertion",
                    expected: "HTTP status 401 and error invalid_client",
                    found: subject.value.phrase,
                    fix: fix
                )
            }
        )
    }

    package static let all: [Check] = [isAccepted, otherKeyIsRefused, expiredIsRefused, otherAudienceIsRefused]
}
