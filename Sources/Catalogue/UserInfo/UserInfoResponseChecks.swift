package import Conformance
import JSONTree

/// The HTTP answer of the UserInfo endpoint.
package enum UserInfoResponseChecks {
    private static let noSuccess = "the UserInfo endpoint refused the request"

    package static let statusIs200 = Check(
        "userinfo.status.is-200",
        "The access token opens UserInfo",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The UserInfo Claims MUST be returned as the members of a JSON object"),
        why: "Platforms that ask UserInfo for the user's profile end the sign-in when it is refused.",
        reads: Conversations.userInfo,
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            let challenge = subject.response.joinedHeader("WWW-Authenticate")
            return Finding(
                "UserInfo answered with HTTP status \(subject.response.status)"
                    + (challenge.map { " and the challenge \($0.quoted)." } ?? "."),
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: advice(subject.response.status)
            )
        }
    )

    /// What is to be done about an answer that is no success, by its status.
    private static func advice(_ status: Int) -> String {
        switch status {
        case 201...299: "Answer with status 200: \(status) says something else of the claims."
        case 300...399: "Answer the request itself: clients do not take a token to another address."
        case 404, 410: "Serve UserInfo at userinfo_endpoint, or correct that address in the discovery document."
        case 405: "Take GET requests, as every provider must (Core section 5.3)."
        case 403: "Give the client's access tokens the right to UserInfo; the scope openid is enough for it."
        case 500...:
            "Find the cause in the provider's log for that moment; a token that is not taken is answered with 401."
        default: "Accept the access tokens of this client as Bearer tokens in the Authorization header."
        }
    }

    package static let contentTypeIsRight = Check(
        "userinfo.content-type.is-right",
        "UserInfo is marked as application/json, or application/jwt when signed",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "MUST return a content-type header to indicate which format is being returned"),
        why: "Client libraries refuse to read claims from an answer of another media type.",
        reads: Conversations.userInfo,
        exempt: { subject, _ in subject.response.status == 200 ? nil : noSuccess },
        finding: { subject, _ in
            JSONAnswer.mediaType(subject.response, "UserInfo", or: subject.object == nil ? ["application/jwt"] : [])
        }
    )

    package static let isNotSigned = Check(
        "userinfo.body.is-plain-json",
        "UserInfo is plain JSON, which is the default",
        .risk,
        .signIn,
        Citation(.core, "5.3.2", "unless a signed or encrypted response was requested during Client Registration"),
        why: "Platforms that did not ask for a signed answer cannot read one.",
        reads: Conversations.userInfo,
        exempt: { subject, facts in
            if facts.target.client(for: subject.asked.responseType)?.userInfoSignedResponseAlg != nil {
                return "the client registered for a signed answer"
            }
            return subject.response.status == 200 ? nil : noSuccess
        },
        finding: { subject, _ in
            guard subject.isSigned else { return nil }
            return Finding(
                subject.claims == nil
                    ? "UserInfo is a JWT that cannot be read here: encrypted, or none at all."
                    : "UserInfo is a signed JWT.",
                at: "Content-Type",
                expected: "application/json",
                found: "application/jwt",
                fix:
                    "Remove userinfo_signed_response_alg from the client's registration; if the client wants it, say "
                    + "so: client.userinfo_signed_response_alg."
            )
        }
    )

    package static let isUTF8 = Check(
        "userinfo.body.is-utf-8",
        "UserInfo is encoded in UTF-8",
        .must,
        .signIn,
        Citation(.rfc8259, "8.1", "MUST be encoded using UTF-8"),
        why: "Names with accents make the whole answer unreadable.",
        reads: Conversations.userInfo,
        exempt: { subject, _ in subject.response.status == 200 ? nil : noSuccess },
        finding: { subject, _ in
            guard case .octets(let octets)? = subject.body else { return nil }
            return Finding(
                "UserInfo holds octets that are not UTF-8.",
                expected: "UTF-8",
                found: "\(octets.count) octets in another encoding",
                fix: "Encode the answer in UTF-8."
            )
        }
    )

    package static let hasNoByteOrderMark = Check(
        "userinfo.body.has-no-byte-order-mark",
        "UserInfo does not begin with a byte order mark",
        .must,
        .signIn,
        ByteOrderMark.citation,
        why: ByteOrderMark.why,
        reads: Conversations.userInfo,
        exempt: { subject, _ in subject.response.status == 200 ? nil : noSuccess },
        finding: { subject, _ in ByteOrderMark.finding(in: subject.answer.body, "UserInfo") }
    )

    package static let isAnObject = Check(
        "userinfo.body.is-json-object",
        "UserInfo is a JSON object",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The UserInfo Claims MUST be returned as the members of a JSON object"),
        why: "Nothing can be read from it otherwise.",
        reads: Conversations.userInfo,
        excusedBy: ["userinfo.body.is-utf-8"],
        exempt: { subject, _ in
            if subject.isSigned { return "the answer is a JWT" }
            return subject.response.status == 200 ? nil : noSuccess
        },
        rule: { subject, _ in
            guard subject.json?.objectValue == nil else { return [] }
            let serve = "the claims as members of one JSON object"
            let told = subject.answer.body.octets
                .map { BrokenText.findings($0, "UserInfo", expected: "a JSON object", serve: serve) }
            if let told, !told.isEmpty { return told }
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

    package static let membersAreUnique = Check(
        "userinfo.members.are-unique",
        "No claim comes twice in UserInfo",
        .should,
        .signIn,
        Citation(.rfc8259, "4", "The names within an object SHOULD be unique."),
        why: "Two libraries may see two different users in one answer.",
        reads: UserInfoSlots.claims
    ) { subject, _ in
        subject.0.body?.octets.flatMap { try? JSONDocument.parse($0) }?.repetitions ?? []
    }

    package static let all: [Check] = [
        statusIs200, contentTypeIsRight, isNotSigned, isUTF8, hasNoByteOrderMark, isAnObject, membersAreUnique,
    ]
}
