package import Conformance
import JSONTree

/// The HTTP answer of the token endpoint to a good code.
package enum TokenResponseChecks {
    private static let noSuccess = "the token endpoint refused the request"

    package static let statusIs200 = Check(
        "token.status.is-200",
        "A good code is answered with HTTP status 200",
        .must,
        .signIn,
        Citation(
            .rfc6749,
            "5.1",
            "adding the following parameters to the entity-body of the HTTP response with a 200 (OK) status code"
        ),
        why: "Any other status means that the code flow does not work with this client registration.",
        reads: Conversations.tokenResponses,
        excusedBy: [
            "token.client-authentication.is-accepted", "token.basic.form-encoding-is-undone",
            "authorization.code.has-no-spaces",
        ],
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "The token endpoint answered with \(subject.phrase).",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: advice(for: subject)
            )
        }
    )

    package static let contentTypeIsJSON = Check(
        "token.content-type.is-json",
        "The token response is marked as application/json",
        .must,
        .signIn,
        Citation(.rfc6749, "5.1", "using the \"application/json\" media type"),
        why: "Client libraries refuse to read tokens from an answer of another media type.",
        reads: Conversations.tokenResponses,
        exempt: { subject, _ in subject.response.status == 200 ? nil : noSuccess },
        finding: { subject, _ in JSONAnswer.mediaType(subject.response, "The token response") }
    )

    package static let bodyIsObject = Check(
        "token.body.is-json-object",
        "The token response is a JSON object",
        .must,
        .signIn,
        Citation(.rfc6749, "5.1", "The parameters are serialized into a JavaScript Object Notation (JSON) structure"),
        why: "Nothing can be read from it otherwise.",
        reads: Conversations.tokenResponses,
        exempt: { subject, _ in subject.response.status == 200 ? nil : noSuccess },
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

    package static let hasNoByteOrderMark = Check(
        "token.body.has-no-byte-order-mark",
        "The token response does not begin with a byte order mark",
        .must,
        .signIn,
        ByteOrderMark.citation,
        why: ByteOrderMark.why,
        reads: Conversations.tokenResponses,
        exempt: { subject, _ in subject.response.status == 200 ? nil : noSuccess },
        finding: { subject, _ in ByteOrderMark.finding(in: subject.answer.body, "The token response") }
    )

    package static let isNotStored = Check(
        "token.cache-control.has-no-store",
        "The token response says Cache-Control: no-store",
        .must,
        .conformance,
        Citation(.rfc6749, "5.1", "MUST include the HTTP \"Cache-Control\" response header field"),
        why: "Nothing forbids a cache on the way to keep the tokens, though answers to POST are seldom kept.",
        reads: Conversations.tokenSuccesses,
        finding: { subject, _ in mayBeStored(subject.0.response, "The token response") }
    )

    package static let pragmaIsNoCache = Check(
        "token.pragma.has-no-cache",
        "The token response says Pragma: no-cache",
        // Core asks for Cache-Control alone (section 3.1.3.3, errata set 2), and RFC 9111 section 5.4 deprecates the field.
        .may,
        .conformance,
        Citation(
            .rfc6749,
            "5.1",
            "as well as the \"Pragma\" response header field [RFC2616] with a value of \"no-cache\""
        ),
        why: "Only caches of HTTP/1.0 need it, and HTTP has since deprecated the field.",
        reads: Conversations.tokenSuccesses,
        finding: { subject, _ in
            let value = subject.0.response.joinedHeader("Pragma")
            if let value, CacheControl(value).has("no-cache") { return nil }
            return Finding(
                "The token response has no Pragma: no-cache.",
                at: "Pragma",
                expected: "no-cache",
                found: value?.shown() ?? "missing",
                fix: "Send Pragma: no-cache beside Cache-Control: no-store."
            )
        }
    )

    package static let all: [Check] = [
        statusIs200, contentTypeIsJSON, bodyIsObject, hasNoByteOrderMark, isNotStored, pragmaIsNoCache,
    ]

    /// An answer of the token endpoint, called by its name, that caches may keep.
    static func mayBeStored(_ response: Exchange.Response, _ name: String) -> Finding? {
        JSONAnswer.mayBeStored(response, name, "every answer of the token endpoint")
    }

    /// Whether the tokens came as they do in a redirect.
    private static func isForm(_ subject: AnsweredCall) -> Bool {
        if subject.response.mediaType == "application/x-www-form-urlencoded" { return true }
        let text = subject.answer.body.octets.map { String(decoding: $0.prefix(2_000), as: UTF8.self) } ?? ""
        return !text.hasPrefix("{") && text.split(separator: "&").contains { $0.hasPrefix("access_token=") }
    }

    private static func advice(for subject: AnsweredCall) -> String {
        switch subject.error {
        // A provider that knows no PKCE may answer so to a code_verifier, whoever the client is.
        case "invalid_client" where subject.asked.sentParameter("code_challenge") != nil:
            "Check client ID, client secret and client.authentication in the configuration; if the platform sends no "
                + "PKCE, and this provider refuses a code_verifier, set client.pkce: false."
        case "invalid_client": "Check client ID, client secret and client.authentication in the configuration."
        case "invalid_grant": "Check that redirect URI and PKCE verifier are compared with those of the request."
        case "unauthorized_client", "unsupported_grant_type":
            "Allow the authorization_code grant for this client at the provider."
        default:
            switch subject.response.status {
            case 201...299: "Answer with status 200, which is the one that clients take for success."
            case 300...399: "Answer the request itself: clients do not take a code to another address."
            case 404, 405, 410:
                "Take POST requests at token_endpoint, or correct that address in the discovery document."
            default: "See the provider's log for this request."
            }
        }
    }
}
