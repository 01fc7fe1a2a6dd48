import Conformance
import JOSE
import JSONTree
import LoopbackServer
import Synchronization
import Transport

@testable import Flows

/// A small provider over plain HTTP whose answers a test may replace one by one; it closes the connection where one has none.
final class ScriptedProvider: Sendable {
    typealias Route = @Sendable (ScriptedProvider, LoopbackRequest) -> LoopbackReply?

    /// Secrets of the scenario; none of them may be found in any evidence.
    enum Canary {
        static let clientSecret = "canary-client-secret/+%"
        static let password = "canary-password&=1"
        static let code = "canary-code-0123456789"
        static let accessToken = "canary-access-token-0123456789"
        static let refreshToken = "canary-refresh-token-0123456789"
        static let cookie = "canary-cookie-0123456789"
        static let hidden = "canary-hidden-field-0123456789"
    }

    static let redirectURI = "https://rp.invalid/__/auth/handler"
    static let clientID = "client-1"

    private let routes: [String: Route]
    private let key: PrivateKey
    private let lastNonce = Mutex<String>("")
    private let server = Mutex<LoopbackServer?>(nil)

    init(_ routes: [String: Route] = [:]) throws {
        self.routes = Self.ordinary.merging(routes) { $1 }
        key = try PrivateKey.generate(.ec(.p256))
        let started = LoopbackServer { [weak self] connection in
            while let request = connection.readRequest() {
                let route = self?.routes[request.path] ?? { _, _ in LoopbackReply(404) }
                guard let self, let reply = route(self, request), connection.write(reply) else { return }
            }
        }
        server.withLock { $0 = started }
    }

    var issuer: String { server.withLock { $0?.url ?? "" } }
    var requests: [LoopbackRequest] { server.withLock { $0?.requests ?? [] } }

    func paths() -> [String] { requests.map(\.path) }

    static func json(_ text: String, _ status: Int = 200) -> LoopbackReply {
        LoopbackReply(status, [("Content-Type", "application/json")], body: Array(text.utf8))
    }

    var metadata: JSONObject {
        [
            "issuer": .string(issuer),
            "authorization_endpoint": .string(issuer + "/authorize?tenant=1"),
            "token_endpoint": .string(issuer + "/token"),
            "userinfo_endpoint": .string(issuer + "/userinfo"),
            "jwks_uri": .string(issuer + "/jwks"),
            "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        ]
    }

    /// An ID Token for the nonce of the last authorization request.
    func idToken() throws -> String {
        let nonce = lastNonce.withLock { $0 }
        let claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(Self.clientID), "sub": "1", "nonce": .string(nonce),
        ]
        let header = Base64URL.encode(Array(#"{"alg":"ES256","kid":"k"}"#.utf8))
        let signed = header + "." + Base64URL.encode(Array(claims.serialized().utf8))
        let signature = try key.signature(over: Array(signed.utf8), algorithm: .es256)
        return signed + "." + Base64URL.encode(signature)
    }

    func keySet() -> String {
        let other: JSONObject = ["kty": "EC", "crv": "P-384", "x": "AA", "y": "AA"]
        let own = key.publicKey.jwk(kid: "k").object
        return JSONObject([.init(name: "keys", value: [.object(other), .object(own)])]).serialized()
    }

    /// The redirect to the client by which a sign-in ends.
    func arrival(_ request: LoopbackRequest, parameters: String) -> LoopbackReply {
        .redirect(Self.redirectURI + parameters)
    }

    private static let ordinary: [String: Route] = [
        "/.well-known/openid-configuration": { provider, _ in json(provider.metadata.serialized()) },
        "/jwks": { provider, _ in json(provider.keySet()) },
        "/authorize": { provider, request in
            let query = FormText.parameters(request.target)
            provider.lastNonce.withLock { $0 = query["nonce"] ?? "" }
            return .redirect(
                "/login?state=" + (query["state"] ?? "") + "&type=" + (query["response_type"] ?? "none"),
                headers: [("Set-Cookie", "sid=\(Canary.cookie); Path=/")]
            )
        },
        "/login": { provider, request in
            guard request.method == "POST" else {
                let action = request.target.split(separator: "&").joined(separator: "&amp;")
                return .page(
                    """
                    <title>Sign in</title><form method="post" action="\(action)">
                    <input type="hidden" name="csrf" value="\(Canary.hidden)">
                    <input name="username"><input type="password" name="password"><button>Go</button></form>
                    """
                )
            }
            let query = FormText.parameters(request.target)
            let isRight =
                request.header("Cookie") == "sid=\(Canary.cookie)"
                && FormText.parameters("?" + request.body)
                    == ["csrf": Canary.hidden, "username": "user", "password": Canary.password]
            guard isRight else { return .page("<title>Refused</title>", status: 403) }
            let state = query["state"] ?? ""
            guard query["type"] == "code" else {
                let token = (try? provider.idToken()) ?? ""
                let access = query["type"] == "id_token" ? "" : "&access_token=\(Canary.accessToken)"
                return provider.arrival(request, parameters: "#id_token=\(token)\(access)&state=\(state)")
            }
            return provider.arrival(request, parameters: "?code=\(Canary.code)&state=\(state)")
        },
        "/token": { provider, request in
            guard request.body.contains(Canary.code) else { return json(#"{"error":"invalid_grant"}"#, 400) }
            let token = (try? provider.idToken()) ?? ""
            return json(
                #"{"access_token":"\#(Canary.accessToken)","token_type":"Bearer","expires_in":60,"#
                    + #""refresh_token":"\#(Canary.refreshToken)","id_token":"\#(token)"}"#
            )
        },
        "/userinfo": { _, request in
            request.header("Authorization") == "Bearer \(Canary.accessToken)"
                ? json(#"{"sub":"1","echo":"\#(Canary.accessToken)"}"#) : LoopbackReply(401)
        },
    ]
}

/// Just enough of form decoding for a scripted server, written apart from the code under test.
enum FormText {
    static func parameters(_ target: String) -> [String: String] {
        var result: [String: String] = [:]
        for pair in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            result[String(parts[0])] = parts.count > 1 ? decoded(parts[1]) : ""
        }
        return result
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let first = rest.popFirst() {
            if first == UInt8(ascii: "%"), let value = UInt8(String(rest.prefix(2)) ?? "", radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(first == UInt8(ascii: "+") ? UInt8(ascii: " ") : first)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension ScriptedProvider {
    func target(flows: [ResponseType] = []) -> Target {
        var target = Target(issuer: issuer)
        target.client = Client(id: Self.clientID, authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = Self.redirectURI
        target.flows = flows
        return target
    }

    /// Runs a collector against this provider.
    func collect(
        needs: Set<Need> = [.discovery],
        scenarios: [Scenario] = [],
        target: Target? = nil,
        keepsSecrets: Bool = false,
        password: String = Canary.password,
        pause: Double = 0,
        clock: RunClock = .machine,
        parameters: ProfileParameters = ProfileParameters(),
        allowedIssuers: [String] = []
    ) async -> Evidence {
        let target = target ?? self.target()
        let plan = Plan(
            target: target,
            profile: Profile(name: "p", title: "P", parameters: parameters),
            tier: .full,
            needs: needs,
            scenarios: scenarios
        )
        let secrets = Secrets(
            clientSecrets: [Self.clientID: Secret(Canary.clientSecret)],
            username: "user",
            password: Secret(password)
        )
        var options = CollectorOptions(tool: "test", keepsSecrets: keepsSecrets, clock: clock)
        options.transport.pause = pause
        options.transport.allowedIssuers = AllowedIssuers(allowedIssuers)
        return await Collector(plan: plan, secrets: secrets, options: options) { _ in }.collect()
    }
}
