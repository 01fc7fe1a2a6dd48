import Conformance
import SignIn

/// What the conversations of a run brought.
struct ConversationResults: Sendable {
    /// In the order of the plan.
    var runs: [CollectedRun] = []
    var discoveryAgain: FetchedDocument?
    var keysAgain: FetchedDocument?
}

extension Collection {
    private enum Result: Sendable {
        case run(Int, CollectedRun)
        case again(FetchedDocument?, FetchedDocument?)
    }

    /// Holds every planned conversation, several at a time, each with a browser of its own.
    ///
    /// Those with a sign-in begin first, because they are the longest. The documents are fetched again when most have ended:
    /// late, and yet hidden behind the others' waiting.
    func converse(_ provider: Provider) async -> ConversationResults {
        guard !plan.scenarios.isEmpty else { return ConversationResults() }
        var results = ConversationResults()
        var runs: [Int: CollectedRun] = [:]
        await withTaskGroup(of: Result.self) { group in
            let order = plan.scenarios.indices.sorted { left, right in
                (-plan.scenarios[left].signIns, left) < (-plan.scenarios[right].signIns, right)
            }
            var next = 0
            var unfinished = plan.scenarios.count
            var mayAskAgain = plan.needs.contains(.again) && provider.metadata != nil
            func advance(_ group: inout TaskGroup<Result>) {
                let running = next - (plan.scenarios.count - unfinished)
                if next < plan.scenarios.count, running < max(1, options.concurrency) {
                    let index = order[next]
                    next += 1
                    group.addTask { .run(index, await converse(provider, index)) }
                }
                if mayAskAgain, next == plan.scenarios.count, unfinished <= max(1, plan.scenarios.count / 4) {
                    mayAskAgain = false
                    group.addTask {
                        async let discovery = discoveryAgain()
                        async let keys = keySetAgain(provider)
                        return .again(await discovery, await keys)
                    }
                }
            }
            for _ in 0..<max(1, options.concurrency) { advance(&group) }
            for await result in group {
                switch result {
                case .run(let index, let run):
                    runs[index] = run
                    unfinished -= 1
                case .again(let discovery, let keys):
                    results.discoveryAgain = discovery
                    results.keysAgain = keys
                }
                advance(&group)
            }
        }
        for index in plan.scenarios.indices where await wasCrowded(index) {
            runs[index] = await converse(provider, index)
        }
        results.runs = plan.scenarios.indices.compactMap { runs[$0] }
        return results
    }

    /// Whether a conversation met a server error while others were held beside it.
    ///
    /// A small provider may choke on several people at once, which says nothing about how it treats one: such a
    /// conversation is held once more, alone, and what comes of it then is what counts.
    private func wasCrowded(_ index: Int) async -> Bool {
        guard plan.scenarios.count > 1, options.concurrency > 1, !Task.isCancelled else { return false }
        return await wire.recorder.hasServerError(lane: Lanes.scenario(index))
    }

    /// One conversation of the plan.
    private func converse(_ provider: Provider, _ index: Int) async -> CollectedRun {
        let scenario = plan.scenarios[index]
        progress(.began(step: scenario.title))
        let conversation = Conversation(
            scenario: scenario,
            lane: Lanes.scenario(index),
            collection: self,
            provider: provider
        )
        let run =
            Task.isCancelled
            ? conversation.notHeld(.absent("the run was interrupted before it began")) : await conversation.hold()
        progress(.ended(step: scenario.title, outcome: run.outcome))
        return run
    }
}
