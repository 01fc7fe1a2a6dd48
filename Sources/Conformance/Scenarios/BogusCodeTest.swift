import JSONTree

/// A mistake that is tested with a bogus code before it is tested with a valid one.
///
/// A provider that rejects the bogus code for the mistake, and the same code without the mistake for the code, checks the
/// mistake before the code. It would reject a valid code in the same way, so the run requests none.
package struct BogusCodeTest: Sendable, Hashable {
    /// A step of another scenario.
    package struct Place: Sendable, Hashable {
        package var scenario: ScenarioID
        package var step: StepID
    }

    /// The bogus code with the mistake.
    package var mistake: Place
    /// The bogus code, sent without it.
    package var baseline: Place

    /// The reason of what is left out because its test with a bogus code was enough.
    package static let wasEnough =
        "a bogus code was rejected for the mistake, and without the mistake for the code: a valid code would show no more"

    /// Whether the two responses show what a valid code would.
    ///
    /// - Parameters:
    ///   - mistake: The status and the `error` member of the response to the mistake.
    ///   - baseline: Those of the response to the same request without it.
    package static func isReported(
        mistake: (status: Int, error: String)?,
        baseline: (status: Int, error: String)?
    ) -> Bool {
        guard let mistake, let baseline else { return false }
        // RFC 6749 section 5.2: 400 for all but a rejected client.
        let isRefusal = mistake.status == 400 || mistake.status == 401
        return isRefusal && baseline.status == 400 && baseline.error == "invalid_grant"
            && mistake.error != baseline.error
    }
}

extension Scenario {
    /// The same mistake with a bogus code; `nil` for one that has none.
    package func bogusCodeTest(in target: Target) -> BogusCodeTest? {
        let own = target.client(for: target.flows.first(where: \.hasCode) ?? "code")?.authentication
        switch id {
        case Scenario.withoutGrantType.id:
            return own.map { method in
                BogusCodeTest(
                    mistake: BogusCodeTest.Place(scenario: Scenario.malformedTokenRequests.id, step: .noGrantType),
                    baseline: BogusCodeTest.Place(
                        scenario: .bogusCode(method, secretIsRight: true),
                        step: .token
                    )
                )
            }
        case Scenario.wrongSecretInBody.id: return .wrongSecret(by: .clientSecretPost)
        case Scenario.wrongSecretInHeader.id: return .wrongSecret(by: .clientSecretBasic)
        default: return nil
        }
    }
}

extension BogusCodeTest {
    fileprivate static func wrongSecret(by method: ClientAuthentication) -> BogusCodeTest {
        BogusCodeTest(
            mistake: Place(scenario: .bogusCode(method, secretIsRight: false), step: .token),
            baseline: Place(scenario: .bogusCode(method, secretIsRight: true), step: .token)
        )
    }
}

extension Evidence {
    /// Whether a scenario was left out because its test with a bogus code was enough.
    package func wasTestedByBogusCode(_ id: ScenarioID) -> Bool {
        guard let test = Scenario.named(id)?.bogusCodeTest(in: target), let run = run(id) else { return false }
        return !run.steps.contains(where: \.outcome.wasTried)
            && BogusCodeTest.isReported(
                mistake: refusal(at: test.mistake),
                baseline: refusal(at: test.baseline)
            )
    }

    private func refusal(at place: BogusCodeTest.Place) -> (status: Int, error: String)? {
        guard let answer = run(place.scenario)?.answer(place.step).value,
            let status = exchange(answer.exchange)?.response?.status,
            let error = answer.body.json?["error"]?.stringValue
        else { return nil }
        return (status, error)
    }
}
