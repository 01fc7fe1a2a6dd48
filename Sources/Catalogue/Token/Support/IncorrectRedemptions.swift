import Conformance

/// Token requests that redeem a code incorrectly.
enum IncorrectRedemptions {
    /// The response to the token request of a scenario that redeems a code incorrectly.
    static func query(_ scenario: Scenario, _ sequel: StepID = .redeem) -> Query<CallResult> {
        StepResults.answer(scenario, sequel)
    }

    /// Responses to a reused code, with and without its verifier.
    static func reuses(_ scenario: Scenario) -> Query<CallResult> {
        let (again, alone) = (query(scenario, .again), query(scenario, .againWithoutVerifier))
        return Query(again.name, needs: again.needs, features: again.features) { facts in
            withVerifierOrWithout(again.samples(facts), alone.samples(facts))
        }
    }

    /// Responses to a request with the verifier, and to the same request without it if the first returned no tokens.
    static func withVerifierOrWithout(
        _ with: [Sample<CallResult>],
        _ without: [Sample<CallResult>]
    ) -> [Sample<CallResult>] {
        let isGranted = with.contains { $0.observation.value?.issuedTokens == true }
        return isGranted ? with : with + without.map { $0.labelled("without code_verifier") }
    }

    /// The same; empty if the authorization endpoint issued no code.
    static func ifAuthorized(
        _ scenario: Scenario,
        _ step: StepID = .authorization,
        _ sequel: StepID = .redeem
    ) -> Query<CallResult> {
        let query = query(scenario, sequel)
        return Query(
            query.name,
            needs: query.needs,
            features: query.features,
            whenEmpty: "the authorization endpoint rejected the request, so there was no code to redeem"
        ) { facts in
            let answer = facts.evidence.run(scenario.id)?.authorization(step).value
            let wasRefused = answer.map { $0.page != nil || $0.redirect?.error != nil } ?? false
            return wasRefused ? [] : query.samples(facts)
        }
    }

    /// The same, or the response to its test with a bogus code if that was conclusive.
    static func orOfBogusCode(_ scenario: Scenario) -> Query<CallResult> {
        let query = query(scenario)
        return Query(query.name, needs: query.needs, features: query.features, whenEmpty: query.whenEmpty) { facts in
            let samples = query.samples(facts)
            guard facts.collected.wasTestedByBogusCode(scenario.id), samples.first?.wasTried == false,
                let mistake = scenario.bogusCodeTest(in: facts.target)?.mistake,
                let chain = Scenario.named(mistake.scenario)
            else { return samples }
            return StepResults.answer(chain, mistake.step).samples(facts)
        }
    }

    /// The same for public clients; empty if the client is confidential.
    static let withoutClient: Query<CallResult> = {
        let query = Self.query(.withoutClient)
        return Query(query.name, needs: query.needs, features: query.features, whenEmpty: "the client has credentials")
        {
            facts in
            Scenario.Condition.publicClient.whyUnmet(facts.target) == nil ? query.samples(facts) : []
        }
    }()

    /// A code redeemed with a wrong secret by each method that the provider lists; methods that were not tried are left out.
    static let wrongSecrets: Query<CallResult> = {
        let own = Self.query(.wrongSecret)
        let others = [Self.query(.wrongSecretInBody), Self.query(.wrongSecretInHeader)]
        return Query(
            own.name,
            needs: others.reduce(own.needs) { $0.union($1.needs) },
            features: own.features
        ) { facts in
            own.samples(facts) + others.flatMap { $0.samples(facts) }.filter { $0.observation.value != nil }
        }
    }()

    /// Responses to the right secret by each method: with a fresh code if one was redeemed that way, else with a bogus code.
    ///
    /// A provider may check a bogus code before it authenticates the client; its response then shows nothing about the method.
    static let rightSecrets: Query<CallResult> = {
        let real = [Scenario.rightSecretInBody, .rightSecretInHeader].map { query($0) }
        let bogus = TokenErrors.rightSecret
        return Query(bogus.name, needs: real.reduce(bogus.needs) { $0.union($1.needs) }, features: bogus.features) {
            facts in
            let fresh = [ClientAuthentication.clientSecretPost: real[0], .clientSecretBasic: real[1]]
                .mapValues { $0.samples(facts).filter(\.wasTried) }
            return bogus.samples(facts)
                .flatMap { sample in
                    let better = sample.observation.value?.methodOfRightSecret.flatMap { fresh[$0] } ?? []
                    return better.isEmpty ? [sample] : better.map { $0.labelled(sample.label) }
                }
        }
    }()

    /// The same for the secret in the body only.
    ///
    /// A bogus code suffices if a wrong secret with it is rejected as such: the client is then authenticated first.
    static let rightSecretInBody: Query<CallResult> = {
        let real = query(.rightSecretInBody)
        let bogus = StepResults.answer(.bogusCode(.clientSecretPost, secretIsRight: true))
        return Query(bogus.name, needs: real.needs.union(TokenErrors.rightSecret.needs), features: bogus.features) {
            facts in
            let fresh = real.samples(facts)
            if fresh.contains(where: \.wasTried) { return fresh }
            let isOwn = facts.target.client(for: "code")?.authentication == .clientSecretPost
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            let isLookedAt = wrong.contains { $0.method == .clientSecretPost && !$0.isAcceptance }
            if isOwn || isLookedAt { return bogus.samples(facts) }
            return bogus.samples(facts)
                .map { sample in
                    let judged = sample.observation.flatMap { answer -> Observation<CallResult> in
                        guard !answer.refusesRightSecret else { return .observed(answer) }
                        let why = "the provider rejects a bogus code before it checks the client's secret"
                        return facts.evidence.tier < .full
                            ? .notAttempted(why + "; the tier full redeems a fresh code") : .absent("\(why)")
                    }
                    return Sample(judged, label: sample.label, exchange: sample.exchange)
                }
        }
    }()

    /// Responses to missing or wrong credentials, if the client is known to have some.
    ///
    /// A client registered as public has none, whatever is configured: the provider then accepts any secret, and none.
    static func confidential(_ query: Query<CallResult>) -> Query<CallResult> {
        let both = [Self.query(.wrongSecret), Self.query(.withoutSecret)]
        return query.narrowed(query.name) { sample, facts in
            let isPublic = both.allSatisfy { $0.samples(facts).first?.observation.value?.issuedTokens == true }
            guard isPublic else { return sample }
            return Sample(
                .absent(
                    "the provider treats the client as public: it issues tokens with a wrong secret and without one; "
                        + "register the client as confidential, or remove client.secret from the configuration"
                ),
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// Rejections of codes that were used, requested with other parameters, or issued to another client.
    static let refused = Query<CallResult>(
        "rejections of issued codes",
        needs: (wrongGrants + [wrongVerifier]).reduce(into: []) { $0.formUnion($1.needs) },
        whenEmpty: "the token endpoint rejected no issued code"
    ) { facts in
        let isVerified = facts.whyProfileAvoidsPKCE == nil && Scenario.Condition.pkce.whyUnmet(facts.target) == nil
        let queries = isVerified ? wrongGrants + [wrongVerifier] : wrongGrants
        return queries.flatMap { query in
            query.samples(facts)
                .filter { sample in
                    sample.observation.value.map { (400...499).contains($0.response.status) } ?? false
                }
                .map { sample in
                    Sample(sample.observation, label: sample.observation.value?.asked.title, exchange: sample.exchange)
                }
        }
    }

    private static let wrongGrants = [
        query(.codeTwice, .again), query(.wrongRedirectURI), query(.codeOfAnotherClient),
    ]
    private static let wrongVerifier = query(.wrongVerifier)

    /// Fails for a provider that accepts every code, and explains the other failures.
    static let anyCode: CheckID = "token.made-up-code.is-refused"
}

extension CallResult {
    /// The method by which a wrong secret was sent with an issued code; `nil` for every other request.
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

    var hasBogusCode: Bool { method != nil }

    var refusesClient: Bool { Outcome.refusesClient(status: response.status, error: error) }

    /// Whether the right secret was rejected: with a fresh code the request must succeed, and with a bogus code only the
    /// code is wrong.
    var refusesRightSecret: Bool {
        if !hasBogusCode, case .refused = outcome { return true }
        return hasBogusCode && refusesClient
    }

    /// Whether the request had wrong credentials, none, or names an unknown client or none.
    func isOfWrongClient(_ facts: Facts) -> Bool {
        let without = [Scenario.withoutSecret, .withoutClient, .secretTwice].map(\.id)
        return methodOfWrongSecret(facts) != nil || without.contains(asked.scenario)
            || ([.unknownClient] + Self.malformedBasic).contains(asked.step.id)
            || ScenarioID.bogusCodes(secretIsRight: false).contains(asked.scenario)
    }

    /// The steps whose credentials cannot be read.
    static let malformedBasic: [StepID] = [.basicNotBase64, .basicWithoutColon, .basicNotUTF8]

    /// Why the client itself was rejected; `nil` if it was not.
    var clientRefusal: String? {
        refusesClient ? "the client was rejected before this was checked" : nil
    }

    /// A finding for tokens that must not be issued; empty if none were.
    func tokens(
        _ message: String,
        at parameter: String? = nil,
        expected: String = "HTTP status 400 and error invalid_grant",
        fix: String
    ) -> [Finding] {
        guard issuedTokens else { return [] }
        return [Finding(message, at: parameter, expected: expected, found: phrase, fix: fix)]
    }
}

extension Facts {
    /// Whether a flow has shown that the client's credentials are right.
    func redeemsFreshCodes(_ client: String) -> Bool {
        evidence.runs.contains { run in
            run.scenario.isFlow && run.clientID == client
                && run.token.value.map(evidence.isGrant) == true
        }
    }

    /// Why the platform's requests have no PKCE, whatever the client supports; `nil` if they may have it.
    var whyProfileAvoidsPKCE: String? {
        profile.parameters.avoidsPKCE ? "the profile's requests have no PKCE (avoids_pkce)" : nil
    }

    /// Whether the discovery document lists the method plain; `nil` without a document.
    var offersPlainPKCE: Bool? {
        metadata.value.map { $0.strings("code_challenge_methods_supported")?.contains("plain") == true }
    }

    /// Whether the discovery document lists the method S256.
    var advertisesPKCE: Bool { metadata.value?.strings("code_challenge_methods_supported")?.contains("S256") == true }
}
