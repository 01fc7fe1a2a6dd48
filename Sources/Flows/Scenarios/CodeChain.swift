import Conformance
import JSONTree

/// One authorization code that the conversations of a plan's chain redeem in turn.
///
/// Each makes a mistake that the provider refuses, and the code goes on to the next; the last redeems it correctly. That shows
/// what each refusal was for, and takes one authorization request. Where a provider withdraws the code for a mistake, or its
/// answer is neither a grant nor a refusal, the run repeats each conversation since the last accepted redemption with its own code.
struct CodeChain {
    /// A code with the request that brought it.
    struct Code: Sendable {
        var scenario: ScenarioID
        var authorization: StepRun
        var captured: CapturedValues
    }

    /// What became of a code.
    enum Redemption: Sendable {
        /// The conversation did not use it.
        case none
        /// Plainly refused, as RFC 6749 section 5.2 lays down.
        case refused
        case granted
        case unclear
    }

    private let members: [Int]
    private var code: Code?
    /// The conversations with a code of another that was not accepted since.
    private(set) var unconfirmed: [Int] = []
    private var own: Set<Int> = []

    init(_ plan: Plan) {
        members = plan.codeChain
    }

    /// The code for a conversation that begins; `nil` where it asks for one of its own.
    mutating func code(for turn: Schedule.Turn) -> Code? {
        guard members.contains(turn.index), turn.attempt == .first, !own.contains(turn.index) else { return nil }
        return code
    }

    /// Takes note of how a conversation has ended; the conversations that the run must repeat with their own codes.
    mutating func end(of turn: Schedule.Turn, _ run: CollectedRun, _ redemption: Redemption, isFinal: Bool) -> [Int] {
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
            // A code of its own says nothing of another.
            guard isLent else { return [] }
            let again = unconfirmed + (isFinal ? [turn.index] : [])
            own.formUnion(again)
            unconfirmed = []
            return again
        }
    }
}

extension Collection {
    /// What the token endpoint made of a conversation's code.
    func redemption(of run: CollectedRun) async -> CodeChain.Redemption {
        guard let step = [run.run[.redeem], run.run[.token]].compactMap(\.self).first, step.outcome.wasTried else {
            return .none
        }
        guard let answer = step.answer.value, let status = await http.recorder.status(of: answer.exchange) else {
            return .unclear
        }
        if answer.body.json?["error"]?.stringValue != nil { return [400, 401].contains(status) ? .refused : .unclear }
        return answer.body.json?["access_token"] != nil ? .granted : .unclear
    }
}
