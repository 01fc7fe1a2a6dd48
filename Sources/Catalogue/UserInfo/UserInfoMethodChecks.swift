package import Conformance
import JSONTree

/// The methods of sending an access token to UserInfo (RFC 6750 section 2).
package enum UserInfoMethodChecks {
    private static let noGET = "UserInfo does not accept the access token by GET, which another check reports"

    static let postIsAccepted = Check(
        "userinfo.post.is-accepted",
        "UserInfo accepts POST with the token in the Authorization header",
        .must,
        .signIn,
        Citation(.core, "5.3", "The UserInfo Endpoint MUST support the use of the HTTP GET and HTTP POST methods"),
        why: "Libraries that use POST get no claims.",
        reads: StepResults.answer(.accessTokenLife, .post),
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for a POST request.",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Accept POST at the UserInfo endpoint with the token in the Authorization header."
            )
        }
    )

    static let postWithoutBodyIsAccepted = Check(
        "userinfo.post-without-body.is-accepted",
        "UserInfo accepts POST without a body",
        .must,
        .conformance,
        Citation(.core, "5.3", "The UserInfo Endpoint MUST support the use of the HTTP GET and HTTP POST methods"),
        why: "Libraries that send no body with the token in the Authorization header get no claims.",
        reads: StepResults.answer(.accessTokenLife, .postWithoutBody),
        supersededBy: ["userinfo.post.is-accepted"],
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for a POST request without a body.",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Accept POST without Content-Type and body if the token is in the Authorization header."
            )
        }
    )

    static let postIsSame = Check(
        "userinfo.post.has-same-claims",
        "UserInfo returns the same claims for POST as for GET",
        .risk,
        .conformance,
        Citation(.core, "5.3.1", "The Client sends the UserInfo Request using either HTTP GET or HTTP POST."),
        why: "The user's profile depends on the HTTP method that the client's library uses.",
        reads: StepResults.answer(.accessTokenLife, .post),
        supersededBy: ["userinfo.body.is-json-object", "userinfo.post.is-accepted"],
        exempt: { subject, facts in
            subject.claims != nil && facts.answer(.accessTokenLife, .get)?.claims != nil
                ? nil : "GET and POST did not both return claims to compare"
        },
        rule: { subject, facts in
            guard let post = subject.claims, let get = facts.answer(.accessTokenLife, .get)?.claims else { return [] }
            // In a signed response these claims differ each time.
            let ofTheAnswer: Set = subject.isSigned ? ["iat", "exp", "nbf", "jti"] : []
            let names = Set(post.members.map(\.name)).union(get.members.map(\.name)).subtracting(ofTheAnswer).sorted()
            return names.filter { post[$0] != get[$0] }
                .map { name in
                    Finding(
                        "The claim \(name.shown()) at UserInfo differs between POST and GET.",
                        at: "/" + name,
                        expected: get[name].map(\.kind.phrase) ?? "missing, as for GET",
                        found: post[name] == nil ? "missing" : "another value",
                        fix: "Return the same claims for GET and POST."
                    )
                }
        }
    )

    static let lowerCaseIsAccepted = Check(
        "userinfo.scheme.may-be-in-lower-case",
        "UserInfo accepts the scheme Bearer in lower case",
        // The sentence is a definition without MUST.
        .risk,
        .signIn,
        Citation(.rfc9110, "11.1", "It uses a case-insensitive token as a means to identify the authentication scheme"),
        why: "Clients that send token_type \"bearer\" unchanged as the scheme get no claims.",
        reads: StepResults.answer(.accessTokenLife, .lowerCaseScheme),
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for a GET request with Authorization: bearer.",
                at: "Authorization",
                expected: "HTTP status 200, as with Bearer",
                found: "HTTP status \(subject.response.status)",
                fix: "Compare the scheme of the Authorization header case-insensitively."
            )
        }
    )

    static let bodyIsAccepted = Check(
        "userinfo.post-body.is-accepted",
        "UserInfo accepts a token in a form body",
        .may,
        .signIn,
        Citation(.rfc6750, "2.2", "Resource servers MAY support this method."),
        why: "A few old libraries can send the token only in a form body.",
        reads: StepResults.answer(.accessTokenLife, .postBody),
        supersededBy: ["userinfo.post.is-accepted"],
        exempt: { _, facts in getSucceeded(facts) ? nil : noGET },
        finding: { subject, _ in
            guard subject.response.status != 200 else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for a token in a form body.",
                at: "access_token",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "No change is required; configure clients to send the token in the Authorization header."
            )
        }
    )

    static let queryIsRefused = Check(
        "userinfo.query-token.is-refused",
        "UserInfo rejects a token in the query string",
        .risk,
        .conformance,
        Citation(.rfc6750, "2.3", "it SHOULD NOT be used unless it is impossible to transport the access token"),
        why: "URLs with the token end up in logs, browser histories and Referer headers.",
        reads: StepResults.answer(.accessTokenLife, .query),
        supersededBy: ["userinfo.no-token.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo accepts a token in the query string.",
                at: "access_token",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Accept access tokens only in the Authorization header."
            )
        }
    )

    static let idTokenIsRefused = Check(
        "userinfo.id-token.is-refused",
        "UserInfo rejects an ID Token in place of the access token",
        .risk,
        .safety,
        Citation(.rfc8725, "3.12", "mutually exclusive, rejecting JWTs of the wrong kind"),
        why: "An attacker who finds an ID Token in a log, or in the URL of a logout request, reads the user's claims.",
        endangers: .allUsers,
        reads: StepResults.answer(.accessTokenLife, .idToken),
        supersededBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo accepts an ID Token.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Accept only access tokens: verify typ at+jwt (RFC 9068 section 4), or the audience."
            )
        }
    )

    static let alteredTokenIsRefused = Check(
        "userinfo.altered-token.is-refused",
        "UserInfo rejects an access token with one character replaced",
        .must,
        .safety,
        Citation(
            .rfc6750,
            "3.1",
            "The access token provided is expired, revoked, malformed, or invalid for other reasons"
        ),
        why: "UserInfo does not verify the whole token, so an attacker can forge one for any user.",
        endangers: .allUsers,
        reads: StepResults.answer(.accessTokenLife, .alteredToken),
        supersededBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return Finding(
                "UserInfo accepts an access token with one character replaced.",
                at: "Authorization",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Verify the signature of a JWT (RFC 9068 section 4), and compare the whole of any other token."
            )
        }
    )

    package static let all: [Check] = [
        lowerCaseIsAccepted, postIsAccepted, postWithoutBodyIsAccepted, postIsSame, bodyIsAccepted, queryIsRefused,
        idTokenIsRefused, alteredTokenIsRefused,
    ]

    private static func getSucceeded(_ facts: Facts) -> Bool {
        facts.answer(.accessTokenLife, .get)?.response.status == 200
    }
}
