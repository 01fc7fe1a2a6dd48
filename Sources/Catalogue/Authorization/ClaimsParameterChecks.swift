package import Conformance
import JSONTree

/// Claims that are asked for one by one (Core section 5.5).
package enum ClaimsParameterChecks {
    private static let unlessSupported: @Sendable (Facts) -> String? = { facts in
        facts.takesClaims == false ? "the provider does not support the claims parameter" : nil
    }

    package static let unknownIsNoError = Check(
        "authorization.claims-parameter.unknown-claim-is-no-error",
        "An essential claim that nobody has does not end the sign-in",
        .must,
        .conformance,
        Citation(
            .core,
            "5.5.1",
            "the Authorization Server MUST NOT generate an error when Claims are not returned, whether they are Essential or Voluntary"
        ),
        why: "An application that would like to know a little more cannot sign anybody in.",
        reads: Conversations.authorization(.claimsParameter),
        excusedBy: ["authorization.flow.succeeds"],
        unless: unlessSupported,
        rule: { subject, _ in refusal(subject, "Sign the person in, and leave out claims that are not there.") }
    )

    package static let unsupportedIsIgnored = Check(
        "authorization.claims-parameter.unsupported-is-ignored",
        "A provider without the claims parameter signs people in all the same",
        .should,
        .conformance,
        Citation(
            .core,
            "5.5",
            "the OP SHOULD return a set of Claims to the RP that it believes would be useful to the RP and the End-User"
        ),
        why: "An application that would like to know a little more cannot sign anybody in.",
        reads: Conversations.authorization(.claimsParameter),
        excusedBy: ["authorization.flow.succeeds"],
        unless: { facts in facts.takesClaims == true ? "the provider supports the claims parameter" : nil },
        rule: { subject, _ in refusal(subject, "Ignore the parameter claims, or support it.") }
    )

    package static let authTimeIsReturned = Check(
        "authorization.claims-parameter.auth-time-is-returned",
        "auth_time asked for as an essential claim is in the ID Token",
        .must,
        .conformance,
        Citation(.core, "2", "when auth_time is requested as an Essential Claim, then this Claim is REQUIRED"),
        why: "An application that needs a recent sign-in refuses every ID Token.",
        reads: idToken,
        excusedBy: ["idtoken.auth-time.is-present-with-max-age"],
        unless: unlessSupported,
        finding: { token, _ in
            guard !token.claims.has("auth_time") else { return nil }
            return Finding.claim(
                "auth_time",
                "auth_time was asked for as an essential claim and is not in the ID Token.",
                expected: "the time of the sign-in",
                found: nil,
                fix: "Return auth_time when the claims parameter asks for it."
            )
        }
    )

    package static let idTokenHasClaim = Check(
        "authorization.claims-parameter.id-token-has-claim",
        "A claim asked for in the ID Token is there",
        .risk,
        .conformance,
        Citation(.core, "5.5", "Requests that the listed individual Claims be returned in the ID Token."),
        why: "The application reads the ID Token alone and does not learn the name.",
        reads: idToken,
        unless: unlessSupported,
        exempt: { _, facts in whyNoName(facts) },
        rule: { token, _ in
            token.claims.has("name") ? [] : [missing("the ID Token", "id_token")]
        }
    )

    package static let userInfoHasClaim = Check(
        "authorization.claims-parameter.userinfo-has-claim",
        "A claim asked for from UserInfo is there",
        .risk,
        .conformance,
        Citation(.core, "5.5", "Requests that the listed individual Claims be returned from the UserInfo Endpoint."),
        why: "The application does not learn the name that it asked for.",
        reads: Conversations.answer(.claimsParameter, .userInfo),
        excusedBy: ["userinfo.profile-claims.are-present"],
        unless: unlessSupported,
        exempt: { subject, facts in subject.object == nil ? "UserInfo gave no JSON object" : whyNoName(facts) },
        rule: { subject, _ in
            subject.object?.has("name") == true ? [] : [missing("UserInfo", "userinfo")]
        }
    )

    package static let subjectIsRegarded = Check(
        "authorization.claims-parameter.sub-is-regarded",
        "A request for one person is not answered with another",
        .must,
        .safety,
        Citation(
            .core,
            "3.1.2.2",
            "MUST only send a positive response if the End-User identified by that sub value has an active session"
        ),
        why: "An application that renews the session of one person goes on with somebody else's.",
        reads: Conversations.authorization(.claimsParameter, .otherPerson),
        excusedBy: ["authorization.prompt-none.is-refused-without-session"],
        unless: unlessSupported,
        finding: { subject, _ in
            guard let redirect = subject.answer.redirect, redirect.isRedirectURI, redirect.error == nil,
                redirect.has("code") || redirect.has("id_token")
            else { return nil }
            return Finding(
                "A request for a person whom nobody knows was granted in the session of another.",
                at: "claims",
                expected: "error=login_required",
                found: redirect.has("code") ? "a code" : "an ID Token",
                fix: "Compare the value that claims gives for sub with the person who is signed in."
            )
        }
    )

    package static let all: [Check] = [
        unknownIsNoError, unsupportedIsIgnored, authTimeIsReturned, idTokenHasClaim, userInfoHasClaim,
        subjectIsRegarded,
    ]

    /// The ID Token of the request for single claims, wherever it came from.
    private static let idToken = Slot<IDToken>(
        "ID Token of a request for single claims",
        needs: [.discovery, .keys, .probe(Scenario.claimsParameter.id)]
    ) { facts in
        let places: [IDTokenPlace] = [.tokenEndpoint, .authorizationEndpoint]
        let samples = places.flatMap { Conversations.idToken(.claimsParameter, at: $0).samples(facts) }
        return Array((samples.filter { $0.observation.value != nil } + samples).prefix(1))
    }

    private static func refusal(_ subject: AnsweredAuthorization, _ fix: String) -> [Finding] {
        let found: String
        switch subject.answer.ending {
        case .page(let page): found = page.phrase
        case .redirected(let redirect):
            guard redirect.has("error") else { return [] }
            found = "the error \(redirect.errorText)"
        }
        return [
            Finding(
                "A request for single claims was answered with \(found).",
                at: "claims",
                expected: "a sign-in",
                found: found,
                fix: fix
            )
        ]
    }

    private static func missing(_ place: String, _ member: String) -> Finding {
        Finding(
            "The claim name was asked for and is not in \(place).",
            at: "/name",
            expected: "the person's name",
            found: "missing",
            fix: "Return the claims that the member \(member) of the claims parameter names, scope or no scope."
        )
    }

    /// Why nobody can expect the person's name; `nil` when a flow showed it.
    private static func whyNoName(_ facts: Facts) -> String? {
        let isKnown = facts.evidence.runs.filter { $0.scenario.isFlow }
            .contains { run in
                let bodies = [
                    run.userInfo.value?.body, run.token.value?.idToken?.claims,
                    run.authorization.value?.idToken?.claims,
                ]
                return bodies.compactMap { $0?.octets }.compactMap { try? JSONDocument.parse($0).root }
                    .contains { $0["name"]?.stringValue?.isEmpty == false }
            }
        return isKnown ? nil : "no flow showed that the person has a name"
    }
}

extension Facts {
    /// Whether discovery promises the claims parameter (Discovery section 3; the default is false); `nil` without a document.
    fileprivate var takesClaims: Bool? {
        metadata.value.map { $0["claims_parameter_supported"]?.boolValue == true }
    }
}
