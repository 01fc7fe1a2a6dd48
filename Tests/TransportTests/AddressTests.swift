import LoopbackServer
import Testing

@testable import Transport

/// The addresses of a host, and requests to one of them.
@Suite(.timeLimit(.minutes(5))) struct AddressTests {
    private func client(_ change: (inout TransportConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = TransportConfiguration(proxy: ProxySettings())
        configuration.addressPolicy = AddressPolicy(allowedHosts: ["127.0.0.1", "idp.example.com"])
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    @Test(arguments: [
        "http://127.0.0.1:1", "http://localhost", "https://[::1]/", "https://192.0.2.7/a", "http://[2001:db8::1]",
    ])
    func `an address, and this machine, have no addresses to choose from`(url: String) async throws {
        #expect(await client().addresses(of: try #require(WebURL(url))) == .itself)
    }

    @Test func `overrides take the place of the name service, in a fixed order`() async throws {
        let client = client {
            $0.resolve = [
                "idp.example.com:443:[2001:db8::2],192.0.2.9", "idp.example.com:443:192.0.2.10",
                "idp.example.com:80:192.0.2.1",
            ]
            .compactMap { HostOverride($0) }
        }
        let found = await client.addresses(of: try #require(WebURL("https://IDP.example.com/x")))
        #expect(found == .known(["192.0.2.10", "192.0.2.9", "2001:db8::2"]))
    }

    @Test func `behind a proxy nothing is known`() async throws {
        let client = client { $0.proxy = ProxySettings(https: "http://proxy.invalid:3128") }
        guard case .unknown(let why) = await client.addresses(of: try #require(WebURL("https://idp.example.com")))
        else {
            Issue.record("the addresses behind a proxy are not ours to know")
            return
        }
        #expect(why.contains("proxy"))
    }

    @Test func `a name that does not resolve has no addresses`() async throws {
        // RFC 6761 section 6.4: it never exists.
        guard case .unknown = await client().addresses(of: try #require(WebURL("https://nowhere.invalid"))) else {
            Issue.record("a name that cannot exist was found")
            return
        }
    }

    @Test func `the name service resolves a name`() async {
        let found = await AddressLookup.lookUp("localhost", seconds: 10)
        #expect(found.contains("127.0.0.1") || found.contains("::1"), "\(found)")
    }

    @Test func `to this machine there is a route, to no address none`() {
        #expect(AddressLookup.hasRoute(to: "127.0.0.1"))
        #expect(!AddressLookup.hasRoute(to: "not an address"))
    }

    @Test func `a request goes to the address it names, and keeps the name of the host`() async {
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        let client = client {
            // No server is at this address: the client must connect to another one.
            $0.resolve = [HostOverride(host: "idp.example.com", port: server.port, address: "192.0.2.1")]
        }
        var request = HTTPRequest(url: "http://idp.example.com:\(server.port)/path")
        request.address = "127.0.0.1"
        let exchange = await client.send(request)
        #expect(exchange.response?.status == 204)
        #expect(exchange.peer == Peer(address: "127.0.0.1", port: server.port))
        #expect(server.requests.first?.header("Host") == "idp.example.com:\(server.port)")
    }

    @Test func `the address policy applies to an address that is named`() async {
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        var request = HTTPRequest(url: "http://elsewhere.example:\(server.port)/")
        request.address = "127.0.0.1"
        let exchange = await client().send(request)
        guard case .addressRefused = exchange.failure?.cause else {
            Issue.record("unexpected: \(String(describing: exchange.failure))")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        arguments: [(HTTPRequest.Agent.own, "oidc-preflight"), (.other("Mozilla/5.0"), "Mozilla/5.0"), (.none, nil)]
            as [(HTTPRequest.Agent, String?)]
    )
    func `the agent is named as asked`(agent: HTTPRequest.Agent, expected: String?) async {
        let server = LoopbackServer { (_: LoopbackRequest) in LoopbackReply(204) }
        var request = HTTPRequest(url: server.url)
        request.agent = agent
        _ = await client().send(request)
        #expect(server.requests.count == 1)
        #expect(server.requests.first?.header("User-Agent") == expected)
    }
}
