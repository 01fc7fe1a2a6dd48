extension TargetsReport {
    /// The numbers of the screenshots of its causes' pages.
    package var pictures: [Int] {
        Set(targets.flatMap(\.report.reports).flatMap(\.causes).flatMap(\.pages).compactMap(\.picture)).sorted()
    }

    /// The report for a place without the screenshots.
    package var withoutPictures: TargetsReport {
        let stripped = targets.map { target in
            let reports = target.report.reports.map(\.withoutPictures)
            return Target(
                name: target.name,
                report: JointReport(reports[0], Array(reports.dropFirst())),
                person: target.person
            )
        }
        return TargetsReport(stripped[0], Array(stripped.dropFirst()))
    }
}

extension Report {
    fileprivate var withoutPictures: Report {
        var report = self
        for cause in report.causes.indices {
            for page in report.causes[cause].pages.indices { report.causes[cause].pages[page].picture = nil }
        }
        return report
    }
}
