import Foundation
import LoopbackServer
import Synchronization

/// A provider that repeats every known secret in every response, in every spelling and every place for a text.
final class EchoProvider: Sendable {
    /// The secrets that must not be in any output of a run.
    enum Canary: String, CaseIterable {
        case clientSecret = "Canary-client+secret/%41&\"<é>1"
        case password = "Canary password&=+\\u0041;\"1"
        case code = "Canary.Code~0123456789_abc-DEF"
        case accessToken = "Canary.AccessToken-0123456789/xyz+Q=="
        case refreshToken = "Canary-refresh-token-0123456789"
        case cookie = "Canary-Session_Cookie-0123456789-a.b"
    }

    /// The places of a response that can contain a text.
    enum Place: String, CaseIterable {
        case header, fileName, cookieName, challenge, jsonDescription, jsonName, jsonTokenType, claim, userInfo
        case redirectParameter, redirectPath, htmlTitle, htmlText, htmlAlert, htmlLabel, formAction, discovery, keySet
    }

    static let redirectURI = "https://rp.invalid/cb"
    static let clientID = "client-1"

    private let count = Mutex(0)
    private let places = Mutex<Set<Place>>([])
    private let nonce = Mutex("")
    /// Secrets that the run was given or has sent; before that, the run cannot know them.
    private let known = Mutex<Set<Canary>>([.clientSecret, .password])
    private let server = Mutex<LoopbackServer?>(nil)
    /// Whether the documents repeat secrets too, which the provider must have stored, because document requests contain none.
    private let isSound: Bool

    /// The places without secrets.
    private let silent: Set<Place>
    /// Whether it rejects every sign-in.
    private let refuses: Bool

    init(isSound: Bool = false, silent: Set<Place> = [], refuses: Bool = false) {
        self.refuses = refuses
        self.isSound = isSound
        self.silent = silent
        let started = LoopbackServer { [weak self] (request: LoopbackRequest) in
            self?.answer(request) ?? LoopbackReply(500)
        }
        server.withLock { $0 = started }
    }

    var issuer: String { server.withLock { $0?.url ?? "" } }
    var requests: Int { server.withLock { $0?.requests.count ?? 0 } }
    var reported: Set<Place> { places.withLock { $0 } }

    /// All secrets in all spellings that the place allows, starting with a different one in each response.
    ///
    /// So a secret that is truncated in one response is the first in another.
    private func echo(_ place: Place, allowing isAllowed: (String) -> Bool = { _ in true }, most: Int = .max) -> String
    {
        let known = known.withLock { $0 }
        // Documents are requested without credentials first, and then again.
        if isSound || silent.contains(place) || (known.count < 6 && [.discovery, .keySet].contains(place)) {
            return "nothing"
        }
        places.withLock { _ = $0.insert(place) }
        let all = Canary.allCases.filter(known.contains)
            .flatMap { secret in Spelling.allCases.map { $0.write(secret.rawValue) } }
            .filter(isAllowed)
        let first = count.withLock { count in
            count += 1
            return count * 7 % all.count
        }
        return (all[first...] + all[..<first]).prefix(most).joined(separator: " , ")
    }

    private static func isOfURL(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}# &".utf8.contains($0) }
    }

    private static func isOfField(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x3B }
    }

    private static func isOfJSON(_ text: String) -> Bool {
        (try? JSONSerialization.jsonObject(with: Data("[\"\(text)\"]".utf8))) != nil
    }

    private static func isOfHTML(_ text: String) -> Bool { !text.contains("<") && !text.contains("\"") }

    private func headers(_ type: String) -> [(String, String)] {
        [
            ("Content-Type", type), ("X-Echo", echo(.header, allowing: Self.isOfField)),
            ("Content-Disposition", "attachment; filename=\"\(echo(.fileName, allowing: Self.isOfURL, most: 20))\""),
            (
                "WWW-Authenticate",
                "Bearer error=\"invalid_token\", error_description=\"\(echo(.challenge, allowing: Self.isOfURL))\""
            ),
        ]
    }

    private func document(_ text: String) -> LoopbackReply {
        if silent.contains(.discovery) {
            return LoopbackReply(200, [("Content-Type", "application/json")], body: Array(text.utf8))
        }
        return json(text)
    }

    private func json(_ text: String, _ status: Int = 200) -> LoopbackReply {
        LoopbackReply(status, headers("application/json"), body: Array(text.utf8))
    }

    private func description(_ place: Place) -> String { echo(place, allowing: Self.isOfJSON) }

    private func error(_ code: String, _ status: Int) -> LoopbackReply {
        json(
            "{\"error\":\"\(code)\",\"error_description\":\"\(description(.jsonDescription))\","
                + "\"\(description(.jsonName))\":\"x\"}",
            status
        )
    }

    private func page(_ body: String, _ status: Int = 200, _ headers: [(String, String)] = []) -> LoopbackReply {
        let html =
            "<!DOCTYPE html><title>\(echo(.htmlTitle, allowing: Self.isOfHTML))</title>"
            + "<div role=\"alert\">\(echo(.htmlAlert, allowing: Self.isOfHTML))</div>\(body)"
            + "<p>\(echo(.htmlText, allowing: Self.isOfHTML))</p>"
        return LoopbackReply(status, self.headers("text/html; charset=utf-8") + headers, body: Array(html.utf8))
    }

    private func redirect(_ location: String, _ headers: [(String, String)] = []) -> LoopbackReply {
        LoopbackReply(302, self.headers("text/plain") + [("Location", location)] + headers)
    }

    private func answer(_ request: LoopbackRequest) -> LoopbackReply {
        let query = Parameters(request.target.drop { $0 != "?" }.dropFirst())
        switch request.path {
        case "/.well-known/openid-configuration": return document(metadata)
        case "/jwks":
            return document(
                "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"1\",\"note\":\"\(description(.keySet))\",\"n\":\"AQAB\",\"e\":\"AQAB\"}]}"
            )
        case "/authorize": return authorize(query)
        case let path where path.hasPrefix("/login"): return logIn(request, query)
        case "/token": return token(Parameters(request.body[...]))
        case "/userinfo":
            let isRight = request.header("Authorization") == "Bearer \(Canary.accessToken.rawValue)"
            return isRight
                ? json("{\"sub\":\"1\",\"name\":\"\(description(.userInfo))\"}") : error("invalid_token", 401)
        default: return error("not_found", 404)
        }
    }

    private var metadata: String {
        """
        {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",
        "userinfo_endpoint":"\(issuer)/userinfo","jwks_uri":"\(issuer)/jwks","response_types_supported":["code"],
        "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"],
        "scopes_supported":["openid","profile","email","offline_access"],"claims_supported":["sub"],
        "service_documentation":"\(description(.discovery))","code_challenge_methods_supported":["S256"],
        "token_endpoint_auth_methods_supported":["client_secret_basic","client_secret_post"]}
        """
    }

    private func authorize(_ query: Parameters) -> LoopbackReply {
        nonce.withLock { $0 = query["nonce"] ?? "" }
        let isFine =
            query["client_id"] == Self.clientID && query["redirect_uri"] == Self.redirectURI
            && query["response_type"] == "code"
            && query["prompt"] != "none"
        if isFine {
            let name = echo(.cookieName, allowing: { $0.utf8.allSatisfy(\.isLetterOrDigit) }, most: 1)
            known.withLock { _ = $0.insert(.cookie) }
            return redirect(
                "\(issuer)/login/\(echo(.redirectPath, allowing: Self.isOfURL, most: 5).replacing(" ", with: ""))?state="
                    + (query["state"] ?? ""),
                [("Set-Cookie", "sid=\(Canary.cookie.rawValue); Path=/"), ("Set-Cookie", "\(name)=1")]
            )
        }
        guard query["redirect_uri"] == Self.redirectURI else { return page("no such redirect URI", 400) }
        let words = echo(.redirectParameter, allowing: Self.isOfURL).replacing(" ", with: "+")
        return redirect(
            Self.redirectURI + "?error=invalid_request&error_description=\(words)&state=" + (query["state"] ?? "")
        )
    }

    private func logIn(_ request: LoopbackRequest, _ query: Parameters) -> LoopbackReply {
        let isRight = Parameters(request.body[...])["password"] == Canary.password.rawValue
        guard request.method == "POST", isRight, !refuses else {
            let action = echo(.formAction, allowing: Self.isOfURL, most: 3).replacing(" ", with: "")
            return page(
                "<form method=post action=\"/login/\(action)?state=\(query["state"] ?? "")\">"
                    + "<label>\(echo(.htmlLabel, allowing: Self.isOfHTML))<input name=username></label>"
                    + "<input type=password name=password><button>Sign in</button></form>"
            )
        }
        known.withLock { _ = $0.insert(.code) }
        return redirect(
            Self.redirectURI + "?code=\(Spelling.percent.write(Canary.code.rawValue))&state=\(query["state"] ?? "")"
        )
    }

    private func token(_ body: Parameters) -> LoopbackReply {
        guard body["code"] == Canary.code.rawValue || body["refresh_token"] == Canary.refreshToken.rawValue else {
            return error("invalid_grant", 400)
        }
        known.withLock { $0.formUnion([.accessToken, .refreshToken]) }
        let now = Int(Date().timeIntervalSince1970)
        let claims =
            "{\"iss\":\"\(issuer)\",\"aud\":\"\(Self.clientID)\",\"sub\":\"1\",\"iat\":\(now),\"exp\":\(now + 600),"
            + "\"nonce\":\"\(nonce.withLock { $0 })\",\"name\":\"\(description(.claim))\"}"
        let idToken = [#"{"alg":"RS256","kid":"1"}"#, claims, "signature"]
            .map {
                Data($0.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                    .replacing("=", with: "")
            }
            .joined(separator: ".")
        return json(
            "{\"access_token\":\"\(Canary.accessToken.rawValue)\",\"refresh_token\":\"\(Canary.refreshToken.rawValue)\","
                + "\"token_type\":\"\(description(.jsonTokenType))\",\"expires_in\":60,\"id_token\":\"\(idToken)\"}"
        )
    }
}

/// Minimal form decoding for tests, independent of the code under test.
struct Parameters {
    private var values: [String: String] = [:]

    init(_ text: Substring) {
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
                .map { $0.replacing("+", with: " ").removingPercentEncoding ?? "" }
            if let name = parts.first { values[name] = parts.count > 1 ? parts[1] : "" }
        }
    }

    subscript(name: String) -> String? { values[name] }
}
