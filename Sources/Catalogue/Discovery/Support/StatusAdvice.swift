import Conformance

/// Fixes for a document whose status is not 200.
enum StatusAdvice {
    /// - Parameter document: The name of the document within a sentence.
    static func fix(_ exchange: Exchange, _ document: String) -> String {
        let status = exchange.response?.status ?? 0
        let address = exchange.request.url.quoted
        return switch status {
        case 201...299: "Serve \(document) with status 200: status \(status) has a different meaning."
        case 300...399:
            "Serve \(document) itself at \(address), without a redirect. Check whether the redirects form a loop."
        case 401, 403, 407, 451:
            "Serve \(document) without requiring credentials: it is public. Check whether a firewall or bot protection "
                + "blocks the request."
        case 405, 406, 415: "Accept a plain GET of \(address), with any Accept header."
        case 400...499:
            "Find out in the provider's log why it rejects a plain GET of \(address), and accept the request."
        case 500...:
            "Find the cause in the log of the provider, or of the proxy in front of it, at the time of the request."
        default: "Serve \(document) with status 200."
        }
    }
}
