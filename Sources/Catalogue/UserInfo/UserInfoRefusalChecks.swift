package import Conformance

/// How UserInfo refuses (RFC 6750 section 3).
package enum UserInfoRefusalChecks {
    private static let noToken = Conversations.answer(.userInfoRefusals, .noToken)
    private static let badToken = Conversations.answer(.userInfoRefusals, .badToken)
    private static let granted = "the request was granted, which another check reports"

    package static let isThere = Check(
        "userinfo.get.is-answered",
        "The advertised UserInfo endpoint is there, and takes GET",
        .must,
        .signIn,
        Citation(.core, "5.3", "The UserInfo Endpoint MUST support the use of the HTTP GET and HTTP POST methods"),
        why: "Platforms that ask UserInfo for the user's profile end the sign-in when there is no answer.",
        reads: noToken,
        excusedBy: ["userinfo.status.is-200"],
        finding: { subject, _ in
            guard isNotThere(subject) else { return nil }
            return Finding(
                "UserInfo answered a GET with HTTP status \(subject.response.status).",
                expected: "HTTP status 401, because there was no token",
                found: "HTTP status \(subject.response.status)",
                fix: "Correct userinfo_endpoint in the discovery document, and allow GET there."
            )
        }
    )

    package static let noTokenIsRefused = Check(
        "userinfo.no-token.is-refused",
        "UserInfo gives nothing without a token",
        .must,
        .safety,
        Citation(.core, "5.3", "The UserInfo Endpoint is an OAuth 2.0 Protected Resource"),
        why: "Anybody can read who signed in.",
        endangers: .everybody,
        reads: noToken,
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return admitted("a request without a token", subject)
        }
    )

    package static let noTokenHas401 = Check(
        "userinfo.no-token.has-401",
        "UserInfo answers HTTP status 401 to a request without a token",
        .should,
        .conformance,
        Citation(.rfc6750, "3", "does not include authentication credentials"),
        why: "Clients know by this status that a token is missing, and by nothing else.",
        reads: noToken,
        exempt: { subject, _ in whyNoRefusal(subject) },
        rule: { subject, _ in statusFinding(subject, "a request without a token") }
    )

    package static let noTokenHasChallenge = Check(
        "userinfo.no-token.has-bearer-challenge",
        "UserInfo asks for a Bearer token when there is none",
        .must,
        .conformance,
        Citation(
            .rfc6750,
            "3",
            "the resource server MUST include the HTTP \"WWW-Authenticate\" response header field"
        ),
        why: "Clients that wait for the challenge do not find out how to authenticate.",
        reads: noToken,
        exempt: { subject, _ in whyNoRefusal(subject) },
        rule: { subject, _ in challengeFinding(subject, "a request without a token") }
    )

    package static let noTokenHasNoError = Check(
        "userinfo.no-token.has-no-error-code",
        "UserInfo names no error code when there is no token",
        .should,
        .conformance,
        Citation(.rfc6750, "3.1", "SHOULD NOT include an error code or other error information"),
        why: "A client that has not authenticated yet is told of a token that it never sent.",
        reads: noToken,
        exempt: { subject, _ in
            subject.hasChallenge("Bearer") ? nil : "the answer has no Bearer challenge"
        },
        finding: { subject, _ in
            guard let code = subject.challengeError else { return nil }
            return Finding(
                "UserInfo named the error \(code.quoted) though there was no token.",
                at: "WWW-Authenticate",
                expected: "a challenge without error",
                found: code.shown(),
                fix: "Send error only when the request had a token."
            )
        }
    )

    package static let badTokenIsRefused = Check(
        "userinfo.bad-token.is-refused",
        "UserInfo gives nothing for a token that was never issued",
        .must,
        .safety,
        Citation(
            .rfc6750,
            "3.1",
            "The access token provided is expired, revoked, malformed, or invalid for other reasons"
        ),
        why: "Anybody can read who signed in.",
        endangers: .everybody,
        reads: badToken,
        excusedBy: ["userinfo.no-token.is-refused"],
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return admitted("a made-up token", subject)
        }
    )

    package static let badTokenHas401 = Check(
        "userinfo.bad-token.has-401",
        "UserInfo answers HTTP status 401 to a token that was never issued",
        .should,
        .conformance,
        Citation(.rfc6750, "3.1", "The resource SHOULD respond with the HTTP 401 (Unauthorized) status code"),
        why: "Clients refresh their token on 401 and report a failure on anything else.",
        reads: badToken,
        excusedBy: ["userinfo.no-token.has-401", "userinfo.status.is-200"],
        exempt: { subject, _ in subject.isSuccess ? granted : nil },
        rule: { subject, _ in statusFinding(subject, "a made-up token") }
    )

    package static let badTokenHasChallenge = Check(
        "userinfo.bad-token.has-bearer-challenge",
        "UserInfo asks for a Bearer token when the token is no good",
        .must,
        .conformance,
        Citation(
            .rfc6750,
            "3",
            "does not contain an access token that enables access to the protected resource, the resource server MUST include"
        ),
        why: "Clients cannot tell a token that has run out from a server that fails.",
        reads: badToken,
        excusedBy: ["userinfo.no-token.has-bearer-challenge"],
        exempt: { subject, _ in subject.isSuccess ? granted : nil },
        rule: { subject, _ in challengeFinding(subject, "a made-up token") }
    )

    package static let badTokenIsInvalidToken = Check(
        "userinfo.bad-token.has-invalid-token",
        "UserInfo names the error invalid_token when the token is no good",
        .should,
        .conformance,
        Citation(.rfc6750, "3", "the resource server SHOULD include the \"error\" attribute"),
        why: "Clients refresh their token on invalid_token and report a failure on anything else.",
        reads: badToken,
        exempt: { subject, _ in
            subject.hasChallenge("Bearer") ? nil : "the answer has no Bearer challenge"
        },
        finding: { subject, _ in
            guard subject.challengeError != "invalid_token" else { return nil }
            return Finding(
                "UserInfo did not say that a made-up token is invalid.",
                at: "WWW-Authenticate",
                expected: "error=\"invalid_token\"",
                found: subject.challengeError?.shown() ?? "no error",
                fix: "Answer WWW-Authenticate: Bearer error=\"invalid_token\"."
            )
        }
    )

    package static let all: [Check] = [
        isThere, noTokenIsRefused, noTokenHas401, noTokenHasChallenge, noTokenHasNoError, badTokenIsRefused,
        badTokenHas401,
        badTokenHasChallenge, badTokenIsInvalidToken,
    ]

    /// Whether the status says that there is no such endpoint, or that it takes no GET.
    private static func isNotThere(_ subject: AnsweredCall) -> Bool {
        [404, 405, 410, 501].contains(subject.response.status)
    }

    private static func whyNoRefusal(_ subject: AnsweredCall) -> String? {
        if isNotThere(subject) { return "nothing answers a GET there, which another check reports" }
        return subject.isSuccess ? granted : nil
    }

    private static func admitted(_ what: String, _ subject: AnsweredCall) -> Finding {
        Finding(
            "UserInfo answered \(what) with HTTP status \(subject.response.status).",
            at: "Authorization",
            expected: "HTTP status 401",
            found: "HTTP status \(subject.response.status)",
            fix: "Look every access token up, and refuse with 401 when there is none."
        )
    }

    private static func statusFinding(_ subject: AnsweredCall, _ what: String) -> [Finding] {
        guard subject.response.status != 401 else { return [] }
        return [
            Finding(
                "UserInfo answered \(what) with HTTP status \(subject.response.status).",
                expected: "401",
                found: String(subject.response.status),
                fix: "Answer 401 with a Bearer challenge."
            )
        ]
    }

    private static func challengeFinding(_ subject: AnsweredCall, _ what: String) -> [Finding] {
        guard !subject.hasChallenge("Bearer") else { return [] }
        return [
            Finding(
                "UserInfo refused \(what) without a Bearer challenge.",
                at: "WWW-Authenticate",
                expected: "Bearer",
                found: subject.response.joinedHeader("WWW-Authenticate")?.shown() ?? "missing",
                fix: "Send WWW-Authenticate: Bearer with every refusal of UserInfo."
            )
        ]
    }
}

extension AnsweredCall {
    /// The `error` attribute of the challenge; `nil` without one.
    fileprivate var challengeError: String? {
        let challenge = response.joinedHeader("WWW-Authenticate") ?? ""
        return challenge.split(whereSeparator: { $0 == "," || $0 == " " })
            .first { $0.lowercased().hasPrefix("error=") }
            .map { String($0.dropFirst(6)).replacing("\"", with: "") }
    }
}
