import LoopbackServer
import TestSupport
import Testing
import Transport

@testable import Browsing

/// The proxy of a browser, asked by a client of raw bytes.
@Suite("The browser's proxy", .timeLimit(.minutes(5)))
struct BrowserGateTests {
    /// Runs a body beside a proxy.
    private static func beside<Value>(
        _ configuration: TransportConfiguration = .with { _ in },
        unreachable: Set<String> = [],
        _ body: (BrowserGate) async throws -> Value
    ) async throws -> Value {
        let gate = try await BrowserGate.open(configuration, timeout: 20, unreachable: unreachable)
        do {
            let value = try await body(gate)
            await gate.stop()
            return value
        } catch {
            await gate.stop()
            throw error
        }
    }

    private static func connect(_ authority: String) -> String {
        "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\r\n"
    }

    private static let inside = [
        "127.0.0.1:PORT", "localhost:PORT", "2130706433:PORT", "0x7f000001:PORT", "0177.0.0.1:PORT", "127.1:PORT",
        "[::1]:443", "[::ffff:127.0.0.1]:PORT", "[64:ff9b::7f00:1]:443", "10.77.255.1:443", "192.168.0.1:80",
        "169.254.169.254:80", "[fd00::1]:443", "inner.example:443", "rebound.example:443",
    ]

    @Test("a request to a refused address gets 403, whether by redirect, frame or script", arguments: inside)
    func refused(authority: String) async throws {
        let canary = LoopbackServer { _ in .page("inside") }
        let authority = authority.replacing("PORT", with: "\(canary.port)")
        let names = ["inner.example:443:10.1.2.3", "rebound.example:443:127.0.0.1:\(canary.port)"]
        try await Self.beside(
            .with {
                $0.resolve = [HostOverride(names[0]), HostOverride(connectTo: names[1])].compactMap(\.self)
            }
        ) { gate in
            for request in [
                Self.connect(authority), "GET http://\(authority)/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            ] {
                let isByName = authority.hasPrefix("inner") || authority.hasPrefix("rebound")
                if isByName, request.hasPrefix("GET") { continue }
                let reply = try await RawClient.talk(gate.port, request, endsSending: true)
                #expect(reply.statuses == [403], "\(reply.text)")
                #expect(!reply.text.contains("inside"))
            }
            let causes = gate.failures.values.map(\.cause)
            #expect(!causes.isEmpty)
            for cause in causes {
                guard case .addressRefused = cause else {
                    Issue.record("\(cause)")
                    continue
                }
            }
        }
        #expect(canary.connections == 0)
    }

    @Test(
        "a target that is not a host and a port gets 400",
        arguments: ["op.example", "op.example:0", "op.example:65536", "u@op.example:443", "op.example/a:443", ":443"]
    )
    func malformed(authority: String) async throws {
        try await Self.beside { gate in
            let reply = try await RawClient.talk(gate.port, Self.connect(authority), endsSending: true)
            #expect(reply.statuses == [400], "\(reply.text)")
        }
    }

    @Test("a redirect URI gets no connection, and that is no refusal of the address policy")
    func redirectURI() async throws {
        let client = LoopbackServer { _ in .page("the client") }
        let place = "127.0.0.1:\(client.port)"
        try await Self.beside(.with { $0.addressPolicy.allowedHosts = ["127.0.0.1"] }, unreachable: [place]) { gate in
            let get = "GET http://\(place)/cb HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            for request in [Self.connect(place), get] {
                let reply = try await RawClient.talk(gate.port, request, endsSending: true)
                #expect(reply.statuses == [403])
            }
            #expect(gate.failures.isEmpty)
        }
        #expect(client.connections == 0)
    }

    @Test("an http request in absolute form reaches its server by the path, without the fields of the connection")
    func forwarded() async throws {
        let server = LoopbackServer { _ in
            LoopbackReply(
                201,
                [
                    ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), ("Keep-Alive", "timeout=5"),
                    ("Proxy-Status", "forged"),
                ],
                body: Array("made".utf8)
            )
        }
        let place = "op.example:\(server.port)"
        let request = """
            POST http://\(place)/a?b=c HTTP/1.1\r\nHost: other.example\r\nContent-Length: 3\r\nProxy-Connection: keep-alive\r\n\
            User-Agent: Browser/1\r\nConnection: close\r\n\r\nx=y
            """
        let reply = try await Self.beside(.with { $0.resolve = Self.leading(place) }) {
            try await RawClient.talk($0.port, request)
        }
        #expect(reply.statuses == [201])
        #expect(reply.text.hasSuffix("\r\n\r\nmade"))
        #expect(reply.text.contains("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n"))
        for field in ["Keep-Alive", "Proxy-Status"] { #expect(!reply.text.contains(field)) }
        let received = try #require(server.requests.first)
        #expect(received.method == "POST" && received.target == "/a?b=c" && received.body == "x=y")
        #expect(received.header("Host") == place)
        #expect(received.header("User-Agent") == "Browser/1")
        #expect(received.header("Proxy-Connection") == nil)
    }

    /// Leads a place to this machine.
    private static func leading(_ place: String) -> [HostOverride] {
        [HostOverride(place + ":127.0.0.1")].compactMap(\.self)
    }

    @Test("a request to the proxy itself is rejected, so that it does not call itself")
    func itself() async throws {
        try await Self.beside(.with { $0.addressPolicy.allowedHosts = ["127.0.0.1"] }) { gate in
            let own = "127.0.0.1:\(gate.port)"
            for target in ["/", "http://\(own)/", "https://\(own)/"] {
                let request = "GET \(target) HTTP/1.1\r\nHost: \(own)\r\nConnection: close\r\n\r\n"
                let reply = try await RawClient.talk(gate.port, request)
                #expect(reply.statuses == [400])
            }
        }
    }

    @Test("bytes pass in both directions, and the end of one side does not end the other")
    func tunnel() async throws {
        let count = 4 << 20
        let server = LoopbackServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
            connection.write([UInt8](repeating: 0x61, count: count))
        }
        let place = "op.example:\(server.port)"
        let reply = try await Self.beside(.with { $0.resolve = Self.leading(place) }) { gate in
            // The request within the tunnel may come with the one that opens it.
            try await RawClient.talk(
                gate.port,
                Self.connect(place) + "GET /within HTTP/1.1\r\nHost: a\r\n\r\n",
                endsSending: true,
                timeLimit: 50
            )
        }
        #expect(reply.statuses == [200])
        #expect(reply.end == .closed)
        let body = reply.bytes.firstRange(of: Array("\r\n\r\n".utf8)).map { reply.bytes[$0.upperBound...] } ?? []
        #expect(body.count == count && body.allSatisfy { $0 == 0x61 })
        #expect(server.requests.map(\.target) == ["/within"])
    }

    @Test("a connection that a name is moved to is made there, with `--connect-to`")
    func moved() async throws {
        let server = LoopbackServer { _ in .page("moved") }
        let entry = HostOverride(connectTo: "op.example:443:127.0.0.1:\(server.port)")
        let text = Self.connect("op.example:443") + "GET / HTTP/1.1\r\nHost: op.example\r\n\r\n"
        let reply = try await Self.beside(.with { $0.resolve = [entry].compactMap(\.self) }) {
            try await RawClient.talk($0.port, text, endsSending: true)
        }
        #expect(reply.statuses == [200, 200] && reply.text.hasSuffix("moved"))
    }

    @Test("the user's own proxy is used, and gets no private address")
    func chained() async throws {
        let proxy = LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 Go on\r\n\r\n")
            _ = connection.readRequest()
            connection.write("behind the proxy")
        }
        try await Self.beside(.with { $0.proxy = ProxySettings(https: proxy.url) }) { gate in
            let text = Self.connect("site.example:443") + "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            let reply = try await RawClient.talk(gate.port, text, endsSending: true)
            #expect(reply.text.hasSuffix("behind the proxy"), "\(reply.text)")
            let refused = try await RawClient.talk(gate.port, Self.connect("169.254.169.254:80"), endsSending: true)
            #expect(refused.statuses == [403])
        }
        #expect(proxy.requests.map(\.target) == ["site.example:443", "/"])
    }

    @Test("a head of more than 64 KiB is rejected, and more connections than a browser needs are closed")
    func bounded() async throws {
        try await Self.beside { gate in
            let head = "CONNECT op.example:443 HTTP/1.1\r\nX: " + String(repeating: "a", count: 65_536)
            let reply = try await RawClient.talk(gate.port, head)
            #expect(reply.statuses == [431])
        }
        try await Self.beside { gate in
            let open = try (0..<BrowserGate.mostConnections).map { _ in try RawClient(port: gate.port) }
            defer { for client in open { client.close() } }
            let reply = try await RawClient.talk(gate.port, Self.connect("op.example:0"))
            #expect(reply.bytes.isEmpty && reply.end != .silence)
        }
    }

    @Test("the end of the proxy ends its connections")
    func stopped() async throws {
        let server = LoopbackServer { $0.waitForClose() }
        let place = "op.example:\(server.port)"
        let client = try await Self.beside(.with { $0.resolve = Self.leading(place) }) { gate in
            let client = try RawClient(port: gate.port)
            client.send(Self.connect(place))
            let answer = try await RawClient.onThread { client.receive { $0.suffix(4) == Array("\r\n\r\n".utf8)[...] } }
            #expect(answer.statuses == [200])
            return client
        }
        defer { client.close() }
        #expect(try await RawClient.onThread { client.receive() }.end != .silence)
    }
}

extension TransportConfiguration {
    /// A configuration without proxies that allows private addresses of op.example.
    fileprivate static func with(_ change: (inout TransportConfiguration) -> Void) -> TransportConfiguration {
        var configuration = TransportConfiguration(proxy: ProxySettings())
        configuration.addressPolicy.allowedHosts = ["op.example"]
        change(&configuration)
        return configuration
    }
}
