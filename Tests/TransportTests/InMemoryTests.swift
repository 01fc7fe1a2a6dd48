import OtherPrograms
import Synchronization
import Testing
import Transport

/// Requests to an application in this process are limited and counted like those over a socket.
@Suite(.timeLimit(.minutes(5))) struct InMemoryTests {
    private static let issuer = "https://idp.example.com"

    private static func client(
        limits: RunLimits? = nil,
        bodyLimit: Int = 1 << 20,
        seconds: Double = 30,
        _ application: @escaping InMemorySender.Application
    ) -> HTTPClient {
        var configuration = TransportConfiguration(userAgent: "oidc-preflight/test")
        configuration.limits = limits
        configuration.bodyLimit = bodyLimit
        configuration.totalTimeout = seconds
        return HTTPClient(configuration: configuration, over: .inMemory([issuer], application))
    }

    @Test func `the application gets the request as a server would, and its answer comes back`() async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        let client = Self.client { request in
            seen.withLock { $0 = request }
            let cookies = ["a=1", "b=2"].map { HTTPField(name: "Set-Cookie", value: " \($0) ") }
            return HTTPResponse(status: 302, headers: cookies + [HTTPField(name: "Location", value: "/next")])
        }
        let sent = HTTPRequest.form(
            url: "\(Self.issuer)/sign-in?x=1",
            FormParameters(parsing: "name=alice&word=a%26b"),
            headers: [HTTPField(name: "Cookie", value: "s=1")]
        )
        let exchange = await client.send(sent)
        let request = try #require(seen.withLock { $0 })
        #expect(request.method == "POST")
        #expect(request.url == "https://idp.example.com/sign-in?x=1")
        #expect(request.body.map { String(decoding: $0, as: UTF8.self) } == "name=alice&word=a%26b")
        let fields = Dictionary(request.headers.map { ($0.name, $0.value) }) { $1 }
        #expect(
            fields == [
                "Host": "idp.example.com", "Cookie": "s=1", "Content-Type": "application/x-www-form-urlencoded",
                "User-Agent": "oidc-preflight/test", "Accept": "*/*", "Accept-Encoding": "identity",
                "Content-Length": "21",
            ]
        )
        // A redirect is a response like any other.
        #expect(exchange.failure == nil)
        #expect(exchange.response?.status == 302)
        #expect(exchange.response?.headers(named: "set-cookie") == ["a=1", "b=2"])
        // The request is recorded unchanged, without data about a connection.
        #expect(exchange.request == sent)
        #expect(exchange.peer == nil && exchange.tls == nil && !exchange.reusedConnection)
        #expect(exchange.timings.total > 0)
    }

    @Test(
        arguments: [
            (HTTPResponse(status: 42), "the status is 42"),
            (HTTPResponse(status: 200, headers: [HTTPField(name: "A b", value: "")]), "invalid characters"),
            (
                HTTPResponse(status: 200, headers: [HTTPField(name: "Location", value: "/\r\nSet-Cookie: a=1")]),
                "the header Location has a line break"
            ),
            (HTTPResponse(status: 200, headers: [HTTPField(name: "Content-Encoding", value: "gzip")]), "coded as gzip"),
            (
                HTTPResponse(status: 200, headers: [HTTPField(name: "Content-Length", value: "7")], body: [1, 2]),
                "Content-Length says 7, and the body has 2 bytes"
            ),
        ]
    )
    func `an answer that could not be sent is a failure`(_ answer: HTTPResponse, _ words: String) async {
        let exchange = await Self.client { _ in answer }.get(Self.issuer)
        #expect(exchange.response == nil)
        let message = exchange.failure.map(String.init(describing:)) ?? ""
        #expect(message.contains(words), "\(message)")
    }

    @Test(
        arguments: [
            ("https://keys.example.com/jwks", "serves only https://idp.example.com"),
            // Another scheme is another server.
            ("http://idp.example.com/", "serves only https://idp.example.com"),
            ("https://idp.example.com:8443/", "serves only https://idp.example.com"),
            ("ftp://idp.example.com/", "the scheme ftp"), ("https://user@idp.example.com/", "carries a user name"),
        ]
    )
    func `nothing reaches the application that is not for it`(_ url: String, _ words: String) async {
        let exchange =
            await Self.client { _ in
                Issue.record("\(url) reached the application")
                return HTTPResponse(status: 200)
            }
            .get(url)
        let message = exchange.failure.map(String.init(describing:)) ?? ""
        #expect(message.contains(words), "\(message)")
    }

    @Test func `a body ends with the answers that have none, and at the limit`() async {
        let client = Self.client(bodyLimit: 3) { request in
            HTTPResponse(status: request.url.hasSuffix("204") ? 204 : 200, body: Array("body".utf8))
        }
        #expect(await client.send(HTTPRequest(method: "HEAD", url: Self.issuer)).response?.body == [])
        #expect(await client.get(Self.issuer + "/204").response?.body == [])
        let long = await client.get(Self.issuer)
        #expect(long.response?.text == "bod")
        #expect(long.response?.bodyWasTruncated == true)
        #expect(long.failure?.cause == .bodyTooLarge(limit: 3))
    }

    private struct Fault: Error {}

    /// Ignores the cancellation of its task.
    private static func never() async -> HTTPResponse {
        await Event().wait()
        return HTTPResponse(status: 200)
    }

    @Test func `an application that throws has lost the connection`() async {
        let exchange = await Self.client { _ in throw Fault() }.get(Self.issuer)
        #expect(exchange.failure?.cause == .connectionLost(reason: "the application threw Fault()"))
    }

    @Test func `an application that does not end is waited for no longer than a server, and counted as one`() async {
        let client = Self.client(limits: RunLimits(requests: 4), seconds: 0.05) { _ in await Self.never() }
        #expect(await client.get(Self.issuer + "/slow").failure?.cause == .timedOut(seconds: 0.05))
        #expect(await client.get(Self.issuer + "/slow").failure?.cause == .timedOut(seconds: 0.05))
        let third = await client.get(Self.issuer + "/slow").failure?.cause
        // Nothing else has responded, so the provider gets no more requests.
        #expect(third == .limitReached(.provider(after: "GET https://idp.example.com/slow")))
        #expect(client.limitsReached == [.provider(after: "GET https://idp.example.com/slow")])
    }

    @Test func `requests and bytes are counted`() async {
        let client = Self.client(limits: RunLimits(requests: 2, bytes: 100)) { _ in HTTPResponse(status: 200) }
        for _ in 0..<2 { #expect(await client.get(Self.issuer).failure == nil) }
        #expect(await client.get(Self.issuer).failure?.cause == .limitReached(.requests(2)))
    }

    @Test func `a task that is cancelled and a client that is shut down do not wait`() async {
        let hasBegun = AsyncStream<Void>.makeStream()
        let client = Self.client { _ in
            hasBegun.continuation.yield()
            return await Self.never()
        }
        var begun = hasBegun.stream.makeAsyncIterator()
        let first = Task { await client.get(Self.issuer) }
        await begun.next()
        first.cancel()
        #expect(await first.value.failure?.cause == .cancelled)
        let second = Task { await client.get(Self.issuer) }
        await begun.next()
        client.shutdown()
        #expect(await second.value.failure?.cause == .cancelled)
        #expect(await client.get(Self.issuer).failure?.cause == .cancelled)
    }

    @Test func `nothing is said of addresses`() async throws {
        let client = Self.client { _ in HTTPResponse(status: 200) }
        #expect(await client.addresses(of: try #require(WebURL(Self.issuer))) == .itself)
    }
}
