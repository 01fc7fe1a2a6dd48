import Conformance

/// What to do about a document that was answered with another status than 200.
enum StatusAdvice {
    /// - Parameter document: How the document is called in a sentence.
    static func fix(_ exchange: Exchange, _ document: String) -> String {
        let status = exchange.response?.status ?? 0
        let address = exchange.request.url.quoted
        return switch status {
        case 201...299: "Answer with status 200 and nothing else: \(status) says something else of \(document)."
        case 300...399:
            "Serve \(document) itself at \(address), without a redirect; a chain of redirects that leads back to itself "
                + "ends nowhere."
        case 401, 403, 407, 451:
            "Let everybody read \(document), without credentials: it is public. See whether a firewall or bot protection "
                + "answers in the provider's place."
        case 405, 406, 415: "Let \(address) answer a plain GET, whatever its Accept field says."
        case 400...499: "See in the provider's log why a plain GET of \(address) is refused, and let it be answered."
        case 500...: "Find the cause in the log of the provider, or of the proxy before it, for that moment."
        default: "Serve \(document) with status 200."
        }
    }
}
