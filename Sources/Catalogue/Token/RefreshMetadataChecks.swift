import Conformance

/// Whether the discovery document says of refresh tokens what the token endpoint does.
enum RefreshMetadataChecks {
    static let grantIsListed = Check(
        "token.refresh.grant-is-listed",
        "A provider that issues refresh tokens lists their grant",
        .risk,
        .conformance,
        Citation(.discovery, "3", "a list of the OAuth 2.0 Grant Type values that this OP supports"),
        why: "Clients that trust the list throw the refresh token away, and sign people in again and again.",
        reads: Conversations.tokenSuccesses,
        exempt: { subject, _ in
            subject.0.answer.refreshToken == nil ? "the response has no refresh token, which is optional" : nil
        },
        finding: { _, facts in
            guard let metadata = facts.metadata.value else { return nil }
            // Discovery section 3: what is left out has a default, and refresh_token is not in it.
            let isMissing = !metadata.states("grant_types_supported")
            let listed = grants(facts) ?? ["authorization_code", "implicit"]
            guard isMissing || grants(facts) != nil, !listed.contains("refresh_token") else { return nil }
            return Finding(
                "A refresh token was issued, and grant_types_supported "
                    + (isMissing ? "is missing, whose default has not its grant." : "does not list its grant."),
                at: "/grant_types_supported",
                expected: "refresh_token among the values",
                found: isMissing ? "no such member: \(listed.written) by default" : listed.written,
                fix: isMissing
                    ? "Add grant_types_supported with all grants, refresh_token among them."
                    : "Add refresh_token to grant_types_supported."
            )
        }
    )

    static let tokenIsIssued = Check(
        "token.refresh.listed-grant-is-used",
        "A provider that lists the grant of refresh tokens issues them",
        .may,
        .conformance,
        Citation(.discovery, "3", "a list of the OAuth 2.0 Grant Type values that this OP supports"),
        why: "Clients wait for a token that never comes; many providers issue one for offline_access only.",
        reads: Conversations.tokenSuccesses,
        excusedBy: ["token.refresh-token.is-a-text"],
        exempt: { _, facts in
            let answers = facts.evidence.runs.flatMap(\.steps).compactMap(\.answer.value)
            if answers.contains(where: { $0.refreshToken != nil }) {
                return "a refresh token was issued to a request that asked for one"
            }
            return grants(facts)?.contains("refresh_token") == true
                ? nil : "grant_types_supported does not list refresh_token"
        },
        finding: { subject, _ in
            guard subject.0.answer.refreshToken == nil else { return nil }
            return Finding(
                "grant_types_supported lists refresh_token, and no refresh token was issued.",
                at: "/refresh_token",
                expected: "a refresh token",
                found: "missing",
                fix: "Allow refresh tokens for this client, or ask for offline_access if the provider wants it."
            )
        }
    )

    static let all: [Check] = [grantIsListed, tokenIsIssued]

    @Sendable private static func grants(_ facts: Facts) -> [String]? {
        facts.metadata.value?.strings("grant_types_supported")
    }
}
