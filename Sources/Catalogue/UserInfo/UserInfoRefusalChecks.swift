package import Conformance
import JSONTree

/// Error responses of UserInfo (RFC 6750 section 3).
package enum UserInfoRefusalChecks {
    private static let noToken = StepResults.answer(.userInfoRefusals, .noToken)
    private static let badToken = StepResults.answer(.userInfoRefusals, .badToken)
    private static let postedBadTokens = Query<CallResult>(
        "responses of UserInfo to POST requests with a bogus token",
        needs: [.discovery, .probe(Scenario.userInfoRefusals.id)]
    ) { facts in
        [StepID.postedBadToken, .postedBadTokenInBody]
            .flatMap { StepResults.answer(.userInfoRefusals, $0).samples(facts) }
    }
    private static let granted = "UserInfo accepted the request, which another check reports"

    static let isThere = Check(
        "userinfo.get.is-answered",
        "The advertised UserInfo endpoint exists and accepts GET",
        .must,
        .signIn,
        Citation(.core, "5.3", "The UserInfo Endpoint MUST support the use of the HTTP GET and HTTP POST methods"),
        why: "Platforms that read the user's profile from UserInfo abort the sign-in without a response.",
        reads: noToken,
        supersededBy: ["userinfo.status.is-200"],
        finding: { subject, _ in
            guard isNotThere(subject) else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for a GET request.",
                expected: "HTTP status 401, because the request has no token",
                found: "HTTP status \(subject.response.status)",
                fix: "Correct userinfo_endpoint in the discovery document, and accept GET there."
            )
        }
    )

    static let noTokenIsRefused = Check(
        "userinfo.no-token.is-refused",
        "UserInfo rejects a request without a token",
        .must,
        .safety,
        Citation(.core, "5.3", "The UserInfo Endpoint is an OAuth 2.0 Protected Resource"),
        why: "An attacker can read who signed in.",
        endangers: .allUsers,
        reads: noToken,
        passesOn: .refusal,
        finding: { subject, _ in
            guard subject.isSuccess else { return nil }
            return admitted("a request without a token", subject)
        }
    )

    static let noTokenHas401 = Check(
        "userinfo.no-token.has-401",
        "UserInfo returns HTTP status 401 for a request without a token",
        .should,
        .conformance,
        Citation(.rfc6750, "3", "does not include authentication credentials"),
        why: "Clients detect a missing token only by this status.",
        reads: noToken,
        exempt: { subject, _ in whyNoRefusal(subject) },
        rule: { subject, _ in statusFinding(subject, "a request without a token") }
    )

    static let noTokenHasChallenge = Check(
        "userinfo.no-token.has-bearer-challenge",
        "UserInfo returns a Bearer challenge for a request without a token",
        .must,
        .conformance,
        Citation(.rfc6750, "3", "the resource server MUST include the HTTP \"WWW-Authenticate\" response header field"),
        why: "Clients that rely on the challenge do not learn how to authenticate.",
        reads: noToken,
        exempt: { subject, _ in whyNoRefusal(subject) },
        rule: { subject, facts in challengeFinding(subject, facts, "a request without a token") }
    )

    static let noTokenHasNoError = Check(
        "userinfo.no-token.has-no-error-code",
        "UserInfo returns no error code for a request without a token",
        .should,
        .conformance,
        Citation(.rfc6750, "3.1", "SHOULD NOT include an error code or other error information"),
        why: "A client that has not authenticated yet gets an error about a token that it never sent.",
        reads: noToken,
        exempt: { subject, facts in subject.hasTokenChallenge(facts) ? nil : "the response has no Bearer challenge" },
        finding: { subject, _ in
            guard let code = subject.challengeError else { return nil }
            return Finding(
                "UserInfo returns the error \(code.quoted) for a request without a token.",
                at: "WWW-Authenticate",
                expected: "a challenge without error",
                found: code.shown(),
                fix: "Omit error from the Bearer challenge if the request has no token."
            )
        }
    )

    static let badTokenIsRefused = bogusTokenIsRefused(
        "userinfo.bad-token.is-refused",
        "UserInfo rejects a bogus token",
        reads: badToken,
        supersededBy: ["userinfo.no-token.is-refused"]
    ) { admitted("a bogus token", $0) }

    static let postedBadTokenIsRefused = bogusTokenIsRefused(
        "userinfo.post.bad-token-is-refused",
        "UserInfo rejects a POST request with a bogus token",
        reads: postedBadTokens,
        supersededBy: ["userinfo.no-token.is-refused", "userinfo.bad-token.is-refused"]
    ) { admitted("a POST request with a bogus token", at: nil, $0) }

    private static func bogusTokenIsRefused(
        _ id: CheckID,
        _ title: String,
        reads query: Query<CallResult>,
        supersededBy superseding: [CheckID],
        finding: @escaping @Sendable (CallResult) -> Finding
    ) -> Check {
        Check(
            id,
            title,
            .must,
            .safety,
            Citation(
                .rfc6750,
                "3.1",
                "The access token provided is expired, revoked, malformed, or invalid for other reasons"
            ),
            why: "An attacker without a valid access token can read the claims of a user.",
            endangers: .allUsers,
            reads: query,
            supersededBy: superseding,
            passesOn: .refusal,
            finding: { subject, _ in subject.isSuccess ? finding(subject) : nil }
        )
    }

    static let badTokenHas401 = Check(
        "userinfo.bad-token.has-401",
        "UserInfo returns HTTP status 401 for a bogus token",
        .should,
        .conformance,
        Citation(.rfc6750, "3.1", "The resource SHOULD respond with the HTTP 401 (Unauthorized) status code"),
        why: "Clients refresh their token on 401 and report a failure on any other status.",
        reads: badToken,
        supersededBy: ["userinfo.no-token.has-401", "userinfo.status.is-200"],
        exempt: { subject, _ in subject.isSuccess ? granted : nil },
        rule: { subject, _ in statusFinding(subject, "a bogus token") }
    )

    static let badTokenHasChallenge = Check(
        "userinfo.bad-token.has-bearer-challenge",
        "UserInfo returns a Bearer challenge for a bogus token",
        .must,
        .conformance,
        Citation(
            .rfc6750,
            "3",
            "does not contain an access token that enables access to the protected resource, the resource server MUST include"
        ),
        why: "Clients cannot distinguish an expired token from a server failure.",
        reads: badToken,
        supersededBy: ["userinfo.no-token.has-bearer-challenge"],
        exempt: { subject, _ in subject.isSuccess ? granted : nil },
        rule: { subject, facts in challengeFinding(subject, facts, "a bogus token") }
    )

    static let badTokenIsInvalidToken = Check(
        "userinfo.bad-token.has-invalid-token",
        "UserInfo returns the error invalid_token for a bogus token",
        .should,
        .conformance,
        Citation(.rfc6750, "3", "the resource server SHOULD include the \"error\" attribute"),
        why: "Clients refresh their token on invalid_token and report a failure on any other error.",
        reads: badToken,
        exempt: { subject, facts in subject.hasTokenChallenge(facts) ? nil : "the response has no Bearer challenge" },
        finding: { subject, _ in
            guard subject.challengeError != "invalid_token" else { return nil }
            return Finding(
                "UserInfo does not return the error invalid_token for a bogus token.",
                at: "WWW-Authenticate",
                expected: "error=\"invalid_token\"",
                found: subject.challengeError?.shown() ?? "no error",
                fix: "Send WWW-Authenticate: Bearer error=\"invalid_token\"."
            )
        }
    )

    package static let all: [Check] = [
        isThere, noTokenIsRefused, noTokenHas401, noTokenHasChallenge, noTokenHasNoError, badTokenIsRefused,
        postedBadTokenIsRefused, badTokenHas401, badTokenHasChallenge, badTokenIsInvalidToken,
    ]

    /// Whether the status shows that the endpoint does not exist or does not accept GET.
    private static func isNotThere(_ subject: CallResult) -> Bool {
        [404, 405, 410, 501].contains(subject.response.status)
    }

    private static func whyNoRefusal(_ subject: CallResult) -> String? {
        if isNotThere(subject) {
            return "the endpoint does not exist or does not accept GET, which another check reports"
        }
        return subject.isSuccess ? granted : nil
    }

    private static func admitted(
        _ what: String,
        at pointer: String? = "Authorization",
        _ subject: CallResult
    ) -> Finding {
        Finding(
            "UserInfo returns HTTP status \(subject.response.status) for \(what).",
            at: pointer,
            expected: "HTTP status 401",
            found: "HTTP status \(subject.response.status)",
            fix: "Verify the access token of every request, and return HTTP status 401 if it is missing or invalid."
        )
    }

    private static func statusFinding(_ subject: CallResult, _ what: String) -> [Finding] {
        guard subject.response.status != 401 else { return [] }
        return [
            Finding(
                "UserInfo returns HTTP status \(subject.response.status) for \(what).",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix:
                    "Return HTTP status 401 with WWW-Authenticate: Bearer at UserInfo if the access token is missing or invalid."
            )
        ]
    }

    private static func challengeFinding(_ subject: CallResult, _ facts: Facts, _ what: String) -> [Finding] {
        guard !subject.hasTokenChallenge(facts) else { return [] }
        return [
            Finding(
                "UserInfo rejects \(what) without a Bearer challenge.",
                at: "WWW-Authenticate",
                expected: "Bearer",
                found: subject.response.joinedHeader("WWW-Authenticate")?.shown() ?? "missing",
                fix: "Send WWW-Authenticate: Bearer with every rejection by UserInfo."
            )
        ]
    }
}

extension CallResult {
    /// Whether the response says how to present a token: as Bearer, or by DPoP at a provider that supports it (RFC 9449 section 7.1).
    fileprivate func hasTokenChallenge(_ facts: Facts) -> Bool {
        let isOffered = facts.metadata.value?.object.has("dpop_signing_alg_values_supported") == true
        return hasChallenge("Bearer") || hasChallenge("DPoP") && (isOffered || facts.target.client?.usesDPoP == true)
    }

    /// The `error` attribute of the challenge; `nil` without one.
    fileprivate var challengeError: String? {
        let challenge = response.joinedHeader("WWW-Authenticate") ?? ""
        return challenge.split(whereSeparator: { $0 == "," || $0 == " " }).first { $0.lowercased().hasPrefix("error=") }
            .map { String($0.dropFirst(6)).replacing("\"", with: "") }
    }
}
