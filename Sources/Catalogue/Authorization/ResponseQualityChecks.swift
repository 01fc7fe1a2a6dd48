package import Conformance

/// The query of a redirect URI, the access token that is returned with a code, and the addresses of redirects.
package enum ResponseQualityChecks {
    static let queryIsKept = Check(
        "authorization.redirect-uri.query-is-kept",
        "The provider keeps the query of the redirect URI",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1.2", "which MUST be retained when adding additional query parameters"),
        why: "The client selects its page by the query, and the response reaches the wrong page or none.",
        reads: StepResults.successes,
        exempt: { subject, _ in subject.1.keepsQuery == nil ? "the redirect URI has no query" : nil },
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

    static let frontTokenOpensUserInfo = Check(
        "authorization.access-token.opens-userinfo",
        "UserInfo accepts the access token that the authorization endpoint issues in a hybrid flow",
        .risk,
        .conformance,
        Citation(.core, "3.3.3.8", "their values MAY be the same or they MAY be different"),
        why: "Scripts in the browser use this token, and get no claims about the user.",
        reads: StepResults.frontChannelUserInfo,
        finding: { subject, _ in
            guard !subject.isSuccess else { return nil }
            return Finding(
                "UserInfo returns HTTP status \(subject.response.status) for the access token of the authorization "
                    + "endpoint.",
                expected: "HTTP status 200",
                found: "HTTP status \(subject.response.status)",
                fix: "Accept the access tokens of both endpoints at UserInfo, or stop supporting the response type."
            )
        }
    )

    static let locationIsAURI = Check(
        "authorization.redirects.have-uris",
        "Every Location header is a URI reference, without spaces",
        // Browsers and client libraries encode the characters, and go on.
        .should,
        .conformance,
        Citation(.rfc9110, "10.2.2", "Location = URI-reference"),
        why: "A strict proxy or library rejects the redirect, and the sign-in stops.",
        reads: ServerErrorChecks.answers,
        exempt: { exchanges, _ in
            exchanges.contains { $0.response?.headers.contains { $0.isNamed("Location") } == true }
                ? nil : "no response was a redirect"
        },
        finding: { exchanges, _ in
            let redirects = exchanges.compactMap { exchange in
                exchange.response?.headers.first { $0.isNamed("Location") }.map { (exchange: exchange, to: $0.value) }
            }
            guard let wrong = redirects.first(where: { isNoURI($0.to) }) else { return nil }
            return Finding(
                "The Location header of a response contains a space (\(wrong.exchange.step)).",
                at: "Location",
                expected: "a URI reference (RFC 3986)",
                found: wrong.to.split { "?&#".contains($0) }.first { isNoURI("_" + $0) }
                    .map { String($0).shown(limit: 200) },
                fix: "Percent-encode the address, with %20 for each space.",
                exchange: wrong.exchange.id
            )
        }
    )

    /// Whether an address has a space inside; a redirect URI that begins with one is the run's own, and the placeholders of secrets
    /// are no part of it.
    private static func isNoURI(_ location: String) -> Bool {
        var (isInPlaceholder, hasBegun, hasSpace) = (false, false, false)
        for scalar in location.unicodeScalars {
            switch scalar {
            case "‹": isInPlaceholder = true
            case "›": isInPlaceholder = false
            case " " where isInPlaceholder || !hasBegun: break
            case " ": hasSpace = true
            default:
                if hasSpace { return true }
                hasBegun = true
            }
        }
        return false
    }

    package static let all: [Check] = [queryIsKept, frontTokenOpensUserInfo, locationIsAURI]
}
