import Conformance

/// Unusual but valid token requests that a provider has to accept.
///
/// Each has a bogus code: if the baseline request is rejected with `invalid_grant`, so must these be.
enum TokenWritingChecks {
    static let all: [Check] = [
        check(
            "token.media-type.may-name-a-charset",
            "The token endpoint accepts a request whose Content-Type has charset=UTF-8",
            // RFC 6749 section 4.1.3 requires UTF-8; no specification says whether the media type may state it.
            .risk,
            .signIn,
            Citation(.rfc6749, "4.1.3", "with a character encoding of UTF-8 in the HTTP request entity-body"),
            why: "Spring, Apache HttpClient and others add the charset, and their users cannot sign in.",
            .charset,
            "Content-Type: application/x-www-form-urlencoded;charset=UTF-8",
            at: "Content-Type",
            fix: "Compare the media type without its parameters."
        ),
        check(
            "token.unknown-parameter.is-ignored",
            "The token endpoint ignores an unknown parameter",
            .must,
            .signIn,
            Citation(.rfc6749, "3.2", "The authorization server MUST ignore unrecognized request parameters."),
            why: "Clients that add a custom parameter, or one from a newer specification, cannot redeem a code.",
            .unknownParameter,
            "the unknown parameter preflight_unknown",
            at: "preflight_unknown",
            fix: "Ignore parameters that the token endpoint does not know."
        ),
        check(
            "token.scope.is-ignored-with-a-code",
            "The token endpoint ignores scope in a request with a code",
            .risk,
            .signIn,
            Citation(
                .rfc6749,
                "3.3",
                "The authorization and token endpoints allow the client to specify the scope of the access request"
            ),
            why: "Clients that send scope with every token request cannot redeem a code.",
            .scope,
            "scope",
            at: "scope",
            fix: "Ignore scope if the grant type does not use it."
        ),
        check(
            "token.resource.has-right-error",
            "The token endpoint ignores or supports the resource parameter, or returns invalid_target",
            // The parameter was registered after RFC 6749: a provider that does not know it must ignore it.
            .must,
            .signIn,
            Citation(.rfc6749, "3.2", "The authorization server MUST ignore unrecognized request parameters."),
            why: "MCP clients send resource with each token request, and cannot redeem a code.",
            .resource,
            "a resource indicator",
            at: "resource",
            fix: "Ignore resource, or return invalid_target if the resource is unknown (RFC 8707 section 2).",
            supersededBy: ["token.unknown-parameter.is-ignored"]
        ),
        check(
            "token.client-id.may-stand-beside-basic",
            "The token endpoint accepts client_id in the body of a request with HTTP Basic",
            // Erratum 3780 (held for document update) limits the sentence to public clients; many libraries send both.
            .risk,
            .signIn,
            Citation(.rfc6749, "3.2.1", "A client MAY use the \"client_id\" request parameter to identify itself"),
            why: "Libraries that send client_id with every token request cannot redeem a code.",
            .clientID,
            "client_id in addition to HTTP Basic",
            at: "client_id",
            fix: "Accept client_id in addition to HTTP Basic if both name the same client."
        ),
        check(
            "token.basic.scheme-may-be-in-lower-case",
            "The token endpoint accepts the scheme Basic in lower case",
            // The sentence is a definition without MUST.
            .risk,
            .conformance,
            Citation(
                .rfc9110,
                "11.1",
                "It uses a case-insensitive token as a means to identify the authentication scheme"
            ),
            why: "Clients that write the scheme in lower case get invalid_client although their credentials are right.",
            .lowerCaseScheme,
            "Authorization: basic",
            at: "Authorization",
            fix: "Compare the scheme of the Authorization header case-insensitively."
        ),
        check(
            "token.basic.percent-encoding-is-undone",
            "The token endpoint decodes a percent-encoded letter of the secret in the Authorization header",
            .risk,
            .conformance,
            Citation(
                .rfc6749,
                "2.3.1",
                "encoded using the \"application/x-www-form-urlencoded\" encoding algorithm per Appendix B"
            ),
            why:
                "The provider rejects a client that encodes special characters in its secret, or that encodes every letter.",
            .percentEncoded,
            "a percent-encoded letter of the secret in the Authorization header",
            at: "Authorization",
            fix: "Decode client ID and secret as application/x-www-form-urlencoded after base64.",
            supersededBy: ["token.basic.form-encoding-is-undone"]
        ),
    ]

    private static func check(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ consequence: Consequence,
        _ citation: Citation,
        why: String,
        _ step: StepID,
        _ difference: String,
        at place: String,
        fix: String,
        supersededBy supersedes: [CheckID] = []
    ) -> Check {
        let isOfClient = [StepID.clientID, .lowerCaseScheme, .percentEncoded].contains(step)
        let own = IncorrectRedemptions.query(.otherWritings, step)
        let query =
            step == .resource
            ? own
            : (isOfClient ? own : own.orElse(IncorrectRedemptions.query(.otherWritings, .joint)))
                .orElse(IncorrectRedemptions.query(.otherWritings, .jointBasic))
        return Check(
            id,
            title,
            requirement,
            consequence,
            citation,
            why: why,
            reads: Query(
                query.name,
                needs: query.needs.union(TokenErrors.rightSecret.needs).union(AuthenticationOrder.needs),
                features: query.features,
                samples: query.samples
            ),
            supersededBy: supersedes,
            exempt: { subject, facts in
                guard isUsualRequestRead(facts) else {
                    return "the baseline request is not rejected with invalid_grant for its bogus code either"
                }
                // If the code is checked first, invalid_grant does not show that the client was accepted.
                return isOfClient && subject.isAcceptance ? AuthenticationOrder.whyUnknown(facts) : nil
            },
            finding: { subject, _ in
                guard case .refused = subject.outcome, !subject.isAcceptance,
                    step != .resource || subject.error != "invalid_target"
                else { return nil }
                return Finding(
                    "The token endpoint rejects a request with \(difference) and returns \(subject.phrase).",
                    at: place,
                    expected: "error invalid_grant for the bogus code, as in the baseline request",
                    found: subject.phrase,
                    fix: fix
                )
            }
        )
    }

    /// Whether a bogus code, sent with the configured authentication method, is rejected for the code only.
    private static func isUsualRequestRead(_ facts: Facts) -> Bool {
        TokenErrors.rightSecret.samples(facts).compactMap(\.observation.value)
            .contains { answer in
                answer.isAcceptance
                    && answer.method == facts.target.client(for: answer.asked.responseType)?.authentication
            }
    }
}
