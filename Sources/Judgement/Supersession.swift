import Conformance

/// Root causes: a failed check is superseded if a check that it names as its cause failed too.
///
/// All decisions use the original verdicts, so the order of the checks does not matter. A root cause supersedes only failures of
/// its own level or below; otherwise a warning could hide an error and open the gate. Checks that name each other in a cycle,
/// without a cause outside it, all stay failed, so at least one finding is always reported. A waived check supersedes nothing,
/// because its waiver covers that check only.
enum Supersession {
    static func applied(to rulings: [CheckDecision], _ waivers: WaiverBook) -> [CheckDecision] {
        let failed = rulings.indices.filter { rulings[$0].hasFailed }
        guard !failed.isEmpty else { return rulings }
        let places = Dictionary(
            failed.map { (rulings[$0].check.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        /// For each failed check, the failed checks that it names.
        let causes = rulings.map { decision -> [Int] in
            guard decision.hasFailed else { return [] }
            return decision.check.supersededBy.compactMap { places[$0] }
                .filter { rulings[$0].level >= decision.level }
        }
        let upstream = rulings.indices.map { reachable(from: $0, causes) }
        let isWaived = rulings.map { $0.hasFailed && waivers.valid(for: $0.check.id) != nil }
        let isSuperseded = rulings.indices.map { effect in
            upstream[effect].contains { !isWaived[$0] && !upstream[$0].contains(effect) }
        }
        return rulings.indices.map { effect in
            let roots = upstream[effect].filter { !isSuperseded[$0] && !isWaived[$0] }
            guard isSuperseded[effect], let root = roots.min() else {
                return rulings[effect]
            }
            var decision = rulings[effect]
            decision.verdict = .superseded(by: rulings[root].check.id)
            decision.isOfAnotherAnswer = rulings[root].consequence != decision.consequence
            return decision
        }
    }

    private static func reachable(from start: Int, _ causes: [[Int]]) -> Set<Int> {
        var seen: Set<Int> = []
        var open = causes[start]
        while let place = open.popLast() {
            if seen.insert(place).inserted { open += causes[place] }
        }
        return seen
    }
}
