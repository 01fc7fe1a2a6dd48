import Conformance

/// A response that the provider sent to the client's redirect URI: an error, or a success.
struct AuthorizationError: Sendable {
    let asked: StepEvidence
    let redirect: RedirectAnswer

    var code: String { redirect.error ?? "" }

    /// The response type of the request; `nil` when it is missing or unknown, so that no place is prescribed.
    var requestedType: ResponseType? {
        asked.sentParameter("response_type").map { ResponseType($0) }
            .flatMap { ResponseType.known.contains($0) ? $0 : nil }
    }
}

/// The error responses that the rules about errors read.
enum AuthorizationErrors {
    /// Requests that a conformant provider rejects; the errors of all other requests are checked as well.
    private static let provocations = [Scenario.promptNone, Scenario.missingResponseType]

    static let all = Query<AuthorizationError>(
        "error responses of the authorization endpoint",
        needs: Set([Need.discovery] + provocations.map { Need.probe($0.id) }),
        whenEmpty: "the provider sent no error to the redirect URI"
    ) { facts in
        let missing = provocations.filter { facts.evidence.run($0.id) == nil }
        return missing.map { scenario in
            Sample(.notAttempted("not requested: \(scenario.title)"), label: scenario.title)
        } + facts.evidence.runs.flatMap { run in run.steps.compactMap { sample(StepEvidence(run, $0)) } }
    }

    /// Redirects to the client that contain neither an error nor anything that the request wanted.
    ///
    /// The flows are left out: other checks name what is missing there.
    static let unnamed = Query<AuthorizationError>(
        "redirects that neither grant nor refuse",
        needs: all.needs,
        whenEmpty: "every redirect grants something, or names its error"
    ) { facts in
        let missing = provocations.filter { facts.evidence.run($0.id) == nil }
        return missing.map { Sample(.notAttempted("not requested: \($0.title)"), label: $0.title) }
            + facts.evidence.runs.filter { !$0.scenario.isFlow && $0.scenario != StepResults.offlineInput }
            .flatMap { run in run.steps.compactMap { unnamedSample(StepEvidence(run, $0), facts) } }
    }

    /// Successful responses to the requests of other scenarios than the flows.
    ///
    /// Nothing is collected for them.
    static let others = Query<AuthorizationError>(
        "successful responses of the authorization endpoint in other scenarios than the flows",
        needs: StepResults.successes.needs,
        whenEmpty: "no scenario other than the flows ended at the client"
    ) { facts in
        let others: [Sample<AuthorizationError>] = facts.evidence.runs
            .filter { !$0.scenario.isFlow && $0.scenario != StepResults.offlineInput }
            .flatMap { run in
                run.steps.compactMap { step in
                    guard Scenario.named(run.scenario)?.step(step.id)?.authorizationRequest != nil,
                        let answer = step.authorization.value, let redirect = answer.redirect, redirect.isRedirectURI,
                        redirect.isGrant, !redirect.has("error")
                    else { return nil }
                    let asked = StepEvidence(run, step)
                    return Sample(
                        .observed(AuthorizationError(asked: asked, redirect: redirect)),
                        label: asked.title,
                        exchange: answer.exchange
                    )
                }
            }
        guard others.isEmpty else { return others }
        // If no flow ran either, the run did not get so far, and shows nothing about the provider.
        return StepResults.successes.samples(facts).prefix(1).filter { $0.observation.value == nil }
            .map { Sample($0.observation.flatMap { _ in .notAttempted("") }, label: $0.label, exchange: $0.exchange) }
    }

    private static func unnamedSample(_ asked: StepEvidence, _ facts: Facts) -> Sample<AuthorizationError>? {
        // Other checks cover redirects to an address other than the registered one.
        guard [nil, facts.target.redirectURI].contains(asked.sentParameter("redirect_uri")),
            Scenario.named(asked.scenario)?.step(asked.step.id)?.authorizationRequest != nil,
            let answer = asked.step.authorization.value, let redirect = answer.redirect, redirect.isRedirectURI,
            !redirect.has("error"), !redirect.isGrant, redirect.form == nil,
            // This request wants nothing.
            asked.sentParameter("response_type") != "none"
        else { return nil }
        return Sample(
            .observed(AuthorizationError(asked: asked, redirect: redirect)),
            label: asked.title,
            exchange: answer.exchange
        )
    }

    /// Responses to requests with a valid client and redirect URI that are invalid in another way.
    static let provoked: Query<AuthorizationResult> = {
        let steps: [(Scenario, StepID)] = [
            // With two states it is unknown which one belongs to the response.
            (.refusals, .unknownResponseType), (.repeatedParameters, .scope), (.repeatedParameters, .nonce),
            (.codeLiberties, .noOpenID), (.refusals, .malformedClaims), (.refusals, .malformedMaxAge),
        ]
        let queries =
            [
                Scenario.missingResponseType, .missingNonce, .requestURI, .wronglySignedRequestObject,
                .unreadableRequestObject,
            ]
            .map { StepResults.authorization($0) } + steps.map { StepResults.authorization($0.0, $0.1) }
        return Query(
            "answers to invalid requests with a valid client and redirect URI",
            needs: queries.reduce(into: []) { $0.formUnion($1.needs) },
            whenEmpty: "no such request got a response"
        ) { facts in
            queries.flatMap { $0.samples(facts) }
                .map { sample in
                    Sample(sample.observation, label: sample.observation.value?.asked.title, exchange: sample.exchange)
                }
        }
    }()

    private static func sample(_ asked: StepEvidence) -> Sample<AuthorizationError>? {
        // An unknown client, or one of two, is owed no error; other checks cover the redirect target.
        let hasNoUser: [(ScenarioID, StepID)] = [
            (Scenario.refusals.id, .unknownClient), (Scenario.repeatedParameters.id, .clientID),
            (Scenario.markup.id, .clientID),
        ]
        if hasNoUser.contains(where: { $0 == (asked.scenario, asked.step.id) }) { return nil }
        switch asked.step.authorization {
        case .observed(let answer):
            guard let redirect = answer.redirect, redirect.isRedirectURI, redirect.has("error") else { return nil }
            return Sample(
                .observed(AuthorizationError(asked: asked, redirect: redirect)),
                label: asked.title,
                exchange: answer.exchange
            )
        case .absent(let why):
            guard provocations.contains(where: { $0.id == asked.scenario }) else { return nil }
            return Sample(.absent(why), label: asked.title)
        case .notAttempted: return nil
        }
    }
}
