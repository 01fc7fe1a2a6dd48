import Conformance
import JOSE

/// The page that posts a response to the client (OAuth 2.0 Form Post Response Mode section 2).
extension Page {
    private static let script = "document.forms[0].submit()"

    static func response(_ parameters: [Field], to redirectURI: String) -> HTTPAnswer {
        let fields = parameters.map { hidden($0.name, $0.value) }.joined(separator: "\n")
        var answer = html(
            title: "Back to the application",
            """
            <form method="post" action="\(escape(redirectURI))">
            \(fields)
            <noscript><button type="submit">Continue</button></noscript>
            </form>
            <script>\(script)</script>
            """
        )
        // The only script allowed to run, by its hash.
        answer.setHeader(
            "Content-Security-Policy",
            "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-"
                + Base64.encode(Hashes.sha256(Array(script.utf8))) + "'; base-uri 'none'; frame-ancestors 'none'"
        )
        return answer
    }
}
