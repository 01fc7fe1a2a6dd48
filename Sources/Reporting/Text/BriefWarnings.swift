import Conformance

extension BriefParts {
    /// A check with the platforms that it concerns; `nil` if there are no others.
    typealias Warning = (entry: Report.Entry, platforms: String?)

    /// As many warnings and notices as fit, at most three; if none fits, their number.
    func warnings(space: Int) -> TextLayout {
        warnings(report.entries(.belowThreshold).map { ($0, nil) }, space: space)
    }

    func warnings(_ all: [Warning], space: Int) -> TextLayout {
        for most in [3, 2, 1] {
            let part = warnings(all, most: most)
            if part.lines.count <= space { return part }
        }
        return warnings(all, most: 0)
    }

    /// - Parameter most: The maximum number of checks with lines.
    func warnings(_ all: [Warning], most: Int) -> TextLayout {
        var layout = empty
        guard !all.isEmpty else { return layout }
        let heading = "\(all.map(\.entry.level).titleBelow.uppercased()), not blocking (\(all.count))"
        layout.paragraph(heading + (most == 0 ? "; --verbose lists them" : ""), .yellow)
        if most == 0 { return layout }
        for (entry, platforms) in all.prefix(most) {
            let findings = entry.verdict.findings
            if isFull {
                let place = platforms.map { " (\($0))" } ?? ""
                layout.paragraph(entry.id.rawValue + place, indent: 2, hanging: 4)
                layout.findings(findings, indent: 4)
            } else {
                let place = platforms.map { " (\($0.shown(limit: 60)))" } ?? ""
                let sentence = findings.first?.firstSentence(limit: 400) ?? ""
                layout.named(entry.id.rawValue + place, sentence, most: 3)
            }
        }
        if all.count > most { layout.paragraph(TextLayout.more(all.count - most), indent: 2) }
        if !isFull { layout.hint(lacksFixes: true) }
        return layout
    }

    /// The failures that the configuration waives, with reason, end and place.
    ///
    /// - Parameter most: The maximum number of checks with lines.
    func waived(most: Int) -> TextLayout { waived(report.entries(.waived).map { ($0, nil) }, most: most) }

    func waived(_ all: [Warning], most: Int) -> TextLayout {
        var layout = empty
        guard !all.isEmpty else { return layout }
        layout.paragraph("WAIVED (\(all.count))" + (most == 0 ? "; --verbose lists them" : ""), .yellow)
        if most == 0 { return layout }
        let limit = isFull ? 1_000 : 200
        for (entry, platforms) in all.prefix(most) {
            let place = platforms.map { " (\($0.shown(limit: limit)))" } ?? ""
            layout.paragraph(entry.id.rawValue + place, indent: 2, hanging: 4)
            layout.paragraph(entry.waiver?.sentence(limit: limit) ?? "", indent: 4, hanging: 6)
        }
        if all.count > most { layout.paragraph("and \(all.count - most) more; --verbose lists them", indent: 2) }
        if !isFull { layout.hint() }
        return layout
    }
}
