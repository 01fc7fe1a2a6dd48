import Conformance
import JSONTree

/// The user's claims in one flow, from ID Token and UserInfo together, as the platform reads both.
struct ReportedClaims: Sendable { let claims: JSONObject }

/// The queries that only checks of the Firebase platform use.
enum FirebaseQueries {
    /// The claims of the flow that the platform uses, or of every flow if that is unknown; UserInfo takes precedence.
    static let reported = Query<ReportedClaims>(
        "the user's claims in the flow that the platform uses",
        needs: StepResults.idTokens.needs.union(StepResults.userInfo.needs),
        whenEmpty: StepResults.idTokens.whenEmpty
    ) { facts in
        let answers = UserInfoQueries.claims.samples(facts).compactMap(\.observation.value)
        let used = facts.platformResponseType
        var seen: Set<ScenarioID> = []
        return StepResults.idTokens.samples(facts)
            .compactMap { sample in
                guard let token = sample.observation.value else {
                    return Sample(
                        sample.observation.map { ReportedClaims(claims: $0.claims) },
                        label: sample.label,
                        exchange: sample.exchange
                    )
                }
                guard used == nil || token.place == .offlineInput || token.asked.responseType == used,
                    seen.insert(token.asked.scenario).inserted
                else { return nil }
                let own = answers.filter { $0.0.asked.scenario == token.asked.scenario }.map(\.1)
                let claims = own.reduce(token.claims) { $0.merging($1) }
                return Sample(
                    .observed(ReportedClaims(claims: claims)),
                    label: "response_type \(token.asked.responseType)",
                    exchange: sample.exchange
                )
            }
    }

    /// The second user's claims in ID Token and UserInfo, if the configuration says that the address is not verified.
    static let reportedOfOther = Query<ReportedClaims>(
        "the second user's claims",
        needs: [.discovery, .keys, .probe(Scenario.twoUsers.id)],
        whenEmpty: "the configuration names no second user with an unverified address: add "
            + "email_is_verified: false to sign_in.other"
    ) { facts in
        let conditions: [Scenario.Condition] = [.otherUser, .otherEmailUnverified]
        guard conditions.allSatisfy({ $0.whyUnmet(facts.target) == nil }) else { return [] }
        let second = StepResults.anyIDToken(.twoUsers, .other).samples(facts)
        let subject = second.first?.observation.value?.claims["sub"]
        let tokens = second.map { sample in
            Sample(
                sample.observation.map { ReportedClaims(claims: $0.claims) },
                label: "ID Token",
                exchange: sample.exchange
            )
        }
        let answers = StepResults.answer(.twoUsers, .userInfo).samples(facts)
            .compactMap { sample -> Sample<ReportedClaims>? in
                // If the second user's sign-in fails, the current access token still belongs to the first user.
                guard let claims = sample.observation.value?.object, subject != nil, claims["sub"] == subject else {
                    return nil
                }
                return Sample(.observed(ReportedClaims(claims: claims)), label: "UserInfo", exchange: sample.exchange)
            }
        return tokens + answers
    }

    /// The ID Token of a code flow without a nonce; there is nothing to check if the provider rejects such a request.
    static let withoutNonce = Query<IDToken>(
        "ID Token of a code flow without a nonce",
        needs: [.discovery, .keys, .probe(Scenario.codeLiberties.id)]
    ) { facts in
        let answer = StepResults.authorization(.codeLiberties, .noNonce).samples(facts).first
        guard let granted = answer?.observation.value?.isGranted else {
            return answer.map { [Sample($0.observation.flatMap { _ in .absent("no response arrived") })] } ?? []
        }
        guard granted else { return [Sample(.notAttempted("the provider does not grant a code flow without a nonce"))] }
        return StepResults.anyIDToken(.codeLiberties, .noNonce).samples(facts)
    }
}
