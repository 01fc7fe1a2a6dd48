import Conformance
import JOSE
import JSONTree
import Synchronization
import Testing

@testable import ReferenceProvider

/// Every seam is changed once, and the change is seen from outside.
@Suite("Seams")
struct SeamTests {
    @Test("discovery and keySet change the documents")
    func documents() throws {
        let provider = try makeProvider {
            $0.discovery = { document, issuer in document["issuer"] = .string(issuer + "/") }
            $0.keySet = { $0["keys"] = [] }
        }
        var browser = MemoryBrowser(provider)
        #expect(browser.send("GET", provider.address(.discovery)).text.contains("\"https://provider.example/\""))
        #expect(browser.send("GET", provider.address(.keys)).text == "{\"keys\":[]}")
    }

    @Test("answer has the last word on every endpoint", arguments: Endpoint.allCases.filter { $0 != .userAPI })
    func answer(_ endpoint: Endpoint) throws {
        let provider = try makeProvider {
            $0.answer = { place, answer in
                guard place == endpoint else { return }
                answer.setHeader("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
            }
        }
        var browser = MemoryBrowser(provider)
        let seen = Mutex<[HTTPAnswer]>([])
        let keep = { (answer: HTTPAnswer) in seen.withLock { $0.append(answer) } }
        let routes: [Provider.Route] = [
            .discovery, .keys, .token, .userInfo, .endSession, .revocation, .introspection, .pushedRequests,
            .registration, .clientConfiguration,
        ]
        for route in routes {
            keep(browser.send("GET", provider.address(route)))
        }
        keep(browser.send("GET", "https://provider.example/nowhere"))
        keep(try browser.authorize(browser.parameters("code")))
        let answers = seen.withLock { $0 } + browser.pages
        let changed = answers.filter { $0.header("Date") == "Thu, 01 Jan 1970 00:00:00 GMT" }
        #expect(changed.count == 1)
        #expect(answers.count == 14)
    }

    @Test("acceptsRedirectURI and authorizationError decide where a request goes")
    func authorization() throws {
        let provider = try makeProvider {
            $0.acceptsRedirectURI = { asked, _ in asked.hasPrefix("https://unregistered.invalid/") }
            $0.authorizationError = { parameters, ruling in
                parameters.responseType == nil ? nil : ruling.map { OAuthError("server_error", $0.code) }
            }
        }
        var browser = MemoryBrowser(provider)
        let foreign = "https://unregistered.invalid/callback"
        let response = try browser.response(browser.parameters("id_token", ["redirect_uri": foreign, "nonce": nil]))
        #expect(response.address == foreign)
        #expect(response["error"] == "server_error")
        #expect(response["error_description"] == "invalid_request")
        let lenient = browser.parameters("code", ["redirect_uri": foreign, "response_type": nil])
        #expect(try browser.response(lenient)["code"] != nil)
    }

    @Test("authorizationResponse changes successes and errors")
    func authorizationResponse() throws {
        let provider = try makeProvider {
            $0.authorizationResponse = { response in
                response.mode = .query
                response["state"] = response.isError ? "error" : "success"
                response["iss"] = nil
            }
        }
        var browser = MemoryBrowser(provider)
        let error = try browser.response(browser.parameters("id_token", ["prompt": "none"]))
        #expect(error["state"] == "error" && !error.inFragment && error["iss"] == nil)
        #expect(try browser.response(browser.parameters("id_token"))["state"] == "success")
    }

    @Test("acceptsSecret and tokenError let a token request pass")
    func tokenRequests() throws {
        let made = [Field("grant_type", "authorization_code"), Field("code", "made-up")]
        var careless = MemoryBrowser(
            try makeProvider { $0.acceptsSecret = { _, _, method in method == .clientSecretBasic } }
        )
        let wrong = try careless.token(made, headers: [FlowTests.basic("wrong")])
        #expect(wrong.body["error"]?.stringValue == "invalid_grant")
        #expect(try careless.token(made).body["error"]?.stringValue == "invalid_client")
        var open = MemoryBrowser(
            try makeProvider { $0.tokenError = { parameters, error in parameters["code"] == "made-up" ? nil : error } }
        )
        let answered = try open.token(made, headers: [FlowTests.basic("wrong")])
        #expect(answered.answer.status == 200)
        #expect(try Decoded(answered.body["id_token"]?.stringValue).claims["nonce"] == nil)
        var teapot = MemoryBrowser(
            try makeProvider {
                $0.tokenError = { _, error in
                    var error = error
                    error?.status = 418
                    return error
                }
            }
        )
        #expect(try teapot.token(made).answer.status == 418)
    }

    @Test("tokenResponse, tokenErrorResponse and userInfo change the bodies")
    func bodies() throws {
        let provider = try makeProvider {
            $0.tokenResponse = { $0["expires_in"] = "3600" }
            $0.tokenErrorResponse = { $0["error"] = 7 }
            $0.userInfo = { $0["sub"] = "somebody else" }
        }
        var browser = MemoryBrowser(provider)
        let response = try browser.response(browser.parameters("code id_token token"))
        let body = try browser.redeem(response["code"] ?? "").body
        #expect(body["expires_in"]?.stringValue == "3600")
        #expect(try browser.redeem("made-up").body["error"]?.integerValue == 7)
        let bearer = [Field("Authorization", "Bearer " + (response["access_token"] ?? ""))]
        let claims = browser.send("GET", provider.address(.userInfo), headers: bearer)
        #expect(claims.text.contains("somebody else"))
    }

    @Test("idTokenHeader, idTokenClaims and idToken change the ID Token at their place")
    func idToken() throws {
        let provider = try makeProvider {
            $0.idTokenHeader = { header, place in header["kid"] = .string(place.rawValue) }
            $0.idTokenClaims = { claims, place in
                if place == .tokenEndpoint { claims["aud"] = "somebody" }
            }
            $0.idToken = { token, place in place == .tokenEndpoint ? token : token + "=" }
        }
        var browser = MemoryBrowser(provider)
        let response = try browser.response(browser.parameters("code id_token"))
        #expect(response["id_token"]?.hasSuffix("=") == true)
        let front = try Decoded(response["id_token"])
        #expect(front.header["kid"] == "authorization endpoint")
        #expect(front.claims["aud"] == "preflight-client")
        let back = try Decoded(try browser.redeem(response["code"] ?? "").body["id_token"]?.stringValue)
        #expect(back.header["kid"] == "token endpoint")
        #expect(back.claims["aud"] == "somebody")
    }

    @Test("signing chooses the key", arguments: [Seams.Signing.publishedKey, .unpublishedKey, .clientSecret, .none])
    func signing(_ signing: Seams.Signing) throws {
        let provider = try makeProvider { $0.signing = signing }
        var browser = MemoryBrowser(provider)
        let token = try #require(try browser.response(browser.parameters("id_token"))["id_token"])
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let signed = Array(parts[0...1].joined(separator: ".").utf8)
        let signature = try Base64URL.decode(parts[2])
        let published = try SigningKeys.published().rsa.publicKey
        let isPublished = try published.isValid(signature, over: signed, algorithm: .rs256)
        let header = try Decoded(token).header
        #expect(isPublished == (signing == .publishedKey))
        switch signing {
        case .publishedKey, .unpublishedKey:
            #expect(header["alg"] == "RS256")
            #expect(header["kid"]?.stringValue == published.thumbprint)
            #expect(signature.count == 256)
        case .clientSecret:
            #expect(header["alg"] == "HS256")
            let key = SymmetricKey(Array((RegisteredClient.confidential.secret?.reveal() ?? "").utf8))
            #expect(try key.isValid(signature, over: signed, algorithm: .hs256))
        case .none:
            #expect(header["alg"] == "none")
            #expect(signature.isEmpty)
        }
    }
}
