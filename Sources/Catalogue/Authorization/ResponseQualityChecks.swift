package import Conformance

/// What becomes of a redirect URI with a query, and what the access token beside a code is good for.
package enum ResponseQualityChecks {
    package static let queryIsKept = Check(
        "authorization.redirect-uri.query-is-kept",
        "A query that the redirect URI has of its own comes back with the response",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1.2", "which MUST be retained when adding additional query parameters"),
        why: "The client finds its page by the query, and the response arrives at another page or none.",
        reads: Conversations.successes,
        exempt: { subject, _ in
            subject.1.keepsQuery == nil ? "the redirect URI has no query of its own" : nil
        },
        finding: { subject, _ in
            guard subject.1.keepsQuery == false else { return nil }
            let sent = subject.0.asked.sentParameter("redirect_uri") ?? ""
            return Finding(
                "The query of the redirect URI was lost.",
                at: "redirect_uri",
                expected: "the response added to \(sent.shown())",
                found: "a redirect without it",
                fix: "Add response parameters with & when the redirect URI has a query, and keep what it has."
            )
        }
    )

    package static let frontTokenOpensUserInfo = Check(
        "authorization.access-token.opens-userinfo",
        "The access token that a hybrid flow returns from the authorization endpoint opens UserInfo",
        .risk,
        .conformance,
        Citation(.core, "3.3.3.8", "their values MAY be the same or they MAY be different"),
        why: "Scripts in the browser use this one, and find out nothing about the user.",
        reads: Conversations.frontChannelUserInfo,
        finding: { subject, _ in
            guard !(200...299).contains(subject.response.status) else { return nil }
            return Finding(
                "UserInfo answered the access token of the authorization endpoint with HTTP status "
                    + "\(subject.response.status).",
                expected: "200",
                found: "\(subject.response.status)",
                fix: "Accept at UserInfo the access tokens of both endpoints, or stop offering the response type."
            )
        }
    )

    package static let all: [Check] = [queryIsKept, frontTokenOpensUserInfo]
}
