/// Two reports, platform by platform.
package struct ComparedReports: Sendable, Hashable {
    package struct Pair: Sendable, Hashable {
        package var before: ReportDigest
        package var now: ReportDigest
        package var comparison: Comparison
    }

    /// In the order of the later report; never empty.
    package let pairs: [Pair]

    /// - Returns: `nil` if the later report is for a platform that the earlier one does not cover: new findings are unknown
    ///   there.
    package init?(from before: [ReportDigest], to now: [ReportDigest]) {
        var pairs: [Pair] = []
        for later in now {
            guard let earlier = Self.report(for: later.profile, in: before) else { return nil }
            pairs.append(Pair(before: earlier, now: later, comparison: Comparison(from: earlier, to: later)))
        }
        if pairs.isEmpty { return nil }
        self.pairs = pairs
    }

    /// The report for a platform; `nil` where there is none.
    package static func report(for profile: String, in reports: [ReportDigest]) -> ReportDigest? {
        reports.first { $0.profile == profile }
    }

    /// 1 where an error is new, 0 otherwise.
    package var exitCode: Int { pairs.contains { $0.comparison.newErrors > 0 } ? 1 : 0 }
}
