package import Conformance
import JSONTree

/// The scope that a token response states.
package enum TokenScopeChecks {
    private static let noScope = "the response has no scope, so what was asked for is granted (RFC 6749 section 5.1)"

    package static let isLegal = Check(
        "token.scope.is-legal",
        "scope is a string of values parted by spaces",
        .must,
        .signIn,
        Citation(.rfc6749, "3.3", "expressed as a list of space-delimited, case-sensitive strings"),
        why: "A list or commas make a client believe that nothing was granted.",
        reads: Conversations.tokenSuccesses,
        exempt: { subject, _ in subject.1.has("scope") ? nil : noScope },
        finding: { subject, _ in
            guard let value = subject.1["scope"] else { return nil }
            if let text = value.stringValue, text.isErrorText { return nil }
            return Finding(
                value.stringValue == nil
                    ? "scope is \(value.kind.phrase)." : "scope holds characters that are not allowed there.",
                at: "/scope",
                expected: "a string such as \"openid email\"",
                found: value.shown,
                fix: "Return the granted scope values in one string, parted by spaces."
            )
        }
    )

    package static let holdsOpenID = Check(
        "token.scope.holds-openid",
        "The granted scope holds openid when it was asked for",
        .risk,
        .conformance,
        Citation(.core, "3.1.2.1", "OpenID Connect requests MUST contain the openid scope value."),
        why: "Clients that read the granted scope take the answer for plain OAuth and ignore the ID Token.",
        reads: Conversations.tokenSuccesses,
        excusedBy: ["token.scope.is-legal"],
        exempt: { subject, _ in
            if !subject.0.asked.askedScopes.contains("openid") { return "the scope openid was not asked for" }
            return subject.1.has("scope") ? nil : noScope
        },
        finding: { subject, _ in
            guard let text = subject.1["scope"]?.stringValue, !text.split(separator: " ").contains("openid") else {
                return nil
            }
            return Finding(
                "openid was asked for and is not in the granted scope.",
                at: "/scope",
                expected: "openid among the values",
                found: text.shown(),
                fix: "Grant openid to the client and state it in scope."
            )
        }
    )

    package static let holdsWhatWasAsked = Check(
        "token.scope.holds-what-was-asked",
        "Every scope value that was asked for is granted",
        .may,
        .conformance,
        Citation(.rfc6749, "3.3", "MAY fully or partially ignore the scope requested by the client"),
        why: "Claims behind a scope value that is not granted will be missing.",
        reads: Conversations.tokenSuccesses,
        excusedBy: ["token.scope.is-legal"],
        exempt: { subject, _ in subject.1.has("scope") ? nil : noScope },
        finding: { subject, _ in
            guard let text = subject.1["scope"]?.stringValue else { return nil }
            let granted = Set(text.split(separator: " ").map(String.init))
            // openid has a check of its own, offline_access is granted by a refresh token alone.
            let missing = subject.0.asked.askedScopes
                .filter { !granted.contains($0) && !["openid", "offline_access"].contains($0) }
            guard !missing.isEmpty else { return nil }
            return Finding(
                "Asked for and not granted: \(missing.joined(separator: ", ").shown()).",
                at: "/scope",
                expected: subject.0.asked.sentParameter("scope")?.shown(),
                found: text.shown(),
                fix: "Allow these scope values for the client, or do not ask for them."
            )
        }
    )

    package static let all: [Check] = [isLegal, holdsOpenID, holdsWhatWasAsked]
}
