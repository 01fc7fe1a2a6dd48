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

    /// Whether the responses to the mistake, and to the same request without it, show what a valid code would.
    package static func isReported(mistake: Outcome?, baseline: Outcome?) -> Bool {
        guard case .refused(.error(let error)) = mistake else { return false }
        return baseline == .refused(.error("invalid_grant")) && error != "invalid_grant"
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
                mistake: outcome(at: test.mistake),
                baseline: outcome(at: test.baseline)
            )
    }

    private func outcome(at place: BogusCodeTest.Place) -> Outcome? {
        run(place.scenario).flatMap { run in run[place.step].flatMap { meaning(of: $0, in: run) } }
    }
}
