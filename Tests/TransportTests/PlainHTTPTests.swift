import LoopbackServer
import OtherPrograms
import Testing
import Transport

/// Exchanges over plain HTTP with a scripted server.
@Suite(.timeLimit(.minutes(5))) struct PlainHTTPTests {
    private func client(_ change: (inout TransportConfiguration) -> Void = { _ in }) -> HTTPClient {
        var configuration = TransportConfiguration()
        configuration.addressPolicy = AddressPolicy(allowedHosts: ["127.0.0.1"])
        configuration.totalTimeout = 10
        change(&configuration)
        return HTTPClient(configuration: configuration)
    }

    /// A server that reads a request, sends the bytes and closes the connection.
    private func saying(_ text: String) -> LoopbackServer {
        LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(text)
        }
    }

    @Test(arguments: ["header", "url"])
    func `a head of more than 64 KiB is refused before it is sent`(place: String) async throws {
        let server = saying("HTTP/1.1 200 Fine\r\n\r\n")
        let long = String(repeating: "x", count: 65_536)
        let request =
            place == "url"
            ? HTTPRequest(url: server.url + "/?" + long)
            : HTTPRequest(url: server.url, headers: [HTTPField(name: "Cookie", value: long)])
        let exchange = await client().send(request)
        guard case .invalidRequest(let reason) = exchange.failure?.cause else {
            Issue.record("unexpected: \(String(describing: exchange.failure))")
            return
        }
        #expect(reason.contains("65536"))
        #expect(server.connections == 0)
        let cookies = HTTPField(name: "Cookie", value: String(long.prefix(60_000)))
        let fine = HTTPRequest(url: server.url, headers: [cookies])
        #expect(await client().send(fine).failure == nil)
    }

    @Test func `an exchange is recorded with its response, timings and peer`() async throws {
        let server = saying("HTTP/1.1 200 Fine\r\nB: 2\r\na:1\r\nB:  3 \r\nContent-Type: Text/HTML; x=y\r\n\r\nhello")
        let exchange = await client()
            .send(
                HTTPRequest(url: server.url + "/path?a=b", headers: [HTTPField(name: "X-Empty", value: "")])
            )
        let response = try #require(exchange.response)
        #expect(exchange.failure == nil)
        #expect(response.status == 200)
        #expect(response.reason == "Fine")
        #expect(response.httpVersion == "1.1")
        #expect(response.headers.map(\.name) == ["B", "a", "B", "Content-Type"])
        #expect(response.headers(named: "b") == ["2", "3"])
        #expect(response.mediaType == "text/html")
        #expect(response.text == "hello")
        #expect(!response.bodyWasTruncated)
        #expect(exchange.peer == Peer(address: "127.0.0.1", port: server.port))
        #expect(exchange.timings.total >= exchange.timings.firstByte)
        #expect(exchange.timings.firstByte >= exchange.timings.connect)
        #expect(exchange.timings.connect > 0)
        #expect(exchange.startedAt > 1_700_000_000)
        #expect(exchange.tls == nil)
        let request = try #require(server.requests.first)
        #expect(request.target == "/path?a=b")
        #expect(request.header("X-Empty") == "")
        #expect(request.header("User-Agent") == "oidc-preflight")
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
    }

    @Test func `informational answers are passed over`() async {
        let server = saying("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nA: b\r\n\r\nhello")
        let exchange = await client().get(server.url)
        #expect(exchange.response?.status == 200)
        #expect(exchange.response?.headers.map(\.name) == ["A"])
    }

    @Test func `a form is posted as it is`() async {
        let server = LoopbackServer { _ in LoopbackReply(204) }
        let parameters: FormParameters = [("a b", "ä&="), ("a b", "")]
        let exchange = await client().send(.form(url: server.url, parameters))
        #expect(exchange.response?.status == 204)
        #expect(server.requests.first?.method == "POST")
        #expect(server.requests.first?.body == "a+b=%C3%A4%26%3D&a+b=")
        #expect(server.requests.first?.header("Content-Type") == "application/x-www-form-urlencoded")
        #expect(server.requests.first?.header("Expect") == nil)
    }

    @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"])
    func `any method is sent`(method: String) async {
        let server = LoopbackServer { _ in LoopbackReply(200) }
        let exchange = await client().send(HTTPRequest(method: method, url: server.url))
        #expect(exchange.response?.status == 200)
        #expect(server.requests.first?.method == method)
    }

    @Test func `a redirect is an answer like any other`() async {
        let server = LoopbackServer { _ in LoopbackReply.redirect("/elsewhere") }
        let exchange = await client().get(server.url + "/here")
        #expect(exchange.response?.status == 302)
        #expect(exchange.response?.header("location") == "/elsewhere")
        #expect(server.requests.map(\.target) == ["/here"])
    }

    @Test func `connections are used again, and many requests run at once`() async {
        let server = LoopbackServer { request in LoopbackReply(200, body: Array(request.target.utf8)) }
        let client = client { $0.longestRest = 900 }
        let first = await client.get(server.url + "/first")
        let second = await client.get(server.url + "/second")
        #expect(!first.reusedConnection)
        #expect(second.reusedConnection)
        #expect(server.connections == 1)
        let bodies = await withTaskGroup(of: String?.self) { group in
            for number in 0..<20 { group.addTask { await client.get(server.url + "/\(number)").response?.text } }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(bodies == Set((0..<20).map { "/\($0)" }))
    }

    @Test func `five megabytes end at the limit`() async {
        let server = LoopbackServer { _ in LoopbackReply(200, body: [UInt8](repeating: 65, count: 5 << 20)) }
        let exchange = await client().get(server.url)
        #expect(exchange.failure?.cause == .bodyTooLarge(limit: 2 << 20))
        #expect(exchange.response?.status == 200)
        #expect(exchange.response?.body.count == 2 << 20)
        #expect(exchange.response?.bodyWasTruncated == true)
        let large = await client { $0.bodyLimit = 6 << 20 }.get(server.url)
        #expect(large.failure == nil)
        #expect(large.response?.body.count == 5 << 20)
    }

    @Test func `an endless body ends at the limit`() async {
        let server = LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write([UInt8](repeating: 66, count: 8192)) {}
        }
        let exchange = await client().get(server.url)
        #expect(exchange.failure?.cause == .bodyTooLarge(limit: 2 << 20))
    }

    @Test func `a compressed body is bounded by what it unfolds to`() async throws {
        let bomb = try await Tool.run("head -c 20000000 /dev/zero | gzip -9 -c")
        let server = LoopbackServer { _ in LoopbackReply(200, [("Content-Encoding", "gzip")], body: bomb) }
        let exchange = await client().get(server.url)
        #expect(bomb.count < 100_000)
        #expect(exchange.failure?.cause == .bodyTooLarge(limit: 2 << 20))
        #expect(exchange.response?.body.count == 2 << 20)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n" + String(repeating: "X-Filler: 0123456789\r\n", count: 12_000) + "\r\n",
        "HTTP/1.1 200 OK\r\n"
            + String(repeating: "X-Long: " + String(repeating: "y", count: 90_000) + "\r\n", count: 3),
        "HTTP/1.1 200 OK\r\nX-Longer: " + String(repeating: "y", count: 400_000) + "\r\n\r\n",
    ])
    func `headers are bounded`(answer: String) async {
        let server = saying(answer)
        let exchange = await client().get(server.url)
        #expect(exchange.failure?.cause == .headersTooLarge(limit: 256 << 10))
    }

    @Test func `a body that breaks off is kept and called truncated`() async {
        let server = saying("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
        let exchange = await client().get(server.url)
        #expect(exchange.failure?.cause == .truncated)
        #expect(exchange.failure?.step == .reading)
        #expect(exchange.response?.text == "half")
        #expect(exchange.response?.bodyWasTruncated == true)
    }

    @Test func `a broken chunk is called truncated or lost`() async {
        let server = saying("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10\r\nhalf")
        let exchange = await client().get(server.url)
        #expect(exchange.failure != nil)
        #expect(exchange.response?.text == "half")
    }

    @Test func `a response that is not HTTP is reported as such`() async {
        let exchange = await client().get(saying("220 mail.example ESMTP\r\n").url)
        guard case .protocolViolation = exchange.failure?.cause else {
            Issue.record("unexpected: \(String(describing: exchange.failure))")
            return
        }
        let silent = await client().get(saying("").url)
        #expect(silent.failure?.cause == .closedWithoutAnswer)
    }

    @Test func `a body in a coding that it is not in is called so`() async {
        let server = saying("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nthis is not gzip at all")
        let exchange = await client().get(server.url)
        guard case .protocolViolation = exchange.failure?.cause else {
            Issue.record("unexpected: \(String(describing: exchange.failure))")
            return
        }
    }

    @Test func `a refused port names host and cause`() async {
        let server = LoopbackServer { _ in }
        let port = server.port
        server.stop()
        let exchange = await client().get("http://127.0.0.1:\(port)/")
        #expect(exchange.failure?.cause == .refused)
        #expect(exchange.failure?.step == .connecting)
        #expect(exchange.failure?.description.contains("127.0.0.1:\(port)") == true)
        #expect(exchange.failure?.description.contains("refused") == true)
        #expect(exchange.response == nil)
    }

    @Test func `a name that does not exist is called so`() async {
        let exchange = await client().get("http://does-not-exist.invalid/")
        #expect(exchange.failure?.cause == .nameNotResolved)
        #expect(exchange.failure?.host == "does-not-exist.invalid")
    }

    @Test func `a silent server runs into the time limit`() async {
        let server = LoopbackServer { connection in
            _ = connection.readRequest()
            connection.waitForClose()
        }
        let exchange = await client { $0.totalTimeout = 0.3 }.get(server.url)
        #expect(exchange.failure?.cause == .timedOut(seconds: 0.3))
        #expect(exchange.failure?.step == .waiting)
    }

    @Test func `silence on a connection used again is waiting for the answer`() async {
        let server = LoopbackServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            _ = connection.readRequest()
            connection.waitForClose()
        }
        let client = client { $0.totalTimeout = 0.4 }
        #expect(await client.get(server.url).failure == nil)
        let second = await client.get(server.url)
        #expect(second.failure?.cause == .timedOut(seconds: 0.4))
        #expect(second.failure?.step == .waiting)
        #expect(server.connections == 1)
    }

    @Test func `a proxy is used where the environment names one, never for loopback`() async {
        let proxy = LoopbackServer { _ in LoopbackReply(200, body: Array("by proxy".utf8)) }
        let server = LoopbackServer { _ in LoopbackReply(200, body: Array("direct".utf8)) }
        let client = client {
            $0.proxy = ProxySettings(http: proxy.url, excluded: ["direct.example", ".lan.example"])
            $0.resolve = [HostOverride(host: "a.lan.example", port: server.port, address: "127.0.0.1")]
            $0.addressPolicy = AddressPolicy(allowedHosts: ["127.0.0.1", "a.lan.example"])
        }
        #expect(await client.get("http://idp.example/x").response?.text == "by proxy")
        #expect(proxy.requests.map(\.target) == ["http://idp.example/x"])
        #expect(await client.get(server.url).response?.text == "direct")
        #expect(await client.get("http://a.lan.example:\(server.port)/").response?.text == "direct")
        #expect(proxy.connections == 1)
    }

    @Test func `a name is asked at another address and port, and still asked by its name`() async throws {
        let server = LoopbackServer { _ in LoopbackReply(200, body: Array("here".utf8)) }
        let override = try #require(HostOverride(connectTo: "idp.example.com:80:127.0.0.1:\(server.port)"))
        let client = client {
            $0.resolve = [override]
            $0.addressPolicy = AddressPolicy(allowedHosts: ["idp.example.com"])
        }
        #expect(await client.get("http://idp.example.com/x").response?.text == "here")
        #expect(server.requests.first?.header("Host") == "idp.example.com")
        var bound = HTTPRequest(url: "http://idp.example.com/y")
        bound.address = "127.0.0.1"
        #expect(await client.send(bound).response?.text == "here")
        #expect(server.requests.count == 2)
    }

    @Test func `a slow drip runs into the time limit and keeps what came`() async {
        let server = LoopbackServer { connection in
            _ = connection.readRequest()
            connection.write("HTTP/1.1 200 OK\r\n\r\n")
            while connection.write("x") { connection.pause(milliseconds: 50) }
        }
        let exchange = await client { $0.totalTimeout = 0.5 }.get(server.url)
        #expect(exchange.failure?.cause == .timedOut(seconds: 0.5))
        #expect(exchange.failure?.step == .reading)
        #expect(exchange.response?.body.isEmpty == false)
    }

    @Test func `cancelling the task aborts the transfer`() async {
        let hasArrived = Event()
        let server = LoopbackServer { connection in
            _ = connection.readRequest()
            hasArrived.happen()
            connection.waitForClose()
        }
        let client = client { $0.totalTimeout = 300 }
        let task = Task { await client.get(server.url) }
        await hasArrived.wait()
        task.cancel()
        #expect(await task.value.failure?.cause == .cancelled)
        let cancelledBefore = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await client.get(server.url)
        }
        #expect(await cancelledBefore.value.failure?.cause == .cancelled)
    }

    @Test func `shutting down ends what runs and what comes later`() async {
        let hasArrived = Event()
        let server = LoopbackServer { connection in
            _ = connection.readRequest()
            hasArrived.happen()
            connection.waitForClose()
        }
        let client = client()
        let task = Task { await client.get(server.url) }
        await hasArrived.wait()
        client.shutdown()
        #expect(await task.value.failure?.cause == .cancelled)
        #expect(await client.get(server.url).failure?.cause == .cancelled)
    }

    @Test(arguments: [
        ("ftp://example.com/", TransportFailure.Cause.schemeRefused(scheme: "ftp")),
        ("file:///etc/passwd", .schemeRefused(scheme: "file")),
    ])
    func `other schemes are refused`(url: String, cause: TransportFailure.Cause) async {
        #expect(await client().get(url).failure?.cause == cause)
    }

    @Test(arguments: ["", "nonsense", "http://", "http://user:password@127.0.0.1/", "http://127.0.0.1:99999/"])
    func `a URL that cannot be used is refused`(url: String) async {
        guard case .invalidURL = await client().get(url).failure?.cause else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func `a line break in a header is refused`() async {
        let request = HTTPRequest(
            url: "http://127.0.0.1:1/",
            headers: [HTTPField(name: "A", value: "b\r\nInjected: c")]
        )
        guard case .invalidRequest = await client().send(request).failure?.cause else {
            Issue.record("it was not refused")
            return
        }
    }

    @Test func `a host name that leads into the own network is refused at its address`() async {
        let server = LoopbackServer { _ in LoopbackReply(200) }
        let override = HostOverride(host: "idp.example.com", port: server.port, address: "127.0.0.1")
        let url = "http://idp.example.com:\(server.port)/"
        let refused = await client { $0.resolve = [override] }.get(url)
        #expect(refused.failure?.cause == .addressRefused(address: "127.0.0.1", rule: "a loopback address"))
        #expect(server.connections == 0)
        let allowed = await client {
            $0.resolve = [override]
            $0.addressPolicy = AddressPolicy(allowedHosts: ["IDP.example.com"])
        }
        .get(url)
        #expect(allowed.response?.status == 200)
    }

    @Test func `an address in the URL is checked as well`() async {
        let policy = AddressPolicy(allowedHosts: ["idp.example.com"])
        for host in ["127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "169.254.169.254", "2130706433"] {
            let exchange = await client { $0.addressPolicy = policy }.get("http://\(host):9/")
            guard case .addressRefused = exchange.failure?.cause else {
                Issue.record("\(host): \(String(describing: exchange.failure))")
                continue
            }
        }
    }
}
