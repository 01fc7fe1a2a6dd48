package import Conformance
import JSONTree

/// The claims parameter (Core section 5.5).
package enum ClaimsParameterChecks {
    private static let unlessSupported: @Sendable (Facts) -> String? = { facts in
        facts.takesClaims == false ? "the provider does not support the claims parameter" : nil
    }

    static let unknownIsNoError = Check(
        "authorization.claims-parameter.unknown-claim-is-no-error",
        "The provider signs the user in even if a requested essential claim is unavailable",
        .must,
        .conformance,
        Citation(
            .core,
            "5.5.1",
            "the Authorization Server MUST NOT generate an error when Claims are not returned, whether they are Essential or Voluntary"
        ),
        why: "Clients that request an unavailable claim receive an error. "
            + "Most clients do not send the claims parameter.",
        reads: StepResults.authorization(.claimsParameter),
        supersededBy: ["authorization.flow.succeeds"],
        unless: unlessSupported,
        exempt: { subject, _ in subject.isInconclusive },
        rule: { subject, _ in refusal(subject, "Sign the user in, and omit requested claims that are unavailable.") }
    )

    static let unsupportedIsIgnored = Check(
        "authorization.claims-parameter.unsupported-is-ignored",
        "The provider ignores the claims parameter if it does not support it",
        .should,
        .conformance,
        Citation(
            .core,
            "5.5",
            "the OP SHOULD return a set of Claims to the RP that it believes would be useful to the RP and the End-User"
        ),
        why: "Clients that send the claims parameter receive an error. Most clients do not send it.",
        reads: StepResults.authorization(.claimsParameter),
        supersededBy: ["authorization.flow.succeeds"],
        unless: { facts in facts.takesClaims == true ? "the provider supports the claims parameter" : nil },
        exempt: { subject, _ in subject.isInconclusive },
        rule: { subject, _ in refusal(subject, "Ignore the claims parameter, or support it.") }
    )

    static let authTimeIsReturned = Check(
        "authorization.claims-parameter.auth-time-is-returned",
        "The ID Token contains auth_time when the claims parameter requests it as essential",
        .must,
        .conformance,
        Citation(.core, "2", "when auth_time is requested as an Essential Claim, then this Claim is REQUIRED"),
        why: "An application that needs a recent sign-in rejects every ID Token.",
        reads: idToken,
        supersededBy: ["idtoken.auth-time.is-present-with-max-age"],
        unless: unlessSupported,
        finding: { token, _ in
            guard !token.claims.has("auth_time") else { return nil }
            return Finding.claim(
                "auth_time",
                "The claims parameter requests auth_time as an essential claim, and the ID Token does not contain it.",
                expected: "the time of the sign-in",
                found: nil,
                fix: "Add auth_time to the ID Token when the claims parameter requests it."
            )
        }
    )

    static let idTokenHasClaim = Check(
        "authorization.claims-parameter.id-token-has-claim",
        "The ID Token contains the name claim when the claims parameter requests it",
        .risk,
        .conformance,
        Citation(.core, "5.5", "Requests that the listed individual Claims be returned in the ID Token."),
        why: "The application reads only the ID Token and does not get the user's name.",
        reads: idToken,
        unless: unlessSupported,
        exempt: { _, facts in whyNoName(facts) },
        rule: { token, _ in token.claims.has("name") ? [] : [missing("the ID Token", "id_token")] }
    )

    static let userInfoHasClaim = Check(
        "authorization.claims-parameter.userinfo-has-claim",
        "UserInfo contains the name claim when the claims parameter requests it",
        .risk,
        .conformance,
        Citation(.core, "5.5", "Requests that the listed individual Claims be returned from the UserInfo Endpoint."),
        why: "The application does not get the user's name that it requested.",
        reads: StepResults.answer(.claimsParameter, .userInfo),
        supersededBy: ["userinfo.profile-claims.are-present"],
        unless: unlessSupported,
        exempt: { subject, facts in subject.object == nil ? "UserInfo did not return a JSON object" : whyNoName(facts)
        },
        rule: { subject, _ in subject.object?.has("name") == true ? [] : [missing("UserInfo", "userinfo")] }
    )

    static let subjectIsRegarded = Check(
        "authorization.claims-parameter.sub-is-regarded",
        "The provider does not grant a request for one user in another user's session",
        .must,
        .safety,
        Citation(
            .core,
            "3.1.2.2",
            "MUST only send a positive response if the End-User identified by that sub value has an active session"
        ),
        why: "An application that renews one user's session continues with another user's.",
        reads: StepResults.authorization(.claimsParameter, .otherUser),
        supersededBy: ["authorization.prompt-none.is-refused-without-session"],
        unless: unlessSupported,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, redirect.error == nil,
                redirect.has("code") || redirect.has("id_token")
            else { return nil }
            return Finding(
                "The provider grants a request for an unknown sub in the session of another user.",
                at: "claims",
                expected: "error=login_required",
                found: redirect.has("code") ? "a code" : "an ID Token",
                fix:
                    "Compare the sub value in claims with the signed-in user, and return login_required if they differ."
            )
        }
    )

    package static let all: [Check] = [
        unknownIsNoError, unsupportedIsIgnored, authTimeIsReturned, idTokenHasClaim, userInfoHasClaim,
        subjectIsRegarded,
    ]

    /// The ID Token of the request with the claims parameter, from either endpoint.
    private static let idToken = Query<IDToken>(
        "ID Token of a request with the claims parameter",
        needs: [.discovery, .keys, .probe(Scenario.claimsParameter.id)]
    ) { facts in
        let places: [IDTokenPlace] = [.tokenEndpoint, .authorizationEndpoint]
        let samples = places.flatMap { StepResults.idToken(.claimsParameter, at: $0).samples(facts) }
        return Array((samples.filter { $0.observation.value != nil } + samples).prefix(1))
    }

    private static func refusal(_ subject: AuthorizationResult, _ fix: String) -> [Finding] {
        guard let found = subject.refusal else { return [] }
        return [
            Finding(
                "The response to a request with the claims parameter is \(found).",
                at: "claims",
                expected: "a sign-in",
                found: found,
                fix: fix
            )
        ]
    }

    private static func missing(_ place: String, _ member: String) -> Finding {
        Finding(
            "The claims parameter requests the name claim, and \(place) does not contain it.",
            at: "/name",
            expected: "the user's name",
            found: "missing",
            fix: "Return every claim that the member \(member) of the claims parameter lists, whatever the scope."
        )
    }

    /// Why the user's name cannot be expected; `nil` when a flow returned it.
    private static func whyNoName(_ facts: Facts) -> String? {
        let isKnown = facts.evidence.runs.filter { $0.scenario.isFlow }
            .contains { run in
                let bodies = [
                    run.userInfo.value?.body, run.token.value?.idToken?.claims,
                    run.authorization.value?.idToken?.claims,
                ]
                return bodies.compactMap { $0?.bytes }.compactMap { try? JSONDocument.parse($0).root }
                    .contains { $0["name"]?.stringValue?.isEmpty == false }
            }
        return isKnown ? nil : "no flow showed that the user has a name"
    }
}

extension Facts {
    /// Whether the metadata advertises the claims parameter (Discovery section 3; the default is false); `nil` without metadata.
    fileprivate var takesClaims: Bool? { metadata.value.map { $0["claims_parameter_supported"]?.boolValue == true } }
}
