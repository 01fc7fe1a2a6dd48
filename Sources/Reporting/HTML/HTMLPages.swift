import Conformance

/// The pages that a sign-in met, side by side, with their pictures where those lie beside the report.
enum HTMLPages {
    static func strip(_ pages: [MetPage]) -> HTML {
        guard !pages.isEmpty else { return .nothing }
        let items = pages.map { page -> HTML in
            let picture: HTML =
                page.picture.map { number in
                    """
                    <a href="sign-in-\(number).png"><img src="sign-in-\(number).png" width="300" height="250" loading="lazy" alt="The page as the browser showed it, its fields emptied"></a>
                    """
                } ?? .nothing
            return "<li><p>page \(page.number): \(page.sentence.shown(limit: 500))</p>\(picture)</li>\n"
        }
        return """
            <p class="small quiet">The pages on the way:</p>
            <ol class="pages">
            \(items)</ol>

            """
    }

    /// Whether a picture is shown anywhere, which the page's policy then has to allow.
    static func showsPictures(_ joint: JointReport) -> Bool {
        joint.reports.contains { $0.causes.contains { $0.pages.contains { $0.picture != nil } } }
    }
}
