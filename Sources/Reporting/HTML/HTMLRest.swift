import Conformance

/// The part below the findings: inconclusive checks, the comparison, notes, and every check by stage.
struct HTMLRest {
    /// Bytes of one list.
    private static let share = 120_000

    private let joint: JointReport

    init(_ joint: JointReport) {
        self.joint = joint
    }

    func html(in space: inout Int) -> HTML {
        [inconclusive(&space), comparison(&space), notes(&space), everyCheck(&space)].joined()
    }

    private func inconclusive(_ space: inout Int) -> HTML {
        let entries = joint.reported.filter { CheckState($0.entry) == .inconclusive }
        guard !entries.isEmpty else { return .nothing }
        let (kept, left) = byReason(entries, &space)
        return """
            <section aria-labelledby="undecided">
            <h2 id="undecided">Inconclusive (\(Set(entries.map(\.entry.id)).count))</h2>
            \(kept)\(HTML.left(left, "reason"))</section>
            """
    }

    /// One reason explains many checks, so it is listed once; largest groups first.
    private func byReason(_ reported: [JointReport.Blocker], _ space: inout Int) -> (kept: [HTML], left: Int) {
        let groups = reported.grouped { [$0.entry.verdict.reason ?? "", platforms($0)] }.enumerated()
            .sorted { ($0.element.members.count, -$0.offset) > ($1.element.members.count, -$1.offset) }
            .map(\.element)
        let blocks = groups.prefix(200)
            .map { key, members -> HTML in
                let names = members.prefix(400).map { one -> HTML in HTML.code(one.entry.id.rawValue, limit: 200) }
                let more = members.count - names.count
                let title: HTML =
                    "\(counted(members.count, "check")): \(key[0].shown(limit: 500))\(key[1].isEmpty ? "" : " (for \(key[1]))")"
                return HTML.fold(title, "\(HTML.list(names))\(HTML.left(more, "check"))")
            }
        let (kept, left) = HTML.fitting(blocks, in: &space, share: Self.share)
        return (kept, left + groups.count - blocks.count)
    }

    /// The platforms with this verdict; empty if all have it.
    private func platforms(_ one: JointReport.Blocker) -> String {
        one.platforms.count == joint.reports.count ? "" : one.platforms.joined(separator: ", ").shown(limit: 300)
    }

    private func platforms(_ reported: [JointReport.Blocker]) -> String {
        let names = reported.flatMap(\.platforms)
        return names.count == joint.reports.count ? "" : " (for \(names.joined(separator: ", ").shown(limit: 300)))"
    }

    private func comparison(_ space: inout Int) -> HTML {
        guard let comparison = JointWording.comparison(joint) else { return .nothing }
        let parts: [(String, [Comparison.Change])] = [
            ("new", comparison.new), ("fixed", comparison.fixed), ("changed", comparison.changed),
            ("known", comparison.known), ("without a result this time", comparison.withoutResult),
        ]
        let lines = parts.filter { !$0.1.isEmpty }
            .map { word, changes -> HTML in
                let names = changes.map { HTML.code($0.id.rawValue, limit: 200) }
                return "<li>\(changes.count) \(word): \(names.joined(by: ", "))</li>\n"
            }
        let (kept, left) = HTML.fitting(lines, in: &space, share: Self.share)
        return """
            <section aria-labelledby="comparison">
            <h2 id="comparison">Compared with the earlier report</h2>
            <ul class="list">
            \(kept)</ul>
            \(HTML.left(left, "list"))</section>
            """
    }

    private func notes(_ space: inout Int) -> HTML {
        let notes = JointWording.notes(joint)
        guard !notes.isEmpty else { return .nothing }
        let (kept, left) = HTML.fitting(
            notes.prefix(60).map { "<li>\($0.shown(limit: 1_000))</li>\n" },
            in: &space,
            share: Self.share
        )
        return """
            <section aria-labelledby="notes">
            <h2 id="notes">About this run</h2>
            <ul class="list">
            \(kept)</ul>
            \(HTML.left(left + max(0, notes.count - 60), "note"))</section>
            """
    }

    // MARK: Every check

    private func everyCheck(_ space: inout Int) -> HTML {
        let own = joint.reported.filter { !$0.entry.isForeign }
        var sections: [HTML] = []
        for (stage, members) in own.grouped(by: \.entry.stage) {
            let words: [(CheckState, String)] = [
                (.closes, "failed"), (.known, "known"), (.belowThreshold, "not blocking"), (.waived, "waived"),
                (.inconclusive, "inconclusive"), (.passed, "passed"), (.superseded, "superseded"),
                (.notApplicable, "not applicable"), (.notAttempted, "skipped"),
            ]
            // A check that is listed separately for two platforms counts once.
            let tally = words.compactMap { state, word -> String? in
                let count = Set(members.filter { CheckState($0.entry) == state }.map(\.entry.id)).count
                return count == 0 ? nil : "\(count) \(word)"
            }
            let passed = members.filter { CheckState($0.entry) == .passed }.grouped(by: \.entry.id)
                .map { id, reported -> HTML in
                    "<li><code>\(id.rawValue.shown(limit: 200))</code> <span class=\"quiet\">\(reported[0].entry.title)\(platforms(reported))</span></li>\n"
                }
            let (kept, left) = HTML.fitting(passed, in: &space, share: Self.share)
            var body: HTML =
                kept.isEmpty
                ? .nothing : "<p>Passed:</p>\n<ul class=\"list small\">\n\(kept)</ul>\n\(HTML.left(left, "check"))"
            for (state, word) in words.suffix(3) {
                let entries = members.filter { CheckState($0.entry) == state && !$0.entry.isLeftOutByChoice }
                if entries.isEmpty { continue }
                let (reasons, more) = byReason(entries, &space)
                body =
                    "\(body)<p>\(word.sentenceStart):</p>\n\(reasons)\(HTML.left(more, "reason"))"
            }
            sections.append(HTML.fold("\(stage.title): \(tally.joined(separator: ", "))", body))
        }
        guard !sections.isEmpty else { return .nothing }
        return """
            <section aria-labelledby="every">
            <h2 id="every">Every check</h2>
            \(sections)</section>
            """
    }
}
