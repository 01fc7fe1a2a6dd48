import Conformance

/// The pages that users see: plain HTML that works without scripts and is readable in 40 columns.
enum Page {
    /// A whole page.
    static func html(status: Int = 200, title: String, _ content: String) -> HTTPAnswer {
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escape(title)) · Reference provider</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(escape(title))</h1>
            \(content)
            </main>
            </body>
            </html>

            """
        var answer = HTTPAnswer(
            status: status,
            headers: [
                Field("Content-Type", "text/html; charset=utf-8"),
                // No form-action: browsers apply it to the redirect after the form, which goes to the client.
                Field(
                    "Content-Security-Policy",
                    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"
                ),
                Field("X-Frame-Options", "DENY"),
            ],
            body: Array(text.utf8)
        )
        answer.forbidStoring()
        return answer
    }

    /// An error page without buttons.
    static func problem(status: Int, _ message: String) -> HTTPAnswer {
        html(status: status, title: "This does not work", "<p role=\"alert\">\(escape(message))</p>")
    }

    static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text.unicodeScalars {
            switch character {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return escaped
    }

    static func hidden(_ name: String, _ value: String) -> String {
        "<input type=\"hidden\" name=\"\(escape(name))\" value=\"\(escape(value))\">"
    }

    private static let style = """

        :root { color-scheme: light dark; font: 100%/1.5 system-ui, sans-serif; }
        body { margin: 0; }
        main { max-width: 24rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
        label, input, button { display: block; box-sizing: border-box; width: 100%; font: inherit; }
        input { margin: 0.25rem 0 1rem; padding: 0.5rem; }
        button { margin-top: 0.75rem; padding: 0.6rem; }
        [role="alert"] { border-left: 0.25rem solid #c33; padding-left: 0.75rem; }

        """
}
