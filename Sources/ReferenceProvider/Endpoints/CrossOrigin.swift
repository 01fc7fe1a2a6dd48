import Conformance

/// The responses that scripts of other origins may read (Fetch, section 3.2, CORS protocol).
extension Provider {
    /// Documents, tokens and claims are readable from any origin: credentials are in the request, never in a cookie.
    ///
    /// The authorization endpoint and its pages are not, because no script calls them (RFC 9700 section 2.6).
    func openToScripts(_ endpoint: Endpoint, _ request: ProviderRequest, _ answer: inout HTTPAnswer) {
        switch endpoint {
        case .discovery, .keys, .token, .userInfo: break
        default: return
        }
        if request.method == "OPTIONS", request.header("Access-Control-Request-Method") != nil {
            let methods = endpoint == .token ? "POST" : "GET, POST"
            answer = HTTPAnswer(
                status: 204,
                headers: [
                    Field("Access-Control-Allow-Methods", methods),
                    Field("Access-Control-Allow-Headers", "Authorization, Content-Type"),
                ],
                body: []
            )
        }
        answer.setHeader("Access-Control-Allow-Origin", "*")
    }
}
