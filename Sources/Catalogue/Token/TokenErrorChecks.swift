package import Conformance
import JSONTree

/// Error responses of the token endpoint (RFC 6749 section 5.2).
package enum TokenErrorChecks {
    static let bogusCodeIsRefused = Check(
        "token.made-up-code.is-refused",
        "The token endpoint rejects a bogus code",
        .must,
        .safety,
        Citation(.rfc6749, "4.1.3", "verify that the authorization code is valid"),
        why: "An attacker can sign in as another user.",
        reads: TokenErrors.bogusCodes,
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.issuedTokens else { return nil }
            return Finding(
                "The token endpoint issues an access token for a bogus code: \(subject.phrase).",
                expected: "HTTP status 400 and invalid_grant",
                found: "HTTP status \(subject.response.status)",
                fix: "Return HTTP status 400 and error invalid_grant for every code that was not issued."
            )
        }
    )

    static let bogusCodeIsInvalidGrant = Check(
        "token.made-up-code.has-invalid-grant",
        "The token endpoint returns invalid_grant for a bogus code",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_grant The provided authorization grant"),
        why: "Clients start a new sign-in on invalid_grant and report a failure on any other error.",
        reads: TokenErrors.rightSecret,
        supersededBy: ["token.made-up-code.is-refused"],
        exempt: { subject, facts in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            if subject.issuedTokens { return "the token endpoint accepts the code, which another check reports" }
            if subject.error == nil { return "the response has no error member, which another check reports" }
            if subject.method == ClientAuthentication.none,
                facts.target.client?.authentication != ClientAuthentication.none
            {
                return "a confidential client without its secret is rejected, whatever the code"
            }
            if let method = subject.method,
                facts.metadata.value?.tokenEndpointAuthMethods.contains(method.rawValue) == false
            {
                return "the method is not advertised"
            }
            if subject.refusesClient { return "the client was rejected before the code was checked" }
            return TokenErrors.whyMethodMayBeUnregistered(subject, facts)
        },
        finding: { subject, _ in
            guard subject.error != "invalid_grant" else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for a bogus code.",
                at: "/error",
                expected: "invalid_grant",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_grant for codes that are unknown, expired or used."
            )
        }
    )

    static let statusIsRight = Check(
        "token.error.status-is-400-or-401",
        "The token endpoint returns errors with HTTP status 400, or 401 for invalid_client",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "responds with an HTTP 400 (Bad Request) status code (unless specified otherwise)"),
        why: "Clients read the error only from responses with the specified status codes.",
        reads: TokenErrors.all,
        exempt: { subject, facts in
            // Then only the error code is wrong, and changing 401 to 400 would make it worse.
            subject.response.status == 401
                && (subject.isOfWrongClient(facts) || TokenErrors.refusesTheMethod(subject, facts))
                ? "the status is correct for a rejected client; another check covers the error code" : nil
        },
        finding: { subject, _ in
            let status = subject.response.status
            guard status != 400 && !(status == 401 && (subject.error ?? "invalid_client") == "invalid_client") else {
                return nil
            }
            return Finding(
                (200...299).contains(status)
                    ? "To reject a request, the token endpoint returns \(subject.phrase)."
                    : "The token endpoint returns the error with \(subject.phrase).",
                expected: subject.error == "invalid_client" ? "HTTP status 400 or 401" : "HTTP status 400",
                found: "HTTP status \(status)",
                fix: "Return errors as JSON with HTTP status 400, or 401 for invalid_client, and never as a redirect."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "token.error.content-type-is-json",
        "Error responses of the token endpoint have the media type application/json",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "using the \"application/json\" media type"),
        why: "Client libraries ignore an error with another media type and report a server failure.",
        reads: TokenErrors.all,
        exempt: { subject, _ in unreadable(subject) },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The error response") }
    )

    static let hasErrorMember = Check(
        "token.error.has-error-member",
        "Error responses of the token endpoint are JSON objects with an error code",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "error REQUIRED. A single ASCII [USASCII] error code"),
        why: "Without the error code a client cannot distinguish a wrong secret from a used code.",
        reads: TokenErrors.all,
        supersededBy: ["token.error.content-type-is-json"],
        exempt: { subject, _ in unreadable(subject) },
        finding: { subject, _ in
            JSONAnswer.errorCode(
                subject.object,
                "The error response with HTTP status \(subject.response.status)",
                such: "invalid_grant"
            )
        }
    )

    static let hasLegalCharacters = Check(
        "token.error.has-legal-characters",
        "error, error_description and error_uri of the token endpoint contain only allowed characters",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E"),
        why: "Line breaks, quotation marks and non-ASCII characters break clients that show or log these values.",
        reads: TokenErrors.all
    ) { subject, _ in
        ErrorCharacters.illegal(at: "/") { name in [subject.object?[name]?.stringValue].compactMap(\.self) }
    }

    static let isNotStored = Check(
        "token.error.has-no-store",
        "Error responses of the token endpoint have Cache-Control: no-store",
        .may,
        .conformance,
        Citation(.rfc6749, "5.1", "in any response containing tokens, credentials, or other sensitive information"),
        why: "A cached error is returned even after its cause is fixed.",
        reads: TokenErrors.all,
        finding: { subject, _ in TokenResponseChecks.mayBeStored(subject.response, "The error response") }
    )

    package static let all: [Check] = [
        bogusCodeIsRefused, bogusCodeIsInvalidGrant, statusIsRight, contentTypeIsJSON, hasErrorMember,
        hasLegalCharacters, isNotStored,
    ]

    /// Why the format of an error is not checked: its status is not an error status, or it is a server failure.
    private static func unreadable(_ subject: CallResult) -> String? {
        if subject.response.status >= 500 { return TokenErrors.serverFailed }
        return (200...399).contains(subject.response.status) ? TokenErrors.wasSuccess : nil
    }
}
