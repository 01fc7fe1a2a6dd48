package import Conformance
import JSONTree

/// The form of error responses to registrations.
package enum RegistrationErrorChecks {
    static let statusIs400 = Check(
        "registration.error.status-is-400",
        "The provider returns status 400 for invalid client metadata",
        .must,
        .conformance,
        Citation(
            .registration,
            "3.3",
            "returns a HTTP 400 Bad Request status code including a JSON object describing the error in the response body"
        ),
        why: "The client cannot distinguish its own mistake from a server failure, and retries.",
        reads: RegistrationQueries.refusals,
        finding: { answer, _ in
            guard answer.response.status != 400 else { return nil }
            return Finding(
                "The provider returns HTTP status \(answer.response.status) for invalid client metadata.",
                expected: "HTTP status 400",
                found: answer.phrase,
                fix: "Return status 400 (Bad Request) for registrations with invalid metadata."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "registration.error.content-type-is-json",
        "A registration error has the content type application/json",
        .must,
        .conformance,
        Citation(.rfc7591, "3.2.2", "with content type \"application/json\" consisting of a JSON object"),
        why: "The developer who registers the client does not see why it was rejected.",
        reads: RegistrationQueries.refusals,
        supersededBy: ["registration.error.status-is-400"],
        finding: { answer, _ in JSONAnswer.mediaType(answer.response, "The response") }
    )

    static let hasErrorMember = Check(
        "registration.error.has-error-member",
        "A registration error has the member error",
        .must,
        .conformance,
        Citation(.rfc7591, "3.2.2", "error REQUIRED. Single ASCII error code string."),
        why: "The developer who registers the client does not see why it was rejected.",
        reads: RegistrationQueries.refusals,
        supersededBy: ["registration.error.status-is-400", "registration.error.content-type-is-json"],
        finding: { answer, _ in
            JSONAnswer.errorCode(
                answer.object,
                "The response that rejects the registration",
                such: "invalid_client_metadata"
            )
        }
    )

    static let codeFits = Check(
        "registration.error.code-is-registered",
        "A registration error has the error code for the invalid member",
        .should,
        .conformance,
        Citation(.registration, "3.3", "invalid_redirect_uri The value of one or more redirect_uris is invalid."),
        why: "The developer who registers the client looks for the mistake in the wrong place.",
        reads: RegistrationQueries.refusals,
        exempt: { answer, _ in answer.error == nil ? "the response has no error code" : nil },
        finding: { answer, _ in
            let scenarios = [
                Scenario.withoutRedirectURIs, .withFragment, .implicitOverHTTP, .implicitAtLocalhost, .nativeOverHTTP,
            ]
            // An address that is not https is not allowed for every type of client, whatever else is wrong.
            let isPlain = answer.sent["redirect_uris"]?.strings?.contains { !$0.hasPrefix("https://") } ?? false
            let isAboutRedirect = isPlain || scenarios.contains { $0.id == answer.run.scenario }
            // A missing or invalid redirect URI is also invalid metadata.
            let fitting = (isAboutRedirect ? ["invalid_redirect_uri"] : []) + ["invalid_client_metadata"]
            guard let error = answer.error, !fitting.contains(error) else { return nil }
            return Finding(
                "The provider rejects the registration with an error code that does not match the mistake.",
                at: "/error",
                expected: fitting.joined(separator: " or "),
                found: answer.phrase,
                fix: "Return invalid_redirect_uri for redirect_uris and invalid_client_metadata for all other members."
            )
        }
    )

    package static let all: [Check] = [statusIs400, contentTypeIsJSON, hasErrorMember, codeFits]
}
