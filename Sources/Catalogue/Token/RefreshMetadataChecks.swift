import Conformance

/// Whether the discovery document matches the token endpoint's use of refresh tokens.
enum RefreshMetadataChecks {
    static let grantIsListed = Check(
        "token.refresh.grant-is-listed",
        "The provider lists the refresh_token grant if it issues refresh tokens",
        .risk,
        .conformance,
        Citation(.discovery, "3", "a list of the OAuth 2.0 Grant Type values that this OP supports"),
        why: "Clients that trust the list discard the refresh token, and users have to sign in again and again.",
        reads: StepResults.tokenSuccesses,
        exempt: { subject, _ in
            subject.0.answer.refreshToken == nil ? "the response has no refresh token, which is optional" : nil
        },
        finding: { _, facts in
            guard let metadata = facts.metadata.value else { return nil }
            // Discovery section 3: the default for a missing member does not include refresh_token.
            let isMissing = !metadata.states("grant_types_supported")
            let listed = grants(facts) ?? ["authorization_code", "implicit"]
            guard isMissing || grants(facts) != nil, !listed.contains("refresh_token") else { return nil }
            return Finding(
                "The token endpoint issues a refresh token, but grant_types_supported "
                    + (isMissing
                        ? "is missing, and its default does not include refresh_token."
                        : "does not list refresh_token."),
                at: "/grant_types_supported",
                expected: "refresh_token among the values",
                found: isMissing ? "missing; the default is \(listed.written)" : listed.written,
                fix: isMissing
                    ? "Add grant_types_supported with all supported grants, including refresh_token."
                    : "Add refresh_token to grant_types_supported."
            )
        }
    )

    static let tokenIsIssued = Check(
        "token.refresh.listed-grant-is-used",
        "The provider issues refresh tokens if it lists the refresh_token grant",
        .may,
        .conformance,
        Citation(.discovery, "3", "a list of the OAuth 2.0 Grant Type values that this OP supports"),
        why: "Clients expect a refresh token that is never issued; many providers issue one for offline_access only.",
        reads: StepResults.tokenSuccesses,
        supersededBy: ["token.refresh-token.is-a-text"],
        exempt: { _, facts in
            let answers = facts.evidence.runs.flatMap(\.steps).compactMap(\.answer.value)
            if answers.contains(where: { $0.refreshToken != nil }) {
                return "another request in this run returned a refresh token"
            }
            return grants(facts)?.contains("refresh_token") == true
                ? nil : "grant_types_supported does not list refresh_token"
        },
        finding: { subject, _ in
            guard subject.0.answer.refreshToken == nil else { return nil }
            return Finding(
                "grant_types_supported lists refresh_token, but the token endpoint issues no refresh token.",
                at: "/refresh_token",
                expected: "a refresh token",
                found: "missing",
                fix:
                    "Allow refresh tokens for this client, or request the scope offline_access if the provider requires it."
            )
        }
    )

    static let all: [Check] = [grantIsListed, tokenIsIssued]

    @Sendable private static func grants(_ facts: Facts) -> [String]? {
        facts.metadata.value?.strings("grant_types_supported")
    }
}
