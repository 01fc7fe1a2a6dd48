import Conformance

/// Token requests that a provider has to read though most clients write them otherwise.
///
/// Each carries a made-up code: where the usual request is refused with `invalid_grant`, so must these be.
enum TokenWritingChecks {
    static let all: [Check] = [
        check(
            "token.media-type.may-name-a-charset",
            "A token request whose media type names the charset UTF-8 is read",
            // RFC 6749 section 4.1.3 has requests encoded in UTF-8, and no text says whether the media type may repeat that.
            .risk,
            .signIn,
            Citation(.rfc6749, "4.1.3", "with a character encoding of UTF-8 in the HTTP request entity-body"),
            why: "Spring, Apache HttpClient and others add the charset, and none of their users can sign in.",
            .charset,
            "Content-Type: application/x-www-form-urlencoded;charset=UTF-8",
            at: "Content-Type",
            fix: "Compare the media type without its parameters."
        ),
        check(
            "token.unknown-parameter.is-ignored",
            "A token request with an unknown parameter is read",
            .must,
            .signIn,
            Citation(.rfc6749, "3.2", "The authorization server MUST ignore unrecognized request parameters."),
            why: "Clients that add a parameter of their own or of a newer specification cannot redeem a code.",
            .unknownParameter,
            "the unknown parameter preflight_unknown",
            at: "preflight_unknown",
            fix: "Ignore parameters that the token endpoint does not know."
        ),
        check(
            "token.scope.is-ignored-with-a-code",
            "A token request with a code may repeat the scope",
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
            fix: "Ignore scope where the grant type does not use it."
        ),
        check(
            "token.client-id.may-stand-beside-basic",
            "A token request with HTTP Basic may have client_id in the body as well",
            // Errata 3780, held for an update, has the sentence for public clients alone; many libraries send both.
            .risk,
            .signIn,
            Citation(.rfc6749, "3.2.1", "A client MAY use the \"client_id\" request parameter to identify itself"),
            why: "Libraries that send client_id with every token request cannot redeem a code.",
            .clientID,
            "client_id beside HTTP Basic",
            at: "client_id",
            fix: "Accept client_id beside HTTP Basic where both name the same client."
        ),
        check(
            "token.basic.scheme-may-be-in-lower-case",
            "The scheme Basic is recognised in lower case",
            // The sentence defines, and has no MUST.
            .risk,
            .conformance,
            Citation(
                .rfc9110,
                "11.1",
                "It uses a case-insensitive token as a means to identify the authentication scheme"
            ),
            why: "Clients that write the scheme in lower case are told that their credentials are wrong.",
            .lowerCaseScheme,
            "Authorization: basic",
            at: "Authorization",
            fix: "Compare the scheme of the Authorization header without regard to letter case."
        ),
        check(
            "token.basic.percent-encoding-is-undone",
            "A percent-encoded letter of the secret in the Authorization header is decoded",
            .risk,
            .conformance,
            Citation(
                .rfc6749,
                "2.3.1",
                "encoded using the \"application/x-www-form-urlencoded\" encoding algorithm per Appendix B"
            ),
            why: "A client whose secret has special characters is refused, or one that encodes more than it must.",
            .percentEncoded,
            "a percent-encoded letter of the secret in the Authorization header",
            at: "Authorization",
            fix: "Form-decode both halves of Basic credentials.",
            excusedBy: ["token.basic.form-encoding-is-undone"]
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
        excusedBy excuses: [CheckID] = []
    ) -> Check {
        let isOfClient = [StepID.clientID, .lowerCaseScheme, .percentEncoded].contains(step)
        let own = Redemptions.slot(.otherWritings, step)
        let slot = (isOfClient ? own : own.orElse(Redemptions.slot(.otherWritings, .joint)))
            .orElse(Redemptions.slot(.otherWritings, .jointBasic))
        return Check(
            id,
            title,
            requirement,
            consequence,
            citation,
            why: why,
            reads: Slot(
                slot.name,
                needs: slot.needs.union(TokenErrors.rightSecret.needs).union(AuthenticationOrder.needs),
                features: slot.features,
                samples: slot.samples
            ),
            excusedBy: excuses,
            exempt: { subject, facts in
                guard isUsualRequestRead(facts) else {
                    return "the usual request is not refused as invalid_grant for its made-up code either"
                }
                // Where codes are looked up first, invalid_grant does not show that the client was let in.
                return isOfClient && subject.isAcceptance ? AuthenticationOrder.whyUnknown(facts) : nil
            },
            finding: { subject, _ in
                guard case .refused = subject.outcome, !subject.isAcceptance else { return nil }
                return Finding(
                    "A token request with \(difference) was refused with \(subject.phrase).",
                    at: place,
                    expected: "error invalid_grant for the made-up code, as without it",
                    found: subject.phrase,
                    fix: fix
                )
            }
        )
    }

    /// Whether a made-up code, sent as the client is configured to authenticate, is refused for the code alone.
    private static func isUsualRequestRead(_ facts: Facts) -> Bool {
        TokenErrors.rightSecret.samples(facts).compactMap(\.observation.value)
            .contains { answer in
                answer.isAcceptance
                    && answer.method == facts.target.client(for: answer.asked.responseType)?.authentication
            }
    }
}
