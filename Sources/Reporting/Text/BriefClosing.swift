import Conformance

/// The blocking checks of a short report.
extension BriefParts {
    /// The number of lines that show the first blocking check and name all others.
    var leastClosing: Int {
        let entries = inOrderOfReading
        guard let first = entries.first else { return 0 }
        return 2 + block(first).lines.count + reserve(entries.dropFirst(), true)
    }

    /// The number of lines that show the first blocking check, and all others with a sentence.
    var closingWithSentences: Int {
        let entries = inOrderOfReading
        guard let first = entries.first else { return 0 }
        let rest = entries.dropFirst()
        return 2 + block(first).lines.count + rest.map { short($0).lines.count }.reduce(0, +) + Self.headings(rest)
    }

    /// The number of lines that name checks, with headings; fewer without space for all names.
    private func reserve(_ entries: ArraySlice<Report.Entry>, _ fits: Bool) -> Int {
        guard fits else { return min(entries.count, 6) }
        let wrapped = entries.count { $0.id.rawValue.count + 2 > options.width }
        return entries.count + wrapped + Self.headings(entries)
    }

    private static func headings(_ entries: ArraySlice<Report.Entry>) -> Int { Set(entries.map(\.consequence)).count }

    private static func heading(_ consequence: Consequence, _ count: Int) -> String {
        "BLOCKING: \(consequence.heading) (\(count))"
    }

    /// The first check in full; the others in full if each still has its sentence, else with a sentence, else by name.
    ///
    /// - Parameter space: Lines; checks whose names do not fit are counted.
    func closing(space: Int) -> TextLayout {
        let entries = inOrderOfReading
        let shorts = entries.map(short)
        var layout = empty
        let fits = leastClosing <= space
        var lacksFixes = false
        for (index, entry) in entries.enumerated() {
            let rest = entries[(index + 1)...]
            if index == 0 || entry.consequence != entries[index - 1].consequence {
                let count = entries.count { $0.consequence == entry.consequence }
                layout.paragraph(Self.heading(entry.consequence, count), .red)
            }
            // The last line is for the hint, or for the number of checks whose names do not fit.
            let left = space - layout.lines.count - 1 - Self.headings(rest.drop { $0.consequence == entry.consequence })
            let sentences = shorts[(index + 1)...].map(\.lines.count).reduce(0, +) + Self.headings(rest)
            let whole = index == 0 || sentences < left ? block(entry) : nil
            if let whole, index == 0 || whole.lines.count + sentences <= left {
                layout.append(whole)
                continue
            }
            lacksFixes = true
            if shorts[index].lines.count + reserve(rest, fits) <= left {
                layout.append(shorts[index])
                continue
            }
            var name = empty
            name.paragraph(entry.id.rawValue, indent: 2, hanging: 4)
            guard name.lines.count <= left else {
                layout.paragraph(TextLayout.more(rest.count + 1), indent: 2)
                for consequence in Consequence.inOrderOfReading where consequence != entry.consequence {
                    let count = rest.count { $0.consequence == consequence }
                    if count > 0 { layout.paragraph(Self.heading(consequence, count), .red) }
                }
                break
            }
            layout.append(name)
        }
        layout.hint(lacksFixes: lacksFixes)
        return layout
    }

    /// A check with the first sentence of its first finding.
    func short(_ entry: Report.Entry) -> TextLayout {
        var layout = empty
        layout.paragraph(entry.id.rawValue, indent: 2, hanging: 4)
        layout.paragraph(entry.verdict.findings.first?.firstSentence(limit: 300) ?? "", indent: 4, most: 2)
        return layout
    }

    /// A check with its findings, fixes and rule.
    func block(_ entry: Report.Entry) -> TextLayout {
        var layout = empty
        let title = "\(entry.id.rawValue)  (\(entry.authority))"
        // The finding shows the rule of a profile, with reason and source.
        let isReported = entry.citation.document == .profile && entry.verdict.findings.contains { $0.authority != nil }
        let fits = !isReported && title.count + 2 <= options.width
        layout.paragraph(fits ? title : entry.id.rawValue, indent: 2, hanging: 4)
        if isFull {
            layout.findings(entry.verdict.findings, indent: 4)
        } else {
            layout.findings(entry.verdict.findings, indent: 4, few: 2, most: 3)
        }
        if let reason = entry.levelReason, entry.level > entry.requirement.level {
            layout.labelled("level", "\(entry.level.rawValue), because \(reason.shown())", indent: 6)
        }
        if !fits, !isReported { layout.labelled("rule", entry.authority, indent: 6) }
        if options.explains {
            layout.labelled("words", entry.citation.shownWords(limit: 500), indent: 6)
            layout.labelled("link", entry.citation.link, indent: 6)
            layout.labelled("why", entry.why.shown(limit: 500), indent: 6)
        }
        return layout
    }

    /// The blocking checks, in reading order.
    var inOrderOfReading: [Report.Entry] {
        Consequence.inOrderOfReading.flatMap { consequence in
            report.entries(.closes).filter { $0.consequence == consequence }
        }
    }
}
