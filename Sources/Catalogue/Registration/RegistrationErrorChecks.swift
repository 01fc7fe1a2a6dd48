package import Conformance
import JSONTree

/// The form of the answers that refuse a registration.
package enum RegistrationErrorChecks {
    package static let statusIs400 = Check(
        "registration.error.status-is-400",
        "Wrong metadata is refused with status 400",
        .must,
        .conformance,
        Citation(
            .registration,
            "3.3",
            "returns a HTTP 400 Bad Request status code including a JSON object describing the error in the response body"
        ),
        why: "The client cannot tell its own mistake from a failure of the server, and tries again.",
        reads: RegistrationSlots.refusals,
        finding: { answer, _ in
            guard answer.response.status != 400 else { return nil }
            return Finding(
                "Wrong metadata was refused with HTTP status \(answer.response.status).",
                expected: "HTTP status 400",
                found: answer.phrase,
                fix: "Answer registrations with invalid metadata with 400 Bad Request."
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "registration.error.content-type-is-json",
        "A registration error is marked as JSON",
        .must,
        .conformance,
        Citation(.rfc7591, "3.2.2", "with content type \"application/json\" consisting of a JSON object"),
        why: "The reason of the refusal does not reach whoever registers the client.",
        reads: RegistrationSlots.refusals,
        excusedBy: ["registration.error.status-is-400"],
        finding: { answer, _ in JSONAnswer.mediaType(answer.response, "The answer") }
    )

    package static let hasErrorMember = Check(
        "registration.error.has-error-member",
        "A registration error says what is wrong",
        .must,
        .conformance,
        Citation(.rfc7591, "3.2.2", "error REQUIRED. Single ASCII error code string."),
        why: "The reason of the refusal does not reach whoever registers the client.",
        reads: RegistrationSlots.refusals,
        excusedBy: ["registration.error.status-is-400", "registration.error.content-type-is-json"],
        finding: { answer, _ in
            JSONAnswer.errorCode(
                answer.object,
                "The answer that refuses the registration",
                such: "invalid_client_metadata"
            )
        }
    )

    package static let codeFits = Check(
        "registration.error.code-is-registered",
        "A registration error has the code for what is wrong",
        .should,
        .conformance,
        Citation(.registration, "3.3", "invalid_redirect_uri The value of one or more redirect_uris is invalid."),
        why: "Whoever registers the client looks for the mistake in the wrong place.",
        reads: RegistrationSlots.refusals,
        exempt: { answer, _ in answer.error == nil ? "the answer has no code" : nil },
        finding: { answer, _ in
            let scenarios = [
                Scenario.withoutRedirectURIs, .withFragment, .implicitOverHTTP, .implicitAtLocalhost, .nativeOverHTTP,
            ]
            // An address that is not https does not fit every kind of client, whatever else is wrong.
            let isPlain = answer.sent["redirect_uris"]?.strings?.contains { !$0.hasPrefix("https://") } ?? false
            let isAboutRedirect = isPlain || scenarios.contains { $0.id == answer.run.scenario }
            // A missing or illegal redirect URI is invalid metadata too.
            let fitting = (isAboutRedirect ? ["invalid_redirect_uri"] : []) + ["invalid_client_metadata"]
            guard let error = answer.error, !fitting.contains(error) else { return nil }
            return Finding(
                "The registration was refused with a code that does not say what is wrong.",
                at: "/error",
                expected: fitting.joined(separator: " or "),
                found: answer.phrase,
                fix: "Use invalid_redirect_uri for redirect_uris and invalid_client_metadata for everything else."
            )
        }
    )

    package static let all: [Check] = [statusIs400, contentTypeIsJSON, hasErrorMember, codeFits]
}
