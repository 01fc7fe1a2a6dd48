import Conformance

/// The errors of an earlier report.
///
/// They do not close the gate. If a check that failed before is skipped now, the gate stays inconclusive unless the profile or the
/// selection excludes that check.
struct KnownErrors {
    let plan: Plan

    /// - Parameter report: The report before the comparison.
    /// - Returns: The comparison, and the entries with known errors marked; `nil` without an earlier report.
    func applied(to report: ReportDigest, _ entries: [Report.Entry]) -> (Comparison, [Report.Entry])? {
        guard let baseline = plan.baseline else { return nil }
        let comparison = Comparison(from: baseline, to: report)
        let known = Set((comparison.known + comparison.changed).map(\.id))
        let lost = Set(comparison.withoutResult.filter(\.closes).map(\.id))
        let marked = entries.map { entry in
            var entry = entry
            if entry.closesGate, known.contains(entry.id) {
                entry.closesGate = false
                entry.isKnown = true
            }
            if lost.contains(entry.id), entry.level >= plan.threshold, case .notAttempted(let why) = entry.verdict,
                isWanted(entry.id)
            {
                entry.verdict = .inconclusive("it failed in the earlier report and was skipped in this run: \(why)")
                entry.wasSelected = true
                entry.blocksOpening = true
            }
            return entry
        }
        return (comparison, marked)
    }

    /// A note if the earlier report is about another issuer, which readers do not expect.
    var notes: [String] {
        guard let baseline = plan.baseline, baseline.issuer != plan.target.issuer else { return [] }
        return ["The report of known errors is about another issuer: \(baseline.issuer.quoted)."]
    }

    /// Whether profile and selection include the check, whatever the tier of this run.
    private func isWanted(_ id: CheckID) -> Bool {
        plan.profile.contains(id) && plan.profile.adjustment(for: id)?.drop != true
            && plan.selection.exclusion(of: id) == nil
    }
}
