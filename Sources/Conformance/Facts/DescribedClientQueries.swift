import JSONTree

/// The queries for clients whose identifier is the address of their metadata.
package enum DescribedClients {
    /// Runs with such a client, at a provider that states its support.
    ///
    /// If the provider fetched nothing, a rejection proves nothing: it may be unable to reach this machine. It accepts only https
    /// (section 3 of the draft), so that http decides nothing either.
    ///
    /// - Parameter read: The authorization response that counts.
    package static func runs(
        _ name: String,
        _ scenario: Scenario,
        needing more: Set<Need> = [],
        _ read: @escaping @Sendable (ScenarioRun) -> Observation<AuthorizationAnswer>
    ) -> Query<ScenarioRun> {
        Query<ScenarioRun>(
            name,
            needs: Set<Need>([.discovery, .probe(scenario.id)]).union(more),
            features: scenario.features,
            whenEmpty: "the provider does not state \(Scenario.describedClientSupport): true"
        ) { facts in
            let support = facts.metadata.value.map { $0[Scenario.describedClientSupport] == true }
            guard support ?? true else { return [] }
            guard let run = facts.evidence.run(scenario.id) else {
                return [Sample(StepResults.notRun(scenario.id, facts))]
            }
            let answer = read(run)
            let exchange = answer.value?.exchange
            guard answer.value != nil, answer.value?.redirect?.isGrant != true, run.fetches ?? [:] == [:] else {
                return [Sample(answer.map { _ in run }, exchange: exchange)]
            }
            let why = "the provider rejected the client and fetched nothing; it may be unable to reach this machine"
            return [
                Sample(
                    run.clientID.hasPrefix("https://")
                        ? .absent(why) : .notAttempted(why + ", and the draft allows only https"),
                    exchange: exchange
                )
            ]
        }
    }
}
