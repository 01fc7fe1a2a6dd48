import Conformance

/// The pages of a sign-in, side by side, with their screenshots if those are next to the report.
enum HTMLPages {
    static func strip(_ pages: [VisitedPage]) -> HTML {
        guard !pages.isEmpty else { return .nothing }
        let items = pages.map { page -> HTML in
            let screenshot: HTML =
                page.screenshot.map { number in
                    """
                    <a href="sign-in-\(number).png"><img src="sign-in-\(number).png" width="300" height="250" loading="lazy" alt="Screenshot of the page, with its form fields emptied"></a>
                    """
                } ?? .nothing
            return "<li><p>page \(page.number): \(page.sentence.shown(limit: 500))</p>\(screenshot)</li>\n"
        }
        return """
            <p class="small quiet">Pages of the sign-in:</p>
            <ol class="pages">
            \(items)</ol>

            """
    }

    /// Whether the report shows any screenshot, which the page's policy must then allow.
    static func showsScreenshots(_ joint: JointReport) -> Bool {
        joint.reports.contains { $0.causes.contains { $0.pages.contains { $0.screenshot != nil } } }
    }
}
