package import Conformance
import JSONTree

/// Error responses of the token endpoint (RFC 6749 section 5.2).
package enum TokenErrorChecks {
    package static let madeUpCodeIsRefused = Check(
        "token.made-up-code.is-refused",
        "A code that was never issued yields no tokens",
        .must,
        .safety,
        Citation(.rfc6749, "4.1.3", "verify that the authorization code is valid"),
        why: "Anybody could sign in as somebody.",
        reads: TokenErrors.madeUpCodes,
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.gaveTokens else { return nil }
            return Finding(
                "A made-up code was answered with \(subject.phrase) and an access token.",
                expected: "HTTP status 400 and invalid_grant",
                found: "HTTP status \(subject.response.status)",
                fix: "Refuse codes that were not issued."
            )
        }
    )

    package static let madeUpCodeIsInvalidGrant = Check(
        "token.made-up-code.has-invalid-grant",
        "A code that was never issued gets the error invalid_grant",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_grant The provided authorization grant"),
        why: "Clients begin a new sign-in on invalid_grant and report a failure on anything else.",
        reads: TokenErrors.rightSecret,
        excusedBy: ["token.made-up-code.is-refused"],
        exempt: { subject, facts in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            if subject.gaveTokens { return "the code was taken, which another check reports" }
            if subject.error == nil { return "this error has no error member, which another check reports" }
            if subject.method == ClientAuthentication.none,
                facts.target.client?.authentication != ClientAuthentication.none
            {
                return "a confidential client is refused without its secret, whatever the code"
            }
            if let method = subject.method,
                facts.metadata.value?.tokenEndpointAuthMethods.contains(method.rawValue) == false
            {
                return "the method is not advertised"
            }
            return subject.refusesClient
                ? "the client was refused before the code was looked at" : nil
        },
        finding: { subject, _ in
            guard subject.error != "invalid_grant" else { return nil }
            return Finding(
                "A made-up code was answered with \(subject.phrase).",
                at: "/error",
                expected: "invalid_grant",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_grant for codes that are unknown, expired or used."
            )
        }
    )

    package static let statusIsRight = Check(
        "token.error.status-is-400-or-401",
        "Errors have HTTP status 400, or 401 with invalid_client",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "responds with an HTTP 400 (Bad Request) status code (unless specified otherwise)"),
        why: "Clients read the error only from the statuses that are laid down.",
        reads: TokenErrors.all,
        exempt: { subject, facts in
            // Then the code is what is wrong, and 400 in place of 401 would make it worse.
            subject.response.status == 401
                && (subject.isOfWrongClient(facts) || TokenErrors.refusesTheMethod(subject, facts))
                ? "the status is right for a client that is not let in; another check judges the error code" : nil
        },
        finding: { subject, _ in
            let status = subject.response.status
            guard status != 400 && !(status == 401 && (subject.error ?? "invalid_client") == "invalid_client") else {
                return nil
            }
            return Finding(
                (200...299).contains(status)
                    ? "A refusal came with \(subject.phrase)." : "The error came with \(subject.phrase).",
                expected: subject.error == "invalid_client" ? "400 or 401" : "400",
                found: String(status),
                fix: "Answer errors with 400, and invalid_client with 401; with JSON, and no redirect."
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "token.error.content-type-is-json",
        "Errors are marked as application/json",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "using the \"application/json\" media type"),
        why: "Client libraries do not read the error from another media type and report a broken server.",
        reads: TokenErrors.all,
        exempt: { subject, _ in unreadable(subject) },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The error response") }
    )

    package static let hasErrorMember = Check(
        "token.error.has-error-member",
        "Errors are JSON objects with an error code",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "error REQUIRED. A single ASCII [USASCII] error code"),
        why: "Without the code a client cannot tell a wrong secret from a used code.",
        reads: TokenErrors.all,
        excusedBy: ["token.error.content-type-is-json"],
        exempt: { subject, _ in unreadable(subject) },
        finding: { subject, _ in
            JSONAnswer.errorCode(
                subject.object,
                "The error response with HTTP status \(subject.response.status)",
                such: "invalid_grant"
            )
        }
    )

    package static let hasLegalCharacters = Check(
        "token.error.has-legal-characters",
        "error, error_description and error_uri hold only the characters that are allowed there",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "MUST NOT include characters outside the set %x20-21 / %x23-5B / %x5D-7E"),
        why: "Clients show or log these values; line breaks, quotation marks and other scripts break them.",
        reads: TokenErrors.all
    ) { subject, _ in
        ErrorCharacters.illegal(at: "/") { name in [subject.object?[name]?.stringValue].compactMap(\.self) }
    }

    package static let isNotStored = Check(
        "token.error.has-no-store",
        "Errors say Cache-Control: no-store too",
        .may,
        .conformance,
        Citation(.rfc6749, "5.1", "in any response containing tokens, credentials, or other sensitive information"),
        why: "A cached refusal outlives its cause.",
        reads: TokenErrors.all,
        finding: { subject, _ in TokenResponseChecks.mayBeStored(subject.response, "The error response") }
    )

    package static let all: [Check] = [
        madeUpCodeIsRefused, madeUpCodeIsInvalidGrant, statusIsRight, contentTypeIsJSON, hasErrorMember,
        hasLegalCharacters, isNotStored,
    ]

    /// Why the form of an error is not judged: it is no error by its status, or no one's but a broken server's.
    private static func unreadable(_ subject: AnsweredCall) -> String? {
        if subject.response.status >= 500 { return TokenErrors.serverFailed }
        return (200...399).contains(subject.response.status) ? TokenErrors.wasSuccess : nil
    }
}
