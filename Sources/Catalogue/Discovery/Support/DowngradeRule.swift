import Conformance

/// The rule that nobody is sent from https to http for a document.
enum DowngradeRule {
    /// A check that the last answer on the way to a document, which is not followed there, is no redirect to http.
    static func check(
        _ id: CheckID,
        _ title: String,
        _ citation: Citation,
        why: String,
        _ document: String,
        reads slot: Slot<Exchange>
    ) -> Check {
        Check(id, title, .must, .safety, citation, why: why, reads: slot) { exchange, _ in
            guard let response = exchange.response, [301, 302, 303, 307, 308].contains(response.status),
                exchange.request.url.hasScheme("https"),
                let place = response.header("Location"), place.hasScheme("http")
            else { return [] }
            return [
                Finding(
                    "the request for \(document) is redirected from https to http, to \(place.quoted)",
                    at: "Location",
                    expected: "\(document) at an https address",
                    found: place.shown(),
                    fix:
                        "Serve \(document) over https at \(exchange.request.url.quoted) itself, and redirect nobody to http."
                )
            ]
        }
    }
}

extension String {
    /// Whether the text begins with the scheme and a colon, in whatever case (RFC 3986 section 3.1).
    fileprivate func hasScheme(_ scheme: String) -> Bool { lowercased().hasPrefix(scheme + ":") }
}
