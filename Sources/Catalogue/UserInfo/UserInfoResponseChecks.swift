package import Conformance
import JSONTree

/// The HTTP response of the UserInfo endpoint.
package enum UserInfoResponseChecks {
    private static let noSuccess = "the UserInfo endpoint rejected the request"

    static let statusIs200 = Check(
        "userinfo.status.is-200",
        "UserInfo accepts the access token",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The UserInfo Claims MUST be returned as the members of a JSON object"),
        why: "Platforms that read the user's profile from UserInfo abort the sign-in if the request fails.",
        reads: StepResults.userInfo,
        finding: { subject, _ in
            guard subject.response.status != 200 || !subject.isSuccess else { return nil }
            let challenge = subject.response.joinedHeader("WWW-Authenticate")
            return Finding(
                "UserInfo returns \(subject.phrase)" + (challenge.map { " and the challenge \($0.quoted)." } ?? "."),
                expected: "HTTP status 200 with claims",
                found: subject.phrase,
                fix: advice(subject.response.status)
            )
        }
    )

    static let isNotRedirected = Redirection.check(
        "userinfo.response.is-not-redirected",
        "UserInfo does not redirect requests",
        StepResults.userInfo,
        why: "A third of the client libraries do not follow the redirect, and get no claims.",
        fix: "Serve UserInfo at userinfo_endpoint, or correct userinfo_endpoint in the discovery document."
    )

    /// The fix for a response without success, by its status.
    private static func advice(_ status: Int) -> String {
        switch status {
        case 201...299: "Return HTTP status 200: clients do not accept claims with \(status)."
        case 300...399:
            "Respond at userinfo_endpoint without a redirect: clients do not send a token to another address."
        case 404, 410: "Serve UserInfo at userinfo_endpoint, or correct userinfo_endpoint in the discovery document."
        case 405: "Accept GET requests, which are mandatory (Core section 5.3)."
        case 403: "Allow access to UserInfo with the client's access tokens; the scope openid is sufficient."
        case 500...:
            "Find the cause in the provider's log for the time of the request; return HTTP status 401 for an invalid token."
        default: "Accept the access tokens of this client as Bearer tokens in the Authorization header."
        }
    }

    static let contentTypeIsRight = Check(
        "userinfo.content-type.is-right",
        "UserInfo has the media type application/json, or application/jwt if signed",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "MUST return a content-type header to indicate which format is being returned"),
        why: "Client libraries reject claims with another media type.",
        reads: StepResults.userInfo,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in
            JSONAnswer.mediaType(subject.response, "UserInfo", or: subject.object == nil ? ["application/jwt"] : [])
        }
    )

    static let isNotSigned = Check(
        "userinfo.body.is-plain-json",
        "UserInfo returns plain JSON unless the client registered for a signed response",
        .risk,
        .signIn,
        Citation(.core, "5.3.2", "unless a signed or encrypted response was requested during Client Registration"),
        why: "Platforms that did not register for a signed response cannot read one.",
        reads: StepResults.userInfo,
        exempt: { subject, facts in
            // A platform that was measured to reject a signed response gets the one that its client registered.
            let isRejected = facts.profile.adjustment(for: "userinfo.body.is-plain-json")?.level == .error
            if !isRejected, facts.target.client(for: subject.asked.responseType)?.userInfoSignedResponseAlg != nil {
                return "the client registered for a signed response"
            }
            return subject.isSuccess ? nil : noSuccess
        },
        finding: { subject, _ in
            guard subject.isSigned else { return nil }
            return Finding(
                subject.claims == nil || subject.answer.jwt?.encryption != nil
                    ? "UserInfo returns an encrypted or malformed JWT instead of JSON."
                    : "UserInfo returns a signed JWT instead of JSON.",
                at: "Content-Type",
                expected: "application/json",
                found: "application/jwt",
                fix: "Remove userinfo_signed_response_alg from the client's registration; if the client needs it, set "
                    + "client.userinfo_signed_response_alg in the configuration."
            )
        }
    )

    static let isUTF8 = Check(
        "userinfo.body.is-utf-8",
        "UserInfo is encoded in UTF-8",
        .must,
        .signIn,
        Citation(.rfc8259, "8.1", "MUST be encoded using UTF-8"),
        why: "A name with an accent makes the whole response unreadable.",
        reads: StepResults.userInfo,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in
            guard case .bytes(let bytes)? = subject.body else { return nil }
            return Finding(
                "UserInfo contains bytes that are not valid UTF-8.",
                expected: "UTF-8",
                found: "\(bytes.count) bytes in another encoding",
                fix: "Encode the response in UTF-8."
            )
        }
    )

    static let hasNoByteOrderMark = Check(
        "userinfo.body.has-no-byte-order-mark",
        "UserInfo does not begin with a byte order mark",
        .must,
        .signIn,
        ByteOrderMark.citation,
        why: ByteOrderMark.why,
        reads: StepResults.userInfo,
        exempt: { subject, _ in subject.isSuccess ? nil : noSuccess },
        finding: { subject, _ in ByteOrderMark.finding(in: subject.answer.body, "UserInfo") }
    )

    static let isAnObject = Check(
        "userinfo.body.is-json-object",
        "UserInfo is a JSON object",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The UserInfo Claims MUST be returned as the members of a JSON object"),
        why: "Clients cannot read the claims from any other format.",
        reads: StepResults.userInfo,
        supersededBy: ["userinfo.body.is-utf-8"],
        exempt: { subject, _ in
            if subject.isSigned { return "the UserInfo response is a JWT" }
            return subject.isSuccess ? nil : noSuccess
        },
        rule: { subject, _ in
            guard subject.json?.objectValue == nil else { return [] }
            let serve = "the claims as members of one JSON object"
            let reported = subject.answer.body.bytes.map {
                BrokenText.findings($0, "UserInfo", expected: "a JSON object", serve: serve)
            }
            if let reported, !reported.isEmpty { return reported }
            return [
                Finding(
                    "UserInfo is \(subject.json.map(\.kind.phrase) ?? "not JSON").",
                    expected: "a JSON object",
                    found: subject.json?.kind.phrase ?? "no JSON",
                    fix: "Serve \(serve)."
                )
            ]
        }
    )

    static let membersAreUnique = Check(
        "userinfo.members.are-unique",
        "UserInfo contains each claim only once",
        .should,
        .signIn,
        Citation(.rfc8259, "4", "The names within an object SHOULD be unique."),
        why: "Two libraries may read two different users from one response.",
        reads: UserInfoQueries.claims
    ) { subject, _ in subject.0.body?.bytes.flatMap { try? JSONDocument.parse($0) }?.repetitions ?? [] }

    package static let all: [Check] = [
        statusIs200, isNotRedirected, contentTypeIsRight, isNotSigned, isUTF8, hasNoByteOrderMark, isAnObject,
        membersAreUnique,
    ]
}
