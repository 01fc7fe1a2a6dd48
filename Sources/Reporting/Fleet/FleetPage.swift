import Conformance

/// The batch report as one self-contained page without a script.
struct FleetPage {
    private let report: FleetReport
    private let now: Double

    init(_ report: FleetReport, now: Double) {
        self.report = report
        self.now = now
    }

    var text: String {
        let tone = Tone(report.gate).rawValue
        let before = report.before.map { ", compared with \($0.shown(limit: 200))" } ?? ""
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(report.summary)</title>
            <style>\(HTML.style)</style>
            </head>
            <body>
            <header class="verdict \(tone)"><div>
            <h1>\(report.summary)</h1>
            <p>Run \(report.run.shown(limit: 200)), \(Format.moment(report.startedAt)) to \(Format.moment(report.endedAt))\(before)</p>
            </div></header>
            <main>
            \(platforms)
            \(worst)
            \(changes)
            \(endings)
            \(checks)
            </main>
            <footer class="small quiet"><p>This page is self-contained and loads nothing.</p></footer>
            </body>
            </html>

            """
        return page.markup
    }

    private static let policy = "default-src 'none'; style-src '\(HTMLStyle.hash)'; base-uri 'none'; form-action 'none'"

    private var platforms: HTML {
        if report.platforms.isEmpty { return .nothing }
        let rows = report.platforms.map { platform -> HTML in
            "<tr><th scope=\"row\">\(platform.profile)</th><td>\(platform.counts.open)</td><td>\(platform.counts.closed)</td><td>\(platform.counts.inconclusive)</td></tr>"
        }
        return """
            <h2>Gates by platform</h2>
            <table><thead><tr><th scope="col">Platform</th><th scope="col">Open</th><th scope="col">Closed</th><th scope="col">Inconclusive</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private var worst: HTML {
        if report.worst.items.isEmpty { return .nothing }
        let items = report.worst.items.map { issuer -> HTML in
            let findings = issuer.findings.map { finding -> HTML in
                "<li><code>\(finding.check)</code> for \(finding.profile): \(finding.message)</li>"
            }
            let rules: HTML = issuer.rules.isEmpty ? .nothing : " <span class=\"quiet\">(\(issuer.rules))</span>"
            return """
                <li><span class="tag \(Tone(issuer.gate).rawValue)">\(issuer.gate.word)</span> <code>\(issuer.issuer)</code>\(rules)
                <ul>\(findings)</ul></li>
                """
        }
        return "<h2>Issuers, worst first</h2>\n<ul>\(items)</ul>\(left(report.worst.left))"
    }

    private var changes: HTML {
        guard report.before != nil else { return .nothing }
        if report.changes.items.isEmpty { return "<h2>Changes since the previous run</h2>\n<p>No changes.</p>" }
        let rows = report.changes.items.map { change -> HTML in
            "<tr><td><code>\(change.issuer)</code></td><td>\(change.kind.title)</td><td>\(change.words)</td></tr>"
        }
        return """
            <h2>Changes since the previous run</h2>
            <table><thead><tr><th scope="col">Issuer</th><th scope="col">Change</th><th scope="col">From → to</th></tr></thead>
            <tbody>\(rows)</tbody></table>\(left(report.changes.left))
            """
    }

    private var endings: HTML {
        if report.endings.items.isEmpty { return .nothing }
        let rows = report.endings.items.map { ending -> HTML in
            "<tr><td><code>\(ending.host)</code></td><td>\(FleetWords.days(until: ending.notAfter, from: now)): \(Format.moment(ending.notAfter))</td><td>\(ending.issuers)</td></tr>"
        }
        return """
            <h2>Certificates that expire within \(FleetReport.endingDays) days</h2>
            <table><thead><tr><th scope="col">Host</th><th scope="col">When</th><th scope="col">Issuers</th></tr></thead>
            <tbody>\(rows)</tbody></table>\(left(report.endings.left))
            """
    }

    private var checks: HTML {
        if report.checks.isEmpty { return .nothing }
        let rows = report.checks.map { check -> HTML in
            "<tr><td><code>\(check.check)</code></td><td>\(check.issuers)</td></tr>"
        }
        return """
            <h2>Most frequent blocking checks</h2>
            <table><thead><tr><th scope="col">Check</th><th scope="col">Issuers</th></tr></thead>
            <tbody>\(rows)</tbody></table>
            """
    }

    private func left(_ count: Int) -> HTML {
        FleetWords.left(count).map { words -> HTML in "<p class=\"quiet\">\(words)</p>" } ?? .nothing
    }
}
