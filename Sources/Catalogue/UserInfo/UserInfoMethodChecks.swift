package import Conformance
import JSONTree

/// The ways in which an access token may be shown to UserInfo (RFC 6750 section 2).
package enum UserInfoMethodChecks {
    private static let noGET = "the access token opens UserInfo by no way, which another check reports"

    package static let postIsAccepted = Check(
        "userinfo.post.is-accepted",
        "UserInfo takes POST with the token in the header",
        .must,
        .signIn,
        Citation(.core, "5.3", "The UserInfo Endpoint MUST support the use of the HTTP GET and HTTP POST methods"),
        why: "Libraries that ask by POST get no claims.",
        reads: Conversations.answer(.accessTokenLife, .post),
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo answered a POST with HTTP status \(subject.response.status).",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Allow POST at the UserInfo endpoint, with the token in the Authorization header."
            )
        }
    )

    package static let postIsSame = Check(
        "userinfo.post.has-same-claims",
        "UserInfo gives the same claims by POST as by GET",
        .risk,
        .conformance,
        Citation(.core, "5.3.1", "The Client sends the UserInfo Request using either HTTP GET or HTTP POST."),
        why: "Which profile a person has depends on the library of the application.",
        reads: Conversations.answer(.accessTokenLife, .post),
        excusedBy: ["userinfo.body.is-json-object", "userinfo.post.is-accepted"],
        exempt: { subject, facts in
            subject.claims != nil && facts.answer(.accessTokenLife, .get)?.claims != nil
                ? nil : "there are no two JSON objects to compare"
        },
        rule: { subject, facts in
            guard let post = subject.claims, let get = facts.answer(.accessTokenLife, .get)?.claims else { return [] }
            // Of a signed answer these say when it was made, and which it is.
            let ofTheAnswer: Set = subject.isSigned ? ["iat", "exp", "nbf", "jti"] : []
            let names = Set(post.members.map(\.name)).union(get.members.map(\.name)).subtracting(ofTheAnswer).sorted()
            return names.filter { post[$0] != get[$0] }
                .map { name in
                    Finding(
                        "The claim \(name.shown()) is not the same by POST as by GET.",
                        at: "/" + name,
                        expected: get[name].map(\.kind.phrase) ?? "missing, as by GET",
                        found: post[name] == nil ? "missing" : "another value",
                        fix: "Answer GET and POST by the same code."
                    )
                }
        }
    )

    package static let lowerCaseIsAccepted = Check(
        "userinfo.scheme.may-be-in-lower-case",
        "UserInfo recognises the scheme Bearer in lower case",
        // The sentence defines, and has no MUST.
        .risk,
        .signIn,
        Citation(.rfc9110, "11.1", "It uses a case-insensitive token as a means to identify the authentication scheme"),
        why: "Clients that send the token_type of the response as the scheme get no claims where it is \"bearer\".",
        reads: Conversations.answer(.accessTokenLife, .lowerCaseScheme),
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo answered a GET with Authorization: bearer with HTTP status \(subject.response.status).",
                at: "Authorization",
                expected: "HTTP status 200, as with Bearer",
                found: "HTTP status \(subject.response.status)",
                fix: "Compare the scheme of the Authorization header without regard to letter case."
            )
        }
    )

    package static let bodyIsAccepted = Check(
        "userinfo.post-body.is-accepted",
        "UserInfo takes a token in the body of a form",
        .may,
        .signIn,
        Citation(.rfc6750, "2.2", "Resource servers MAY support this method."),
        why: "A few old libraries send the token in a form and in no other way.",
        reads: Conversations.answer(.accessTokenLife, .postBody),
        excusedBy: ["userinfo.post.is-accepted"],
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo answered a token in a form with HTTP status \(subject.response.status).",
                at: "access_token",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Nothing must change; applications have to send the token in the Authorization header."
            )
        }
    )

    package static let queryIsRefused = Check(
        "userinfo.query-token.is-refused",
        "UserInfo takes no token in its address",
        .risk,
        .conformance,
        Citation(.rfc6750, "2.3", "it SHOULD NOT be used unless it is impossible to transport the access token"),
        why: "Addresses are kept in logs, histories and referrers, and the token with them.",
        reads: Conversations.answer(.accessTokenLife, .query),
        excusedBy: ["userinfo.no-token.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo gave claims for a token in the query of its address.",
                at: "access_token",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Read access tokens from the Authorization header alone."
            )
        }
    )

    package static let all: [Check] = [
        lowerCaseIsAccepted, postIsAccepted, postIsSame, bodyIsAccepted, queryIsRefused,
    ]

    private static func getSucceeded(_ facts: Facts) -> Bool {
        facts.answer(.accessTokenLife, .get)?.response.status == 200
    }
}
