import Conformance

/// What an earlier report already told.
///
/// Its errors close nothing. One that was not judged this time is neither mended nor known: the gate does not open over it, unless
/// profile or selection leave its check out.
struct KnownErrors {
    let plan: Plan

    /// - Parameter report: As it is without the earlier report.
    /// - Returns: The comparison, and the entries with what is known marked; `nil` where no earlier report is named.
    func applied(to report: ReportDigest, _ entries: [Report.Entry]) -> (Comparison, [Report.Entry])? {
        guard let baseline = plan.baseline else { return nil }
        let comparison = Comparison(from: baseline, to: report)
        let known = Set((comparison.known + comparison.changed).map(\.id))
        let lost = Set(comparison.notJudged.filter(\.closes).map(\.id))
        let marked = entries.map { entry in
            var entry = entry
            if entry.closesGate, known.contains(entry.id) {
                entry.closesGate = false
                entry.isKnown = true
            }
            if lost.contains(entry.id), entry.level >= plan.threshold, case .notAttempted(let why) = entry.verdict,
                isWanted(entry.id)
            {
                entry.verdict = .inconclusive("it failed before, and was not judged this time: \(why)")
                entry.wasSelected = true
                entry.blocksOpening = true
            }
            return entry
        }
        return (comparison, marked)
    }

    /// That the earlier report is about another issuer, which a reader takes for granted that it is not.
    var notes: [String] {
        guard let baseline = plan.baseline, baseline.issuer != plan.target.issuer else { return [] }
        return ["The report of known errors is of another issuer, \(baseline.issuer.quoted)."]
    }

    /// Whether somebody wants the check judged, however far this run goes.
    private func isWanted(_ id: CheckID) -> Bool {
        plan.profile.holds(id) && plan.profile.adjustment(for: id)?.drop != true
            && plan.selection.exclusion(of: id) == nil
    }
}
