import Conformance
import JSONTree

extension CallResult {
    /// The body as a JSON object.
    var object: JSONObject? { json?.objectValue }

    /// The `error` member, when it is a string.
    var error: String? { object?["error"]?.stringValue }

    /// Status and error as shown in reports.
    var phrase: String {
        "HTTP status \(response.status)" + (error.map { " and error \($0.quoted)" } ?? "")
            + (object?["error_description"]?.stringValue.map { " (\($0.shown(limit: 160)))" } ?? "")
    }

    /// Whether the client was accepted: the request succeeded, or only its code was wrong.
    var isAcceptance: Bool { (isSuccess && error == nil) || error == "invalid_grant" }

    var issuedTokens: Bool { (200...299).contains(response.status) && object?.has("access_token") == true }

    /// How the client authenticated; for bogus codes it is part of the scenario's name.
    var method: ClientAuthentication? {
        ClientAuthentication.allCases.first { method in
            [true, false].contains { asked.scenario == .bogusCode(method, secretIsRight: $0) }
        }
    }
}

/// Responses to rejected token requests.
enum TokenErrors {
    static let wasSuccess = "the error has a success or redirect status, which the status check reports"
    static let serverFailed = "the server failed (HTTP status 500 or higher), which the status check reports"

    static let rightSecret = StepResults.bogusCodes(secretIsRight: true)
    /// Responses to bogus codes, with and without a verifier.
    static let bogusCodes: Query<CallResult> = {
        let alone = StepResults.answer(.bogusCodeWithoutVerifier)
        return Query(rightSecret.name, needs: rightSecret.needs.union(alone.needs), features: rightSecret.features) {
            facts in IncorrectRedemptions.withVerifierOrWithout(rightSecret.samples(facts), alone.samples(facts))
        }
    }()
    static let wrongSecret = StepResults.bogusCodes(secretIsRight: false)
    static let wrongBasic = StepResults.answer(.bogusCode(.clientSecretBasic, secretIsRight: false))

    /// Rejections of wrong secrets: with bogus codes, and with issued codes if any were tried.
    ///
    /// A provider that checks the code first returns the same error for a bogus code, whatever the secret. No requests with
    /// issued codes are sent for these checks.
    static let wrongSecretAnyCode = joined(wrongSecret) { _, _ in true }
    /// The same for secrets in the Authorization header.
    static let wrongBasicAnyCode = joined(wrongBasic) { $0.methodOfWrongSecret($1) == .clientSecretBasic }

    /// Whether a client that used another method than its own is rejected like one with a wrong secret: with the same status
    /// and error code.
    static func refusesTheMethod(_ answer: CallResult, _ facts: Facts) -> Bool {
        let method = ClientAuthentication.allCases.first {
            answer.asked.scenario == .bogusCode($0, secretIsRight: true)
        }
        guard let method, method != facts.target.client(for: answer.asked.responseType)?.authentication else {
            return false
        }
        return wrongSecretAnyCode.samples(facts).compactMap(\.observation.value)
            .contains { $0.response.status == answer.response.status && $0.error == answer.error }
    }

    /// Why a rejection may be about the method: it is not the client's own, and no code was checked with it.
    ///
    /// A provider may reject a client that is registered for another method (RFC 6749 section 5.2), whatever its secret and its code.
    static func whyMethodMayBeUnregistered(_ answer: CallResult, _ facts: Facts) -> String? {
        guard let method = answer.method ?? answer.methodOfWrongSecret(facts),
            method != facts.target.client(for: answer.asked.responseType)?.authentication,
            !rightSecret.samples(facts).compactMap(\.observation.value)
                .contains(where: { $0.method == method && $0.isAcceptance })
        else { return nil }
        return "the client may not be registered for \(method.rawValue)"
    }

    private static func joined(
        _ query: Query<CallResult>,
        _ concerns: @escaping @Sendable (CallResult, Facts) -> Bool
    ) -> Query<CallResult> {
        Query(query.name, needs: query.needs, features: query.features, whenEmpty: query.whenEmpty) { facts in
            let real = IncorrectRedemptions.wrongSecrets.samples(facts)
                .filter { $0.observation.value.map { concerns($0, facts) } ?? false }
                .map { Sample($0.observation, label: $0.observation.value?.asked.title, exchange: $0.exchange) }
            return query.samples(facts) + real
        }
    }

    /// Every response to a bogus code without tokens, whatever the secret.
    static let all = Query<CallResult>(
        "error responses of the token endpoint",
        needs: rightSecret.needs.union(wrongSecret.needs),
        whenEmpty: "the token endpoint returned no error"
    ) { facts in
        let wrong = facts.evidence.runs.contains { ScenarioID.bogusCodes(secretIsRight: false).contains($0.scenario) }
        let samples = rightSecret.samples(facts) + (wrong ? wrongSecret.samples(facts) : [])
        let refusals = samples.filter { sample in sample.observation.value.map { !$0.issuedTokens } ?? true }
        return refusals + scenarioRefusals(facts)
    }

    /// Rejections from other scenarios that were run; no requests are sent for these checks.
    private static func scenarioRefusals(_ facts: Facts) -> [Sample<CallResult>] {
        Scenario.tokenRequests.flatMap { scenario -> [Sample<CallResult>] in
            guard facts.evidence.run(scenario.id) != nil else { return [] }
            return scenario.steps.flatMap { step -> [Sample<CallResult>] in
                // GET is usually rejected by the web server in front of the endpoint, with a response of its own.
                guard let call = step.call, call.endpoint == "token_endpoint", call.method == "POST" else { return [] }
                return StepResults.answer(scenario, step.id).samples(facts)
                    .filter { $0.observation.value.map { !$0.isSuccess || $0.error != nil } ?? false }
                    .map { Sample($0.observation, label: $0.observation.value?.asked.title, exchange: $0.exchange) }
            }
        }
    }
}
