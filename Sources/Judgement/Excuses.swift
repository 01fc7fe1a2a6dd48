import Conformance

/// One cause, one failure: a failed check says nothing new when a check that it names as its cause failed too.
///
/// Every excuse is decided on the verdicts before any excuse, so the order of the checks does not matter. A cause excuses
/// only what weighs no more than itself: otherwise a warning could hide an error and open the gate. Checks that excuse one
/// another in a ring, with no cause outside it, all stay failed, so that an excuse never leaves nothing to tell. A waived check
/// excuses nothing: its waiver is for that check alone.
enum Excuses {
    static func applied(to rulings: [Ruling], _ waivers: WaiverBook) -> [Ruling] {
        let failed = rulings.indices.filter { rulings[$0].hasFailed }
        guard !failed.isEmpty else { return rulings }
        let places = Dictionary(
            failed.map { (rulings[$0].check.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        /// For each failed check, the failed checks that it names.
        let causes = rulings.map { ruling -> [Int] in
            guard ruling.hasFailed else { return [] }
            return ruling.check.excusedBy.compactMap { places[$0] }
                .filter { rulings[$0].level >= ruling.level }
        }
        let upstream = rulings.indices.map { reachable(from: $0, causes) }
        let isWaived = rulings.map { $0.hasFailed && waivers.valid(for: $0.check.id) != nil }
        let isExcused = rulings.indices.map { effect in
            upstream[effect].contains { !isWaived[$0] && !upstream[$0].contains(effect) }
        }
        return rulings.indices.map { effect in
            let roots = upstream[effect].filter { !isExcused[$0] && !isWaived[$0] }
            guard isExcused[effect], let root = roots.min() else {
                return rulings[effect]
            }
            var ruling = rulings[effect]
            ruling.verdict = .excused(by: rulings[root].check.id)
            ruling.isOfAnotherAnswer = rulings[root].check.consequence != ruling.check.consequence
            return ruling
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
