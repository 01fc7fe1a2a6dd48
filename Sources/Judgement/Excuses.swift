import Conformance

/// One cause, one failure: a failed check says nothing new when a check that it names as its cause failed too.
///
/// Every excuse is decided on the verdicts before any excuse, so the order of the checks does not matter. A cause excuses
/// only what weighs no more than itself: otherwise a warning could hide an error and open the gate. Checks that excuse one
/// another in a ring, with no cause outside it, all stay failed, so that an excuse never leaves nothing to tell.
enum Excuses {
    static func applied(to rulings: [Ruling]) -> [Ruling] {
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
        let isExcused = rulings.indices.map { effect in
            upstream[effect].contains { !upstream[$0].contains(effect) }
        }
        return rulings.indices.map { effect in
            guard isExcused[effect], let root = upstream[effect].sorted().first(where: { !isExcused[$0] }) else {
                return rulings[effect]
            }
            var ruling = rulings[effect]
            ruling.verdict = .excused(by: rulings[root].check.id)
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
