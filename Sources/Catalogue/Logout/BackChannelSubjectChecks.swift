import Conformance
import JSONTree

/// The subject and the session of logout tokens, compared with the ID Tokens of the run.
enum BackChannelSubjectChecks {
    static let subject = same(
        "logout.back-channel.sub-is-known",
        "The logout token's sub is that of an ID Token",
        // Comparing it is optional for applications (Back-Channel Logout section 2.6: "Optionally verify").
        .risk,
        Citation(.core, "2", "A locally unique and never reassigned identifier within the Issuer for the End-User"),
        claim: "sub"
    )

    static let session = same(
        "logout.back-channel.sid-is-known",
        "The logout token's sid is that of an ID Token",
        .must,
        Citation(
            .backChannelLogout,
            "2.1",
            "If supported, the sid Claim is also included in ID Tokens issued by the OP"
        ),
        claim: "sid"
    )

    static let nothingMore = Check(
        "logout.back-channel.message-holds-nothing-more",
        "The logout message contains no parameter but logout_token",
        .may,
        .conformance,
        Citation(.backChannelLogout, "2.5", "The POST body MAY contain other values in addition to logout_token"),
        why: "Applications ignore unknown parameters, and parameters outside the logout token are not signed.",
        reads: BackChannelMessages.each,
        finding: { message, _ in
            let names = message.parameters.filter { $0 != "logout_token" }
            guard !names.isEmpty else { return nil }
            return Finding(
                "The logout message also contains \(names.joined(separator: ", ").shown()).",
                expected: "logout_token",
                found: message.parameters.joined(separator: ", ").shown(),
                fix: "Send only logout_token in the logout message."
            )
        }
    )

    static let all: [Check] = [subject, session, nothingMore]

    private static func same(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ citation: Citation,
        claim: String
    ) -> Check {
        Check(
            id,
            title,
            requirement,
            .conformance,
            citation,
            why: "The application finds no session with this \(claim), and the user stays signed in.",
            reads: BackChannelMessages.tokens,
            supersededBy: [
                "idtoken.sub.is-the-same-without-sign-in", "idtoken.sub.is-present",
            ],
            exempt: { token, _ in token.claims[claim]?.stringValue == nil ? "the logout token has no \(claim)" : nil },
            finding: { token, facts in
                let known = values(of: claim, in: facts.evidence.runs)
                guard let reported = token.claims[claim]?.stringValue, !known.isEmpty || claim == "sid",
                    !known.contains(where: reported.hasSameBytes)
                else { return nil }
                return Finding(
                    "No ID Token of this run has the \(claim) of the logout token.",
                    at: "/\(claim)",
                    expected: known.isEmpty
                        ? "no \(claim), or the same \(claim) in ID Tokens"
                        // Each session has a sid of its own, and a run has many.
                        : known.count > 3 ? "the \(claim) of an ID Token of this run" : known.joined(separator: ", "),
                    found: reported.shown(limit: 120),
                    fix: "Set \(claim) of logout tokens to the \(claim) of the client's ID Tokens."
                )
            }
        )
    }

    /// The values of a claim in all ID Tokens that arrived, each once.
    private static func values(of claim: String, in runs: [ScenarioRun]) -> [String] {
        var values: [String] = []
        for token in runs.flatMap(\.steps).compactMap(\.idToken) {
            guard let value = token.claimsObject?[claim]?.stringValue, !values.contains(value) else { continue }
            values.append(value)
        }
        return values
    }
}
