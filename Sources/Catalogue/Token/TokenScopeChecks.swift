package import Conformance
import JSONTree

/// The scope member of a token response.
package enum TokenScopeChecks {
    private static let noScope = "the response has no scope, so the requested scope is granted (RFC 6749 section 5.1)"

    static let isLegal = Check(
        "token.scope.is-legal",
        "scope in the token response is a string of space-delimited values",
        .must,
        .signIn,
        Citation(.rfc6749, "3.3", "expressed as a list of space-delimited, case-sensitive strings"),
        why: "Clients cannot parse a JSON array or commas, and assume that no scope was granted.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in subject.1.has("scope") ? nil : noScope },
        finding: { subject, _ in
            guard let value = subject.1["scope"] else { return nil }
            if let text = value.stringValue, text.isErrorText { return nil }
            return Finding(
                value.stringValue == nil
                    ? "scope is \(value.kind.phrase)." : "scope contains characters that are not allowed.",
                at: "/scope",
                expected: "a string such as \"openid email\"",
                found: value.shown,
                fix: "Return the granted scope values as one space-delimited string."
            )
        }
    )

    static let containsOpenID = Check(
        "token.scope.holds-openid",
        "The granted scope contains openid if it was requested",
        .risk,
        .conformance,
        Citation(.core, "3.1.2.1", "OpenID Connect requests MUST contain the openid scope value."),
        why: "Clients that read the granted scope treat the response as plain OAuth and ignore the ID Token.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.scope.is-legal"],
        exempt: { subject, _ in
            if !subject.0.asked.askedScopes.contains("openid") { return "the scope openid was not requested" }
            return subject.1.has("scope") ? nil : noScope
        },
        finding: { subject, _ in
            guard let text = subject.1["scope"]?.stringValue, !text.split(separator: " ").contains("openid") else {
                return nil
            }
            return Finding(
                "The request has the scope openid, but the granted scope does not contain it.",
                at: "/scope",
                expected: "openid among the values",
                found: text.shown(),
                fix: "Grant openid to the client, and include it in scope."
            )
        }
    )

    static let containsWhatWasAsked = Check(
        "token.scope.holds-what-was-asked",
        "The token endpoint grants every requested scope value",
        .may,
        .conformance,
        Citation(.rfc6749, "3.3", "MAY fully or partially ignore the scope requested by the client"),
        why: "The claims of a scope value that is not granted are missing.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.scope.is-legal"],
        exempt: { subject, _ in subject.1.has("scope") ? nil : noScope },
        finding: { subject, _ in
            guard let text = subject.1["scope"]?.stringValue else { return nil }
            let granted = Set(text.split(separator: " ").map(String.init))
            // openid has its own check; a refresh token suffices as grant of offline_access.
            let missing = subject.0.asked.askedScopes.filter {
                !granted.contains($0) && !["openid", "offline_access"].contains($0)
            }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "The token endpoint does not grant these requested scope values: \(missing.joined(separator: ", ").shown()).",
                at: "/scope",
                expected: subject.0.asked.sentParameter("scope")?.shown(),
                found: text.shown(),
                fix:
                    "Allow \(missing.conjoined.shown()) for the client, or do not request \(missing.count == 1 ? "it" : "them")."
            )
        }
    )

    package static let all: [Check] = [isLegal, containsOpenID, containsWhatWasAsked]
}
