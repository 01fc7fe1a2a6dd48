import LoopbackServer
import Testing
import Transport

/// Responses that a proxy returns instead of the requested server.
@Suite(.timeLimit(.minutes(5))) struct ProxyRefusalTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var url: String
        var status: Int
        /// Contained in the failure; `nil` if the response is the server's own.
        var reported: String?

        var testDescription: String { "\(url), \(status)" }
    }

    private static let cases = [
        Case(url: "https://idp.example/x", status: 403, reported: "it refused to connect to idp.example (status 403)"),
        Case(
            url: "https://idp.example:8443/x",
            status: 502,
            reported: "it refused to connect to idp.example:8443 (status 502)"
        ),
        Case(
            url: "https://idp.example/x",
            status: 407,
            reported: "it requires a user name and a password (status 407)"
        ),
        Case(url: "http://idp.example/x", status: 407, reported: "it requires a user name and a password (status 407)"),
        // Over http a proxy forwards the server's response.
        Case(url: "http://idp.example/x", status: 403, reported: nil),
    ]

    @Test(arguments: cases) func `a proxy that refuses is reported as the proxy`(example: Case) async throws {
        let proxy = LoopbackServer { _ in
            LoopbackReply(example.status, [("Proxy-Authenticate", "Basic realm=\"way out\"")])
        }
        var configuration = TransportConfiguration()
        configuration.proxy = ProxySettings(https: proxy.url, http: proxy.url)
        let exchange = await HTTPClient(configuration: configuration).get(example.url)
        #expect(proxy.requests.map(\.method) == [example.url.hasPrefix("https") ? "CONNECT" : "GET"])
        guard let reported = example.reported else {
            #expect(exchange.failure == nil)
            #expect(exchange.response?.status == example.status)
            return
        }
        let failure = try #require(exchange.failure)
        #expect(failure.cause == .proxyFailed(reason: reported), "\(failure)")
        #expect(failure.step == .connecting)
        #expect(failure.description.contains("proxy error: \(reported)"), "\(failure)")
        #expect(failure.description.contains("https_proxy"), "\(failure)")
    }

    @Test(arguments: ["http://169.254.169.254/x", "https://10.0.0.1/x", "https://[fd00::1]:8443/x"])
    func `a proxy gets no request for an address that the policy refuses`(url: String) async {
        let proxy = LoopbackServer { _ in LoopbackReply(200) }
        var configuration = TransportConfiguration()
        configuration.proxy = ProxySettings(https: proxy.url, http: proxy.url)
        guard case .addressRefused? = await HTTPClient(configuration: configuration).get(url).failure?.cause else {
            Issue.record("\(url) was requested")
            return
        }
        #expect(proxy.connections == 0)
        configuration.addressPolicy.allowedHosts = [WebURL(url)?.host ?? ""]
        _ = await HTTPClient(configuration: configuration).get(url)
        #expect(proxy.connections == 1)
    }

    @Test func `a connection without a request cannot go through a proxy that is reached over TLS`() async {
        let proxy = LoopbackServer { _ in LoopbackReply(200) }
        var configuration = TransportConfiguration()
        configuration.proxy = ProxySettings(https: "https://127.0.0.1:\(proxy.port)")
        let client = HTTPClient(configuration: configuration)
        guard case .failure(let failure) = await client.connect(to: "idp.example", port: 443) else {
            Issue.record("a connection was made")
            return
        }
        #expect(failure.cause == .proxyFailed(reason: "a browser cannot use a proxy that is reached over TLS"))
        #expect(proxy.connections == 0)
    }
}
