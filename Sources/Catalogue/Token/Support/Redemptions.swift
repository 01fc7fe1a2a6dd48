import Conformance

/// The slots of codes that are redeemed in another way than they should be.
enum Redemptions {
    /// The answer to the token request of a scenario that redeems a code wrongly.
    static func slot(_ scenario: Scenario, _ sequel: StepID = .redeem) -> Slot<AnsweredCall> {
        Conversations.answer(scenario, sequel)
    }

    /// The answers to a code that was used before, with its verifier and without.
    static func reuses(_ scenario: Scenario) -> Slot<AnsweredCall> {
        let (again, alone) = (slot(scenario, .again), slot(scenario, .againWithoutVerifier))
        return Slot(again.name, needs: again.needs, features: again.features) { facts in
            withVerifierOrWithout(again.samples(facts), alone.samples(facts))
        }
    }

    /// The answers to a request with the verifier, and to the same without it where the first brought no tokens.
    static func withVerifierOrWithout(
        _ with: [Sample<AnsweredCall>],
        _ without: [Sample<AnsweredCall>]
    ) -> [Sample<AnsweredCall>] {
        let isGranted = with.contains { $0.observation.value?.gaveTokens == true }
        return isGranted ? with : with + without.map { $0.labelled("without code_verifier") }
    }

    /// The same, with nothing to judge where the authorization endpoint granted no code.
    static func ifAuthorized(
        _ scenario: Scenario,
        _ step: StepID = .authorization,
        _ sequel: StepID = .redeem
    ) -> Slot<AnsweredCall> {
        let slot = slot(scenario, sequel)
        return Slot(
            slot.name,
            needs: slot.needs,
            features: slot.features,
            whenEmpty: "the authorization endpoint did not grant the request, so there was no code to redeem"
        ) { facts in
            let answer = facts.evidence.run(scenario.id)?.authorization(step).value
            let wasRefused = answer.map { $0.page != nil || $0.redirect?.error != nil } ?? false
            return wasRefused ? [] : slot.samples(facts)
        }
    }

    /// The same, with the answer to its rehearsal where that was enough.
    static func orRehearsed(_ scenario: Scenario) -> Slot<AnsweredCall> {
        let slot = slot(scenario)
        return Slot(slot.name, needs: slot.needs, features: slot.features, whenEmpty: slot.whenEmpty) { facts in
            let samples = slot.samples(facts)
            guard facts.collected.wasRehearsed(scenario.id), samples.first?.wasTried == false,
                let mistake = scenario.rehearsal(in: facts.target)?.mistake,
                let held = Scenario.named(mistake.scenario)
            else { return samples }
            return Conversations.answer(held, mistake.step).samples(facts)
        }
    }

    /// The same for public clients; nothing to judge when the client is confidential.
    static let withoutClient: Slot<AnsweredCall> = {
        let slot = Self.slot(.withoutClient)
        return Slot(slot.name, needs: slot.needs, features: slot.features, whenEmpty: "the client has credentials") {
            facts in
            Scenario.Condition.publicClient.whyUnmet(facts.target) == nil ? slot.samples(facts) : []
        }
    }()

    /// A code redeemed with a wrong secret, by each method that the provider lists; nothing where it was not tried.
    static let wrongSecrets: Slot<AnsweredCall> = {
        let own = Self.slot(.wrongSecret)
        let others = [Self.slot(.wrongSecretInBody), Self.slot(.wrongSecretInHeader)]
        return Slot(
            own.name,
            needs: others.reduce(own.needs) { $0.union($1.needs) },
            features: own.features
        ) { facts in
            own.samples(facts) + others.flatMap { $0.samples(facts) }.filter { $0.observation.value != nil }
        }
    }()

    /// What came of the right secret by each method: with a fresh code where one was redeemed so, else with a made-up one.
    ///
    /// A provider may look a made-up code up before it looks at the client, which then says nothing of the method.
    static let rightSecrets: Slot<AnsweredCall> = {
        let real = [Scenario.rightSecretInBody, .rightSecretInHeader].map { slot($0) }
        let madeUp = TokenErrors.rightSecret
        return Slot(madeUp.name, needs: real.reduce(madeUp.needs) { $0.union($1.needs) }, features: madeUp.features) {
            facts in
            let fresh = [ClientAuthentication.clientSecretPost: real[0], .clientSecretBasic: real[1]]
                .mapValues { $0.samples(facts).filter(\.wasTried) }
            return madeUp.samples(facts)
                .flatMap { sample in
                    let better = sample.observation.value?.methodOfRightSecret.flatMap { fresh[$0] } ?? []
                    return better.isEmpty ? [sample] : better.map { $0.labelled(sample.label) }
                }
        }
    }()

    /// Likewise for the secret in the body alone.
    ///
    /// A made-up code is good enough where a wrong secret with it is refused as that: then the client is looked at first.
    static let rightSecretInBody: Slot<AnsweredCall> = {
        let real = slot(.rightSecretInBody)
        let madeUp = Conversations.answer(.madeUpCode(.clientSecretPost, secretIsRight: true))
        return Slot(madeUp.name, needs: real.needs.union(TokenErrors.rightSecret.needs), features: madeUp.features) {
            facts in
            let fresh = real.samples(facts)
            if fresh.contains(where: \.wasTried) { return fresh }
            let isOwn = facts.target.client(for: "code")?.authentication == .clientSecretPost
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            let isLookedAt = wrong.contains { $0.method == .clientSecretPost && !$0.isAcceptance }
            if isOwn || isLookedAt { return madeUp.samples(facts) }
            return madeUp.samples(facts)
                .map { sample in
                    let judged = sample.observation.flatMap { answer -> Observation<AnsweredCall> in
                        guard !answer.refusesRightSecret else { return .observed(answer) }
                        let why = "a made-up code is refused before the client's secret is looked at"
                        return facts.evidence.tier < .full
                            ? .notAttempted(why + "; the tier full redeems a fresh one") : .absent("\(why)")
                    }
                    return Sample(judged, label: sample.label, exchange: sample.exchange)
                }
        }
    }()

    /// What came of leaving out the credentials, or of wrong ones, where the client is known to have some.
    ///
    /// A client that is registered as a public one has none, whatever is configured: then every secret does, and none does.
    static func confidential(_ slot: Slot<AnsweredCall>) -> Slot<AnsweredCall> {
        let both = [Self.slot(.wrongSecret), Self.slot(.withoutSecret)]
        return slot.narrowed(slot.name) { sample, facts in
            let isPublic = both.allSatisfy { $0.samples(facts).first?.observation.value?.gaveTokens == true }
            guard isPublic else { return sample }
            return Sample(
                .absent(
                    "the client gets tokens with a wrong secret and without one, as a public client does: register it as "
                        + "a confidential one, or take client.secret out of the configuration"
                ),
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// Codes that were used up, asked for otherwise or issued to another client, and were refused.
    static let refused = Slot<AnsweredCall>(
        "refusals of codes that were issued",
        needs: (wrongGrants + [wrongVerifier]).reduce(into: []) { $0.formUnion($1.needs) },
        whenEmpty: "no code that was issued was refused"
    ) { facts in
        let isVerified = facts.whyProfileAvoidsPKCE == nil && Scenario.Condition.pkce.whyUnmet(facts.target) == nil
        let slots = isVerified ? wrongGrants + [wrongVerifier] : wrongGrants
        return slots.flatMap { slot in
            slot.samples(facts)
                .filter { sample in
                    sample.observation.value.map { (400...499).contains($0.response.status) } ?? false
                }
                .map { sample in
                    Sample(sample.observation, label: sample.observation.value?.asked.title, exchange: sample.exchange)
                }
        }
    }

    private static let wrongGrants = [
        slot(.codeTwice, .again), slot(.wrongRedirectURI), slot(.codeOfAnotherClient),
    ]
    private static let wrongVerifier = slot(.wrongVerifier)

    /// An error that a provider which takes every code would make, and which says it all.
    static let anyCode: CheckID = "token.made-up-code.is-refused"
}

extension AnsweredCall {
    /// The method by which a wrong secret was sent with a code that was issued; `nil` for every other request.
    func methodOfWrongSecret(_ facts: Facts) -> ClientAuthentication? {
        switch asked.scenario {
        case Scenario.wrongSecret.id: facts.target.client(for: asked.responseType)?.authentication
        case Scenario.wrongSecretInBody.id: .clientSecretPost
        case Scenario.wrongSecretInHeader.id: .clientSecretBasic
        default: nil
        }
    }

    /// The method by which the right secret was sent; `nil` for every other request.
    var methodOfRightSecret: ClientAuthentication? {
        switch asked.scenario {
        case Scenario.rightSecretInBody.id: .clientSecretPost
        case Scenario.rightSecretInHeader.id: .clientSecretBasic
        default: method
        }
    }

    var hasMadeUpCode: Bool { method != nil }

    var refusesClient: Bool { Outcome.refusesClient(status: response.status, error: error) }

    /// Whether the right secret was refused: a fresh code opens with it, and of a made-up one the code alone is wrong.
    var refusesRightSecret: Bool {
        if !hasMadeUpCode, case .refused = outcome { return true }
        return hasMadeUpCode && refusesClient
    }

    /// Whether the request was that of a client with wrong credentials, with none, or of no client at all.
    func isOfWrongClient(_ facts: Facts) -> Bool {
        let without = [Scenario.withoutSecret, .withoutClient, .secretTwice].map(\.id)
        return methodOfWrongSecret(facts) != nil || without.contains(asked.scenario) || asked.step.id == .unknownClient
            || ScenarioID.madeUpCodes(secretIsRight: false).contains(asked.scenario)
    }

    /// Why the client itself was not let in; `nil` when it was.
    var clientRefusal: String? {
        refusesClient ? "the client was refused before that was looked at" : nil
    }

    /// A finding for tokens that should not have been given; none when they were not.
    func tokens(
        _ message: String,
        at parameter: String? = nil,
        expected: String = "HTTP status 400 and error invalid_grant",
        fix: String
    ) -> [Finding] {
        guard gaveTokens else { return [] }
        return [Finding(message, at: parameter, expected: expected, found: phrase, fix: fix)]
    }
}

extension Facts {
    /// Whether the client has shown in a flow that its credentials are right.
    func redeemsFreshCodes(_ client: String) -> Bool {
        evidence.runs.contains { run in
            run.scenario.isFlow && run.clientID == client
                && evidence.exchange(run.token.value?.exchange)?.response?.status == 200
        }
    }

    /// Why codes are asked for without PKCE at this platform, whatever the client does; `nil` when they are not.
    var whyProfileAvoidsPKCE: String? {
        profile.parameters.avoidsPKCE ? "the profile's requests have no PKCE (avoids_pkce)" : nil
    }

    /// Whether discovery offers PKCE without a transformation; `nil` without a document.
    var offersPlainPKCE: Bool? {
        metadata.value.map { $0.strings("code_challenge_methods_supported")?.contains("plain") == true }
    }

    /// Whether discovery promises PKCE with S256.
    var advertisesPKCE: Bool { metadata.value?.strings("code_challenge_methods_supported")?.contains("S256") == true }
}
