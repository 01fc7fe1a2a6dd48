package import Conformance
import Transport

extension Target {
    /// The address at which the domain of the configured user's address names its issuer (RFC 7033 section 4.1); `nil` without one.
    package var webFingerAddress: String? {
        let parts = webFinger?.split(separator: "@", omittingEmptySubsequences: false) ?? []
        guard let address = webFinger, parts.count == 2, !parts[0].isEmpty else { return nil }
        let path = "/.well-known/webfinger"
        let query =
            "resource=\(PercentEncoding.encode("acct:" + address))&rel=\(PercentEncoding.encode(WebFinger.relation))"
        guard let url = WebURL("https://\(parts[1])\(path)?\(query)"), url.path == path else { return nil }
        return url.textBeforeFragment
    }
}

extension Collection {
    /// Requests the issuer of that address; `nil` without an address, or if no chosen check reads the response.
    ///
    /// No secret is sent, and no redirect to http is followed (RFC 7033 section 4.2).
    func webFinger() async -> Observation<Document>? {
        guard plan.needs.contains(.webFinger), let address = plan.target.webFingerAddress else { return nil }
        return
            await http.document(at: address, step: "WebFinger", lane: Lanes.webFinger) { request in
                request.headers = [HTTPField(name: "Accept", value: "application/jrd+json, application/json")]
            }
            .observation
    }
}
