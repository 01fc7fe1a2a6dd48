extension TargetsReport {
    /// The numbers of the screenshots of its causes' pages.
    package var screenshots: [Int] {
        Set(targets.flatMap(\.report.reports).flatMap(\.causes).flatMap(\.pages).compactMap(\.screenshot)).sorted()
    }

    /// The report for a place without the screenshots.
    package var withoutScreenshots: TargetsReport {
        let stripped = targets.map { target in
            let reports = target.report.reports.map(\.withoutScreenshots)
            return Target(
                name: target.name,
                report: JointReport(reports[0], Array(reports.dropFirst())),
                user: target.user
            )
        }
        return TargetsReport(stripped[0], Array(stripped.dropFirst()))
    }
}

extension Report {
    fileprivate var withoutScreenshots: Report {
        var report = self
        for cause in report.causes.indices {
            for page in report.causes[cause].pages.indices { report.causes[cause].pages[page].screenshot = nil }
        }
        return report
    }
}
