package import Conformance

/// Clients that authenticate with `private_key_jwt` (Core section 9, RFC 7523).
package enum AssertionChecks {
    private static func answers(
        _ name: String,
        _ read: @escaping @Sendable (ScenarioRun, Facts) -> Observation<CallResult>
    ) -> Query<RegisteredResponse<CallResult>> {
        Registrations.asRegistered(
            name,
            "token_endpoint_auth_method",
            [.assertingClient],
            needing: AuthenticationOrder.needs,
            read
        )
    }

    /// Responses to a valid assertion, for either audience.
    private static let right = Registrations.asRegistered(
        "responses to valid assertions",
        "token_endpoint_auth_method",
        [.assertingClient],
        needing: []
    ) { run, facts -> Observation<[CallResult]> in
        let first = Registrations.answer(run, .token, facts)
        let second = Registrations.answer(run, .forIssuer, facts)
        return first.map { [$0] + [second.value].compactMap { $0 } }
    }

    static let isAccepted = Check(
        "token.private-key-jwt.is-accepted",
        "The token endpoint accepts an assertion signed with the key registered for private_key_jwt",
        .must,
        .signIn,
        // Inferred from the list: a listed method is supported.
        Citation(.discovery, "3", "a list of Client Authentication methods supported by this Token Endpoint"),
        why: "The client cannot redeem a code, and users cannot sign in.",
        reads: right,
        finding: { subject, _ in
            // Clients use either the endpoint or the issuer as audience; accepting one of them is enough.
            guard !subject.value.contains(where: { $0.isAcceptance }), let first = subject.value.first else {
                return nil
            }
            return Finding(
                "The token endpoint rejects the client's assertion, whether aud is the token endpoint or the issuer.",
                at: "client_assertion",
                expected: "tokens",
                found: first.phrase,
                fix:
                    "Verify assertions with the keys in the client's jwks, or remove private_key_jwt from token_endpoint_auth_methods_supported."
            )
        }
    )

    static let otherKeyIsRefused = refused(
        "token.private-key-jwt.other-key-is-refused",
        "The token endpoint rejects an assertion signed with another key",
        Citation(
            .rfc7523,
            "3",
            "The JWT MUST be digitally signed or have a Message Authentication Code (MAC) applied by the issuer. The authorization server MUST reject JWTs with an invalid signature or MAC."
        ),
        why: "An attacker can impersonate the client.",
        step: .otherKey,
        "signed with a key that the client never registered",
        fix: "Verify the signature with the keys in the client's jwks, and return invalid_client if it does not match."
    )

    static let expiredIsRefused = refused(
        "token.private-key-jwt.expired-is-refused",
        "The token endpoint rejects an expired assertion",
        Citation(.rfc7523, "3", "The authorization server MUST reject any JWT with an expiration time that has passed"),
        why: "An attacker who finds a leaked assertion can use it indefinitely.",
        step: .expired,
        "that expired an hour earlier",
        fix: "Reject assertions whose exp has passed; allow 1 or 2 minutes of clock skew."
    )

    static let otherAudienceIsRefused = refused(
        "token.private-key-jwt.other-audience-is-refused",
        "The token endpoint rejects an assertion for another server",
        Citation(
            .rfc7523,
            "3",
            "the authorization server MUST reject any JWT that does not contain its own identity as the intended audience"
        ),
        why:
            "Another server to which the client authenticates can replay the assertion here and impersonate the client.",
        step: .otherAudience,
        "whose aud is another server",
        fix: "Reject assertions whose aud is neither the issuer nor the token endpoint."
    )

    /// A check that an invalid assertion does not authenticate the client.
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
            supersededBy: ["token.private-key-jwt.is-accepted"],
            passesOn: .refusal,
            exempt: { _, facts in AuthenticationOrder.whyUnknown(facts) },
            finding: { subject, _ in
                guard subject.value.isAcceptance else { return nil }
                return Finding(
                    "The token endpoint accepts an assertion \(what).",
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
