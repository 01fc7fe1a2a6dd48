package import Conformance
import JSONTree

/// The HTTP response of the token endpoint to a valid code.
package enum TokenResponseChecks {
    private static let noSuccess = "the token endpoint rejected the request"

    static let statusIs200 = Check(
        "token.status.is-200",
        "The token endpoint accepts a valid code",
        .must,
        .signIn,
        Citation(
            .rfc6749,
            "5.1",
            "adding the following parameters to the entity-body of the HTTP response with a 200 (OK) status code"
        ),
        why: "Clients treat any other status as a failure, and the code flow does not work for this client.",
        reads: StepResults.tokenResponses,
        supersededBy: [
            "token.client-authentication.is-accepted", "token.basic.form-encoding-is-undone",
            "authorization.code.has-no-spaces",
        ],
        finding: { subject, _ in
            guard !subject.isSuccess else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for a valid code.",
                expected: "HTTP status 200 with tokens",
                found: subject.phrase,
                fix: advice(for: subject)
            )
        }
    )

    static let successIs200 = Check(
        "token.success.status-is-200",
        "The token endpoint returns tokens with HTTP status 200, not another 2xx status",
        .must,
        .signIn,
        statusIs200.citation,
        why: "Some clients treat any other status as a failure, and the code flow does not work for them.",
        reads: StepResults.tokenResponses,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The token endpoint returns HTTP status \(subject.response.status) for a valid code.",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Return status 200 with the tokens."
            )
        }
    )

    static let contentTypeIsJSON = Check(
        "token.content-type.is-json",
        "The token response has the media type application/json",
        .must,
        .signIn,
        Citation(.rfc6749, "5.1", "using the \"application/json\" media type"),
        why: "Client libraries reject a token response with another media type.",
        reads: StepResults.tokenResponses,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The token response") }
    )

    static let bodyIsObject = Check(
        "token.body.is-json-object",
        "The token response is a JSON object",
        .must,
        .signIn,
        Citation(.rfc6749, "5.1", "The parameters are serialized into a JavaScript Object Notation (JSON) structure"),
        why: "Clients cannot read the tokens from any other format.",
        reads: StepResults.tokenResponses,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in
            guard subject.object == nil else { return nil }
            return Finding(
                "The token response is \(subject.json.map(\.kind.phrase) ?? (isForm(subject) ? "form-encoded" : "not JSON")).",
                expected: "a JSON object",
                found: subject.json?.kind.phrase ?? (isForm(subject) ? "access_token=…" : "no JSON"),
                fix: "Return the tokens as members of one JSON object."
            )
        }
    )

    static let isNotRedirected = Redirection.check(
        "token.response.is-not-redirected",
        "The token endpoint does not redirect requests",
        StepResults.tokenResponses,
        why: "Half of the client libraries do not follow the redirect, and get no tokens.",
        fix: "Serve the token endpoint at token_endpoint, or correct token_endpoint in the discovery document."
    )

    static let hasNoByteOrderMark = Check(
        "token.body.has-no-byte-order-mark",
        "The token response does not begin with a byte order mark",
        .must,
        .signIn,
        ByteOrderMark.citation,
        why: ByteOrderMark.why,
        reads: StepResults.tokenResponses,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in ByteOrderMark.finding(in: subject.answer.body, "The token response") }
    )

    static let isNotStored = Check(
        "token.cache-control.has-no-store",
        "The token response has Cache-Control: no-store",
        .must,
        .conformance,
        Citation(.rfc6749, "5.1", "MUST include the HTTP \"Cache-Control\" response header field"),
        why: "An intermediate cache may store the tokens, although caches rarely store responses to POST.",
        reads: StepResults.tokenSuccesses,
        finding: { subject, _ in mayBeStored(subject.0.response, "The token response") }
    )

    static let pragmaIsNoCache = Check(
        "token.pragma.has-no-cache",
        "The token response has Pragma: no-cache",
        // Core requires only Cache-Control (section 3.1.3.3, errata set 2), and RFC 9111 section 5.4 deprecates the field.
        .may,
        .conformance,
        Citation(
            .rfc6749,
            "5.1",
            "as well as the \"Pragma\" response header field [RFC2616] with a value of \"no-cache\""
        ),
        why: "HTTP/1.0 caches may store the tokens; newer caches ignore the deprecated field.",
        reads: StepResults.tokenSuccesses,
        finding: { subject, _ in
            let value = subject.0.response.joinedHeader("Pragma")
            if let value, CacheControl(value).has("no-cache") { return nil }
            return Finding(
                "The token response has no Pragma: no-cache.",
                at: "Pragma",
                expected: "no-cache",
                found: value?.shown() ?? "missing",
                fix: "Send Pragma: no-cache in addition to Cache-Control: no-store."
            )
        }
    )

    package static let all: [Check] = [
        statusIs200, successIs200, isNotRedirected, contentTypeIsJSON, bodyIsObject, hasNoByteOrderMark, isNotStored,
        pragmaIsNoCache,
    ]

    /// A finding if caches may store this response of the token endpoint.
    static func mayBeStored(_ response: Exchange.Response, _ name: String) -> Finding? {
        JSONAnswer.mayBeStored(response, name, "every response of the token endpoint")
    }

    /// Whether the tokens are form-encoded, as in a redirect.
    private static func isForm(_ subject: CallResult) -> Bool {
        if subject.response.mediaType == "application/x-www-form-urlencoded" { return true }
        let text = subject.answer.body.bytes.map { String(decoding: $0.prefix(2_000), as: UTF8.self) } ?? ""
        return !text.hasPrefix("{") && text.split(separator: "&").contains { $0.hasPrefix("access_token=") }
    }

    private static func advice(for subject: CallResult) -> String {
        switch subject.error {
        // A provider without PKCE support may return this for a code_verifier, whatever the client.
        case "invalid_client" where subject.asked.sentParameter("code_challenge") != nil:
            "Check client ID, client secret and client.authentication in the configuration. If the platform does not "
                + "use PKCE and this provider rejects code_verifier, set client.pkce: false."
        case "invalid_client": "Check client ID, client secret and client.authentication in the configuration."
        case "invalid_grant":
            "Compare redirect_uri and code_verifier with redirect_uri and code_challenge of the authorization request."
        case "unauthorized_client", "unsupported_grant_type":
            "Allow the authorization_code grant for this client at the provider."
        default:
            switch subject.response.status {
            case 300...399:
                "Respond at token_endpoint without a redirect: clients do not send a code to another address."
            case 404, 405, 410:
                "Accept POST requests at token_endpoint, or correct token_endpoint in the discovery document."
            default: "Look up this request in the provider's log."
            }
        }
    }
}
