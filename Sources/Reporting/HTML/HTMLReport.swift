import Conformance

/// The report as one self-contained page, for one platform or several.
///
/// It begins with the verdict, the three answers, and the root causes or the first fix. The page is complete without its
/// script and style. It stays below 2 MB whatever the provider sent; entries that do not fit are counted.
enum HTMLReport {
    /// Bytes of the content that depends on the provider; the rest of the page needs at most about 250,000.
    private static let mostBytes = 1_600_000

    static func render(_ joint: JointReport) -> String {
        var space = mostBytes
        // Findings get their space before the lists below them.
        let parts = HTMLSummary(joint)
        let head = parts.html(in: &space)
        let findings = HTMLFindings(joint).html(in: &space)
        let rest = HTMLRest(joint).html(in: &space)
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)\(HTMLPages.showsScreenshots(joint) ? screenshotsToo : HTML.nothing)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta name="referrer" content="no-referrer">
            <title>\(joint.outcome.summary.shown(limit: 200)): \(joint.reports[0].target.issuer.shown(limit: 200))</title>
            <style>\(HTML.style)</style>
            </head>
            <body>
            <a class="skip" href="#findings">Skip to the findings</a>
            \(head)
            <main>
            \(parts.body(in: &space))
            \(findings)
            \(rest)
            </main>
            <footer class="small quiet">
            <p>\(joint.reports[0].tool.shown(limit: 100)), \(Format.moment(joint.reports[0].timings.startedAt)). \(HTMLPages.showsScreenshots(joint) ? "This page loads only the screenshots next to it." : "This page is self-contained and loads nothing.") Secrets, codes, tokens and cookies were redacted when they were recorded.</p>
            </footer>
            <script>\(HTML.script)</script>
            </body>
            </html>

            """
        return page.markup
    }

    /// Screenshots next to a file have its scheme; on a server they have its origin.
    private static let screenshotsToo: HTML = "; img-src 'self' file:"

    /// The page loads nothing, sends nothing, and runs only its own script.
    private static let policy =
        "default-src 'none'; style-src '\(HTMLStyle.hash)'; script-src '\(HTMLScript.hash)'; base-uri 'none'; form-action 'none'"
}

/// The color of a verdict, which always has a word as well.
enum Tone: String {
    case good
    case bad
    case warn
    case idle

    init(_ gate: Report.Gate) {
        self =
            switch gate {
            case .open: .good
            case .closed: .bad
            case .inconclusive: .warn
            }
    }

    init(_ verdict: Answers.SignInVerdict) {
        self =
            switch verdict {
            case .works: .good
            case .fails: .bad
            case .inconclusive: .warn
            case .notTried: .idle
            }
    }

    init(_ verdict: Answers.Verdict) {
        self =
            switch verdict {
            case .sound: .good
            case .problems: .bad
            case .inconclusive: .warn
            case .notTried: .idle
            }
    }

    /// An icon, always next to a word with its meaning.
    var icon: HTML {
        let path: HTML =
            switch self {
            case .good: #"<path d="M7 12.5l3.2 3.2L17 9"/>"#
            case .bad: #"<path d="M8 8l8 8M16 8l-8 8"/>"#
            case .warn: #"<path d="M12 6.5v7M12 16.8v.4"/>"#
            case .idle: #"<path d="M8 12h8"/>"#
            }
        return """
            <svg viewBox="0 0 24 24" width="30" height="30" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="2"><circle cx="12" cy="12" r="10"/>\(path)</svg>
            """
    }
}

extension HTML {
    /// An exact value.
    static func code(_ text: String, limit: Int = 500) -> HTML { "<code>\(text.shown(limit: limit))</code>" }

    /// A check's name as a link to its findings on this page.
    static func reference(_ id: CheckID) -> HTML {
        "<a href=\"#check-\(id.anchor)\"><code>\(id.rawValue.shown(limit: 200))</code></a>"
    }

    /// An external link; plain text unless the address is https.
    static func link(_ text: String, to address: String) -> HTML {
        guard address.hasPrefix("https://") else { return "\(text)" }
        return "<a href=\"\(address)\" rel=\"noreferrer\">\(text)</a>"
    }

    static func list(_ items: [HTML]) -> HTML {
        items.isEmpty ? nothing : "<ul class=\"list\">\n\(items.map { item -> HTML in "<li>\(item)</li>\n" })</ul>\n"
    }

    /// A folded section.
    static func fold(_ title: HTML, _ body: HTML) -> HTML {
        "<details class=\"fold\"><summary>\(title)</summary>\n\(body)</details>\n"
    }

    /// The number of entries that did not fit.
    static func left(_ count: Int, _ noun: String) -> HTML {
        count == 0 ? nothing : "<p class=\"quiet\">\(counted(count, noun)) more; see the JSON report.</p>\n"
    }
}
