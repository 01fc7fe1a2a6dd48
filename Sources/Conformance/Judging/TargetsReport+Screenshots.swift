extension TargetsReport.Target {
    /// The numbers of the screenshots that pages refer to.
    package var screenshots: [Int] {
        Set(report.reports.flatMap(\.causes).flatMap(\.pages).compactMap(\.screenshot)).sorted()
    }

    /// The report for a place without the screenshots.
    package var withoutScreenshots: Self {
        let reports = report.reports.map(\.withoutScreenshots)
        return Self(name: name, report: JointReport(reports[0], Array(reports.dropFirst())), user: user)
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
