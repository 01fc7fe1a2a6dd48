package import Conformance

/// The query of a redirect URI, and the access token that is returned with a code.
package enum ResponseQualityChecks {
    package static let queryIsKept = Check(
        "authorization.redirect-uri.query-is-kept",
        "The provider keeps the query of the redirect URI",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1.2", "which MUST be retained when adding additional query parameters"),
        why: "The client selects its page by the query, and the response reaches the wrong page or none.",
        reads: StepResults.successes,
        exempt: { subject, _ in
            subject.1.keepsQuery == nil ? "the redirect URI has no query" : nil
        },
        finding: { subject, _ in
            guard subject.1.keepsQuery == false else { return nil }
            let sent = subject.0.asked.sentParameter("redirect_uri") ?? ""
            return Finding(
                "The provider drops the query of the redirect URI.",
                at: "redirect_uri",
                expected: "the response added to \(sent.shown())",
                found: "a redirect without the query",
                fix: "Keep the query of the redirect URI, and append the response parameters with &."
            )
        }
    )

    package static let frontTokenOpensUserInfo = Check(
        "authorization.access-token.opens-userinfo",
        "UserInfo accepts the access token that the authorization endpoint issues in a hybrid flow",
        .risk,
        .conformance,
        Citation(.core, "3.3.3.8", "their values MAY be the same or they MAY be different"),
        why: "Scripts in the browser use this token, and get no claims about the user.",
        reads: StepResults.frontChannelUserInfo,
        finding: { subject, _ in
            guard !subject.response.isSuccess else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for the access token of the authorization "
                    + "endpoint.",
                expected: "200",
                found: "\(subject.response.status)",
                fix: "Accept the access tokens of both endpoints at UserInfo, or stop supporting the response type."
            )
        }
    )

    package static let all: [Check] = [queryIsKept, frontTokenOpensUserInfo]
}
