import Synchronization
import Testing
import Transport

/// The patterns of `--allow-issuer`.
@Suite(.timeLimit(.minutes(5))) struct AllowedIssuersTests {
    @Test(
        arguments: [
            // A URL: the issuer byte by byte, and requests to its scheme, host and port.
            ("https://idp.example.com", "https://idp.example.com", true),
            ("https://idp.example.com", "https://idp.example.com/", false),
            ("https://idp.example.com", "https://idp.example.com/realm", false),
            ("https://idp.example.com/realm", "https://idp.example.com/realm", true),
            ("https://idp.example.com/realm", "https://idp.example.com/realm/../other", false),
            ("https://idp.example.com", "https://IDP.example.com", false),
            ("https://idp.example.com", "http://idp.example.com", false),
            ("http://127.0.0.1:5556/dex", "http://127.0.0.1:5556/dex", true),
            // A host: every issuer there, over https or on loopback.
            ("idp.example.com", "https://idp.example.com/realm", true),
            ("idp.example.com", "https://IDP.example.com", true),
            ("idp.example.com", "https://idp.example.com:443", true),
            ("idp.example.com", "https://idp.example.com:8443", false),
            ("idp.example.com:8443", "https://idp.example.com:8443", true),
            ("idp.example.com:8443", "https://idp.example.com", false),
            ("idp.example.com", "http://idp.example.com", false),
            ("idp.example.com", "https://idp.example.com.evil.example", false),
            ("idp.example.com", "https://idp.example.com@evil.example", false),
            ("idp.example.com", "https://evil.example/idp.example.com", false),
            ("localhost:8080", "http://localhost:8080", true),
            ("[::1]:8080", "http://[::1]:8080", true),
            // The hosts below a domain, over https.
            ("*.example.com", "https://idp.example.com", true), ("*.example.com", "https://a.b.example.com", true),
            ("*.example.com", "https://example.com", false), ("*.example.com", "https://evilexample.com", false),
            ("*.example.com", "https://a.example.com:8443", false),
            ("*.example.com:8443", "https://a.example.com:8443", true),
            ("*.example.com", "http://a.example.com", false),
        ]
    )
    func `a pattern names issuers`(pattern: String, issuer: String, isNamed: Bool) throws {
        let allowed = try #require(AllowedIssuers([pattern]))
        #expect(allowed.names(issuer: issuer) == isNamed)
    }

    @Test(
        arguments: [
            ("https://idp.example.com/realm", "https://idp.example.com/token", true),
            ("https://idp.example.com", "https://idp.example.com:8443/token", false),
            ("https://idp.example.com", "http://idp.example.com/token", false),
            ("https://idp.example.com", "https://api.example.com/token", false),
            ("*.example.com", "https://api.example.com/token", true),
        ]
    )
    func `a request may go to the hosts of a pattern`(pattern: String, url: String, isAllowed: Bool) throws {
        let allowed = try #require(AllowedIssuers([pattern]))
        #expect(allowed.allows(try #require(WebURL(url))) == isAllowed)
    }

    @Test(
        arguments: [
            "", "*", "*.com", "*.1.2.3.4", "a.*.example.com", "https://*.example.com",
            "https://user:pass@idp.example.com",
            "ftp://idp.example.com", "idp.example.com/realm", "idp.example.com:0x1", "user@idp.example.com", "a b",
            "https://idp.example.com a", "*.*.example.com", "**.example.com", "//idp.example.com",
        ]
    )
    func `any other text is no pattern`(text: String) throws {
        #expect(IssuerPattern(text) == nil)
        // And allows nothing, should it get here.
        #expect(AllowedIssuers([text])?.names(issuer: "https://idp.example.com") == false)
    }

    @Test func `without patterns every issuer is allowed`() { #expect(AllowedIssuers([]) == nil) }

    @Test(
        arguments: [
            (true, "https://other.example", true), (false, "https://other.example", false),
            (false, "https://idp.example.com", true),
        ]
    )
    func `the client sends other hosts public requests alone`(isPublic: Bool, origin: String, isSent: Bool) async {
        let sent = Mutex(0)
        var configuration = TransportConfiguration()
        configuration.allowedIssuers = AllowedIssuers(["https://idp.example.com"])
        let way = HTTPSenderFactory.inMemory(["https://idp.example.com", "https://other.example"]) { _ in
            sent.withLock { $0 += 1 }
            return HTTPResponse(status: 200)
        }
        let client = HTTPClient(configuration: configuration, over: way)
        var request = HTTPRequest(url: origin + "/document")
        request.isPublic = isPublic
        let exchange = await client.send(request)
        #expect(exchange.failure?.cause == (isSent ? nil : .hostNotAllowed))
        #expect(sent.withLock { $0 } == (isSent ? 1 : 0))
    }
}
