import Transport

/// What a browser sends with a request.
extension SignInSession {
    /// Whether a page of the client, which belongs to another site, has led to a request.
    func comesFromOtherSite(_ hop: Hop, _ url: WebURL) -> Bool {
        hop.isFromClient && WebURL(redirectURI).map { !$0.mayShareSite(with: url) } ?? false
    }

    /// Adds what a browser sends with the request: cookies, the referrer, and the accepted types.
    func prepared(_ hop: Hop) -> HTTPRequest {
        var request = hop.request
        let accepted =
            hop.stepRequest == nil ? "text/html,application/xhtml+xml,*/*;q=0.8" : "application/json,*/*;q=0.8"
        if request.header("Accept") == nil { request.headers.append(HTTPField(name: "Accept", value: accepted)) }
        request.headers.append(HTTPField(name: "Accept-Language", value: "en"))
        if let agent { request.agent = .other(agent) }
        guard let target = WebURL(request.url) else { return request }
        if let origin = hop.origin {
            let isDowngrade = origin.scheme == "https" && target.scheme != "https"
            if !isDowngrade {
                // The policy that browsers have by default: strict-origin-when-cross-origin.
                let referrer = origin.origin == target.origin ? origin.textBeforeFragment : origin.origin + "/"
                request.headers.append(HTTPField(name: "Referer", value: referrer))
            }
            if request.method != "GET" {
                request.headers.append(HTTPField(name: "Origin", value: isDowngrade ? "null" : origin.origin))
            }
        } else if request.method == "POST", hop.cause == .opened, let client = WebURL(redirectURI) {
            // The form is on a page of the client.
            request.headers.append(HTTPField(name: "Origin", value: client.origin))
        }
        let isCrossSite = comesFromOtherSite(hop, target)
        let isSafe = ["GET", "HEAD"].contains(request.method)
        if let cookies = jar.header(for: target, now: WallClock.now, isCrossSite: isCrossSite, isSafe: isSafe) {
            request.headers.append(HTTPField(name: "Cookie", value: cookies))
        }
        return request
    }

    /// Why an address must not receive the password; `nil` if it may.
    static func objection(toSecretsFor target: WebURL, from page: WebURL?, _ hosts: Set<String>) -> StopReason? {
        // A page over https that sends its form without encryption is at fault wherever it is served.
        if target.scheme != "https", !target.isLoopback || page?.scheme == "https" {
            return .passwordOverPlainHTTP(host: target.hostAndPort)
        }
        return hosts.contains(target.hostAndPort) ? nil : .passwordToUnknownHost(host: target.hostAndPort)
    }
}
