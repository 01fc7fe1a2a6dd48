import Conformance
import JSONTree

/// Whom logout tokens name, compared with the ID Tokens of the run.
enum BackChannelSubjectChecks {
    static let subject = same(
        "logout.back-channel.sub-is-known",
        "A logout token names a subject of the ID Tokens",
        // That applications compare it is their choice (Back-Channel Logout section 2.6: "Optionally verify").
        .risk,
        Citation(.core, "2", "A locally unique and never reassigned identifier within the Issuer for the End-User"),
        claim: "sub"
    )

    static let session = same(
        "logout.back-channel.sid-is-known",
        "A logout token names a session of the ID Tokens",
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
        "A logout message holds nothing but the logout token",
        .may,
        .conformance,
        Citation(.backChannelLogout, "2.5", "The POST body MAY contain other values in addition to logout_token"),
        why: "Applications ignore what they do not know; what matters belongs into the token, which is signed.",
        reads: BackChannelMessages.each,
        finding: { message, _ in
            let names = message.parameters.filter { $0 != "logout_token" }
            guard !names.isEmpty else { return nil }
            return Finding(
                "The logout message also holds \(names.joined(separator: ", ").shown()).",
                expected: "logout_token",
                found: message.parameters.joined(separator: ", ").shown(),
                fix: "Send logout_token alone."
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
            why: "The application finds no session of that name, and the person stays signed in.",
            reads: BackChannelMessages.tokens,
            excusedBy: [
                "idtoken.sub.is-the-same-without-sign-in", "idtoken.sub.is-present",
            ],
            exempt: { token, _ in token.claims[claim]?.stringValue == nil ? "the logout token has no \(claim)" : nil },
            finding: { token, facts in
                let known = values(of: claim, in: facts.evidence.runs)
                guard let told = token.claims[claim]?.stringValue, !known.isEmpty || claim == "sid",
                    !known.contains(where: told.hasSameOctets)
                else { return nil }
                return Finding(
                    "No ID Token of this run has the \(claim) that the logout token names.",
                    at: "/\(claim)",
                    expected: known.isEmpty
                        ? "no \(claim), or one in ID Tokens too" : known.joined(separator: ", "),
                    found: told.shown(limit: 120),
                    fix: "Write the \(claim) of the client's ID Tokens into its logout tokens."
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
