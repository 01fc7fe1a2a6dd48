import TestSupport
import Testing

/// The program behind a proxy that does not let it out.
@Suite(.phase(.programs), .timeLimit(.minutes(5))) struct ProxyTests {
    @Test func `a proxy that refuses CONNECT is the one cause`() async throws {
        // Like most servers, a provider over http takes no CONNECT.
        try await ReferenceServer.run(["--http"]) { server in
            let result = try await Program.spawn(
                ["check", "https://idp.example.test", "--tier", "static"],
                environment: ["https_proxy": server.issuer, "no_proxy": nil, "NO_PROXY": nil]
            )
            #expect(result.code == 2, "\(result.errors)")
            let reported = "proxy error: it refused to connect to idp.example.test (status "
            #expect(result.output.replacing(/\s+/, with: " ").contains(reported), "\(result.output)")
            #expect(result.output.contains("https_proxy"))
            #expect(!result.output.contains("See the server's log"))
        }
    }
}
