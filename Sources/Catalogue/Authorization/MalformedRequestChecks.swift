import Conformance
import JSONTree

/// Requests in which a parameter has a value that it cannot have.
enum MalformedRequestChecks {
    private static let invalidValue = Citation(
        .rfc6749,
        "4.1.2.1",
        "invalid_request The request is missing a required parameter, includes an invalid parameter value"
    )

    static let claims = refused(
        "authorization.claims-parameter.malformed-is-refused",
        "The provider rejects a claims parameter that is not JSON",
        invalidValue,
        .malformedClaims,
        why: "The client does not learn that its request for claims was not read.",
        exempt: { facts in
            facts.metadata.value?["claims_parameter_supported"] == true
                ? nil : "the provider does not say that it supports the claims parameter, and may ignore it"
        },
        at: "claims",
        message: "The provider grants a request whose claims parameter is not JSON.",
        fix: "Return invalid_request if claims is not a JSON object."
    )

    static let maxAge = refused(
        "authorization.max-age.malformed-is-refused",
        "The provider rejects a max_age that is not a number",
        invalidValue,
        .malformedMaxAge,
        why: "The client does not learn that the sign-in may be older than it allows.",
        at: "max_age",
        message: "The provider grants a request whose max_age is not a number.",
        fix: "Return invalid_request if max_age is not a whole number of seconds."
    )

    static let responseType = refused(
        "authorization.response-type.repeated-value-is-refused",
        "The provider rejects a response_type that names a value twice",
        // A provider that reads the values as a set issues what each of them requests.
        Citation(
            .rfc6749,
            "3.1.1",
            "if the response type is not understood, the authorization server MUST return an error response"
        ),
        .repeatedType,
        why: "Two components can read it as different response types, and place the response differently.",
        at: "response_type",
        message: "The provider grants a request with response_type=code code.",
        fix: "Return unsupported_response_type for a response_type that is not one of the defined ones."
    )

    static let all: [Check] = [claims, maxAge, responseType]

    /// Granting such a request does no harm by itself.
    private static func refused(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        _ step: StepID,
        why: String,
        exempt: @escaping @Sendable (Facts) -> String? = { _ in nil },
        at parameter: String,
        message: String,
        fix: String
    ) -> Check {
        Check(
            id,
            title,
            .should,
            .conformance,
            citation,
            why: why,
            reads: StepResults.authorization(.refusals, step),
            passesOn: .refusal,
            exempt: { subject, facts in exempt(facts) ?? subject.isInconclusive },
            finding: { subject, _ in
                guard subject.isGranted else { return nil }
                return Finding(
                    message,
                    at: parameter,
                    expected: "an error, such as invalid_request",
                    found: "a redirect with a code or token",
                    fix: fix
                )
            }
        )
    }
}
