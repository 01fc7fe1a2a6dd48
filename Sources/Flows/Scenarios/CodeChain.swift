import Conformance
import JSONTree

/// One authorization code that the scenarios of a plan's chain redeem in turn.
///
/// Each makes a mistake that the provider rejects, and the code passes to the next; the last redeems it correctly. That shows
/// the reason of each rejection, with one authorization request. If a provider revokes the code after a mistake, or its
/// response neither grants nor rejects, the run repeats each scenario since the last accepted redemption with its own code.
struct CodeChain {
    /// A code with its authorization request.
    struct Code: Sendable {
        var scenario: ScenarioID
        var authorization: StepRun
        var captured: CapturedValues
    }

    /// The outcome of a code.
    enum Redemption: Sendable {
        /// The scenario did not use it.
        case none
        /// Rejected with an error (RFC 6749 section 5.2).
        case refused
        case granted
        case unclear
    }

    private let members: [Int]
    private var code: Code?
    /// The scenarios with a shared code that was not accepted since.
    private(set) var unconfirmed: [Int] = []
    private var own: Set<Int> = []

    init(_ plan: Plan) {
        members = plan.codeChain
    }

    /// The code for a scenario that begins; `nil` if it requires its own.
    mutating func code(for turn: Schedule.ScheduledScenario) -> Code? {
        guard members.contains(turn.index), turn.attempt == .first, !own.contains(turn.index) else { return nil }
        return code
    }

    /// Records how a scenario has ended; returns the scenarios that the run must repeat with their own codes.
    mutating func end(
        of turn: Schedule.ScheduledScenario,
        _ run: CollectedRun,
        _ redemption: Redemption,
        isFinal: Bool
    ) -> [Int] {
        guard members.contains(turn.index) else { return [] }
        let isLent = run.run[.authorization]?.lentBy != nil
        switch isFinal ? redemption : .unclear {
        case .none: return []
        case .refused where turn.index != members.last:
            code = run.run[.authorization]
                .map { Code(scenario: run.run.scenario, authorization: $0, captured: run.captured) }
            if isLent { unconfirmed.append(turn.index) }
            return []
        case .granted:
            code = nil
            unconfirmed = []
            return []
        case .refused, .unclear:
            code = nil
            // A code of its own shows nothing about another.
            guard isLent else { return [] }
            let again = unconfirmed + (isFinal ? [turn.index] : [])
            own.formUnion(again)
            unconfirmed = []
            return again
        }
    }
}

extension Collection {
    /// How the token endpoint responded to a scenario's code.
    func redemption(of run: CollectedRun) async -> CodeChain.Redemption {
        guard let step = [run.run[.redeem], run.run[.token]].compactMap(\.self).first, step.outcome.wasTried else {
            return .none
        }
        guard let answer = step.answer.value else { return .unclear }
        switch await http.recorder.outcome(of: answer, at: "token_endpoint") {
        // In JSON or, as GitHub returns it, in the form encoding.
        case .granted? where answer.accessToken != nil: return .granted
        case .refused(.error)?: return .refused
        case .granted?, .refused?, .open?, nil: return .unclear
        }
    }
}
