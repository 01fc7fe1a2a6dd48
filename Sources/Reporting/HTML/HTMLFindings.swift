import Conformance

/// The findings, check by check: blocking ones first, in the order safety, sign-in and conformance, then the others.
struct HTMLFindings {
    /// Bytes of one check, with or without its exchanges.
    private static let mostOfCheck = 120_000
    private static let mostFindings = 20
    /// The number of blocking checks that are unfolded initially.
    private static let mostOpen = 3

    private let joint: JointReport
    private let groups: [(title: String, reported: [JointReport.Blocker])]

    init(_ joint: JointReport) {
        self.joint = joint
        let failed = joint.reported.filter { !$0.entry.verdict.findings.isEmpty }
        let closing = Consequence.inOrderOfReading.map { consequence in
            (
                "Blocking: \(consequence.heading)",
                failed.filter { $0.entry.closesGate && $0.entry.consequence == consequence }
            )
        }
        let others: [(String, CheckState)] = [
            ("Known before, from an earlier report", .known),
            (
                failed.filter { CheckState($0.entry) == .belowThreshold }.map(\.entry.level).headingBelow,
                .belowThreshold
            ),
            ("Waived", .waived),
        ]
        groups = (closing + others.map { title, state in (title, failed.filter { CheckState($0.entry) == state }) })
            .filter { !$0.1.isEmpty }
            .map { (title: $0.0, reported: $0.1) }
    }

    func html(in space: inout Int) -> HTML {
        guard !groups.isEmpty else {
            return """
                <section aria-labelledby="findings">
                <h2 id="findings">Findings</h2>
                <p>No check failed.</p>
                </section>
                """
        }
        let count = groups.map(\.reported.count).reduce(0, +)
        var toOpen = Self.mostOpen
        var sections: [HTML] = []
        for (number, group) in groups.enumerated() {
            var checks: [HTML] = []
            var left = 0
            for one in group.reported {
                if let check = check(one, isOpen: toOpen > 0 && one.entry.closesGate, space) {
                    checks.append(check)
                    space -= check.count
                    toOpen -= 1
                } else {
                    left += 1
                }
            }
            sections.append(
                """
                <section class="group" aria-labelledby="group-\(number)">
                <h3 id="group-\(number)">\(group.title) (\(group.reported.count))</h3>
                <ul>
                \(checks)</ul>
                \(HTML.left(left, "check"))</section>

                """
            )
        }
        return """
            <section aria-labelledby="findings">
            <h2 id="findings">Findings (\(count))</h2>
            \(count > 1 ? filters : .nothing)\(sections)</section>
            """
    }

    // MARK: Filters

    /// Hidden until the script of the page enables them.
    private var filters: HTML {
        let all = groups.flatMap(\.reported)
        let stages = Stage.allCases.filter { stage in all.contains { $0.entry.stage == stage } }
        let consequences = Consequence.inOrderOfReading.filter { one in all.contains { $0.entry.consequence == one } }
        let levels = Level.allCases.reversed().filter { level in all.contains { $0.entry.level == level } }
        let platforms = joint.reports.enumerated().map { (String($0.offset), $0.element.profile.name.shown(limit: 60)) }
        return """
            <div class="filters" id="filters" role="group" aria-label="Filter the findings" hidden>
            \(select("answer", "Answer", consequences.map { ($0.rawValue, $0.heading) }))\(select("level", "Level", levels.map { ($0.rawValue, $0.rawValue) }))\(select("stage", "Stage", stages.map { ($0.rawValue, $0.title) }))\(joint.reports.count > 1 ? select("platforms", "Platform", platforms) : .nothing)<div><label for="filter-text">Text</label><input type="search" id="filter-text" name="text"></div>
            <div><button type="button" id="reset">Show all</button> <button type="button" id="unfold" aria-pressed="false">Unfold all</button></div>
            <p role="status" aria-live="polite"></p>
            </div>

            """
    }

    private func select(_ name: String, _ label: String, _ options: [(String, String)]) -> HTML {
        let items = options.map { value, title -> HTML in "<option value=\"\(value)\">\(title)</option>" }
        return """
            <div><label for="filter-\(name)">\(label)</label><select id="filter-\(name)" name="\(name)"><option value="">all</option>\(items)</select></div>

            """
    }

    // MARK: One check

    /// The check with its exchanges, without them if they do not fit, or `nil` if it does not fit at all.
    private func check(_ one: JointReport.Blocker, isOpen: Bool, _ space: Int) -> HTML? {
        let most = min(space, Self.mostOfCheck)
        // No check is smaller, so nothing is rendered in vain.
        if most < 1_000 { return nil }
        return [8_000, 800, 0].lazy.map { check(one, isOpen: isOpen, bodyLimit: $0) }.first { $0.count <= most }
    }

    /// - Parameter bodyLimit: Bytes of a body; 0 for no exchange at all.
    private func check(_ one: JointReport.Blocker, isOpen: Bool, bodyLimit: Int) -> HTML {
        let entry = one.entry
        let findings = entry.verdict.findings
        // Its exchanges are in the report of its first platform.
        let report = joint.reports.first { $0.profile.name == one.platforms[0] } ?? joint.reports[0]
        let cited = Set(findings.compactMap(\.exchange))
        let exchanges = report.exchanges.filter { cited.contains($0.id) }
        let shown: [HTML] =
            bodyLimit == 0
            ? (exchanges.isEmpty
                ? []
                : [
                    "<p class=\"quiet\">\(counted(exchanges.count, "exchange")) omitted for size; see the JSON report and the evidence.</p>\n"
                ])
            : exchanges.prefix(3).map { HTMLExchange($0, report.reach).html(bodyLimit: bodyLimit) }
                + (exchanges.count > 3 ? [HTML.left(exchanges.count - 3, "exchange")] : [])
        // The summary line already shows a single finding.
        let isReported = findings.count == 1 && findings[0].message.unicodeScalars.count <= 200
        let reported = findings.prefix(Self.mostFindings)
            .map { finding($0, isReported: isReported, limit: bodyLimit == 0 ? 120 : 1_000) }
        let places = joint.reports.indices.filter { one.platforms.contains(joint.reports[$0].profile.name) }
        let sentence = findings.first.map { $0.sentence(limit: 200) } ?? entry.title
        let tone =
            CheckState(entry) == .closes
            ? Tone.bad : entry.level == .notice || CheckState(entry) == .waived ? .idle : .warn
        let open: HTML = isOpen ? " open" : .nothing
        return """
            <li class="check \(tone.rawValue)" id="check-\(anchor(one))" data-answer="\(entry.consequence.rawValue)" data-level="\(entry.level.rawValue)" data-stage="\(entry.stage.rawValue)" data-platforms="\(places.map(String.init).joined(separator: " "))">
            <details\(open)>
            <summary><span class="tag \(tone.rawValue)">\(entry.level.rawValue)</span> <code class="id">\(entry.id.rawValue.shown(limit: 200))</code>\(platforms(one)) <span class="sentence">\(sentence)\(findings.count > 1 ? " (and \(counted(findings.count - 1, "finding")) more)" : "")</span></summary>
            <div class="body">
            <p class="quiet">Rule: \(entry.title).</p>
            \(reported)\(HTML.left(findings.count - reported.count, "finding"))\(background(entry))\(shown)</div>
            </details>
            </li>

            """
    }

    /// A check that is listed again for other platforms has its own anchor.
    private func anchor(_ one: JointReport.Blocker) -> String {
        let alike = groups.flatMap(\.reported).filter { $0.entry.id == one.entry.id }
        let place = alike.firstIndex { $0.platforms == one.platforms } ?? 0
        return one.entry.id.anchor + (place == 0 ? "" : "-\(place + 1)")
    }

    private func platforms(_ one: JointReport.Blocker) -> HTML {
        guard joint.reports.count > 1 else { return .nothing }
        return " <span class=\"small quiet\">for \(one.platforms.joined(separator: ", ").shown(limit: 300))</span>"
    }

    private func finding(_ finding: Finding, isReported: Bool, limit: Int) -> HTML {
        let rows: [(String, HTML?)] = [
            ("with", finding.subjectText.map { "\($0.shown(limit: limit))" }),
            ("at", finding.place.map { HTML.code($0, limit: limit) }),
            ("found", finding.shownFound(limit: limit).map { HTML.code($0, limit: limit) }),
            ("expected", finding.shownExpected(limit: limit).map { HTML.code($0, limit: limit) }),
            ("fix", "<strong>\(finding.fix.shown(limit: limit))</strong>"),
            ("because", finding.authority.map { "\($0.sentence.shown(limit: limit))" }),
        ]
        let message: HTML = isReported ? .nothing : "<p>\(finding.message.shown(limit: limit))</p>\n"
        return "<div class=\"finding\">\(message)\(Self.rows(rows))</div>\n"
    }

    /// A list of names and values.
    static func rows(_ rows: [(String, HTML?)]) -> HTML {
        let items = rows.compactMap { name, text -> HTML? in text.map { "<dt>\(name)</dt><dd>\($0)</dd>\n" } }
        return items.isEmpty ? .nothing : "<dl>\n\(items)</dl>\n"
    }

    private func background(_ entry: Report.Entry) -> HTML {
        let words = entry.citation.shownWords(limit: 600)
        let waiver = entry.waiver.map { waiver -> HTML in
            "\(waiver.sentence(limit: 600))"
        }
        return Self.rows([
            ("waived", waiver),
            (
                "level",
                entry.levelReason.map { "\(entry.level.rawValue), because \($0.shown(limit: 600))" }
            ),
            (
                "rule",
                "\(HTML.link(entry.authority, to: entry.citation.link))\(words.isEmpty ? "" : ": " + words)"
            ),
            ("why", "\(entry.why.shown(limit: 1_000)) \(HTML.link("More about this check", to: entry.id.link))"),
        ])
    }
}
