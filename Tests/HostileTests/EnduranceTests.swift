import Conformance
import Foundation
import LoopbackServer
import Preflight
import Synchronization
import TestSupport
import Testing
import Transport

/// Attacks that try to exhaust a run; each ends within the limits, with few requests.
@Suite(.serialized, .phase(.hostile), .timeLimit(.minutes(20))) struct EnduranceTests {
    struct Attack: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// Returns a response, or writes to the connection itself and returns nil.
        var answer: @Sendable (LoopbackRequest, LoopbackConnection, _ issuer: String) -> LoopbackReply?
        /// Limits.
        var requests: Int
    }

    private static let form =
        "<form method=post action=/login><input name=username><input type=password name=password><button>Go</button></form>"

    private static func document(_ request: LoopbackRequest, _ issuer: String) -> LoopbackReply? {
        switch request.path {
        case "/.well-known/openid-configuration":
            LoopbackReply(
                200,
                [("Content-Type", "application/json")],
                body: Array(
                    """
                    {"issuer":"\(issuer)","authorization_endpoint":"\(issuer)/authorize","token_endpoint":"\(issuer)/token",
                    "userinfo_endpoint":"\(issuer)/userinfo","jwks_uri":"\(issuer)/jwks","response_types_supported":["code"],
                    "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}
                    """
                    .utf8
                )
            )
        case "/jwks": LoopbackReply(200, [("Content-Type", "application/json")], body: Array(#"{"keys":[]}"#.utf8))
        default: nil
        }
    }

    /// A valid start, and then the same response forever.
    private static func attack(
        _ name: String,
        requests: Int = 300,
        _ answer: @escaping @Sendable (LoopbackRequest, LoopbackConnection, String) -> LoopbackReply?
    ) -> Attack {
        Attack(
            testDescription: name,
            answer: { request, connection, issuer in
                document(request, issuer) ?? answer(request, connection, issuer)
            },
            requests: requests
        )
    }

    private static let long = String(repeating: "x", count: 4_000)

    static let attacks = [
        attack("a redirect loop that grows") { request, _, issuer in
            .redirect(
                issuer + request.target + (request.target.contains("?") ? "&" : "?") + "again=" + long.prefix(500)
            )
        },
        attack("a refresh loop") { _, _, _ in .page("<meta http-equiv=refresh content='0;url=/again'>") },
        attack("a form without end") { request, _, _ in
            .page("<form method=post action='\(request.path)x'><button name=go value=1>Continue</button></form>")
        },
        attack("a cookie a page") { request, _, _ in
            .redirect(
                "/\(UInt32.random(in: 0...UInt32.max))",
                headers: (0..<15).map { _ in ("Set-Cookie", "c\(UInt32.random(in: 0...UInt32.max))=\(long)") }
            )
        },
        attack("50,000 attributes in a tag") { _, _, _ in
            .page("<p" + (0..<50_000).map { " a\($0)=1" }.joined() + ">" + form)
        },
        attack("a page of 5 MB", requests: 400) { _, _, _ in .page(form + String(repeating: "<b>x", count: 1_200_000))
        },
        attack("a body that drips", requests: 60) { _, connection, _ in
            connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n")
            while connection.write("x") { connection.pause(milliseconds: 200) }
            return nil
        },
        attack("headers that drip", requests: 60) { _, connection, _ in
            connection.write("HTTP/1.1 200 OK\r\n")
            while connection.write("X-A: b\r\n") { connection.pause(milliseconds: 200) }
            return nil
        },
        attack("429 for ever", requests: 400) { _, _, _ in LoopbackReply(429, [("Retry-After", "3600")]) },
        attack("an ID Token of 700 kB") { request, _, issuer in
            guard request.path == "/token" else {
                let state = Parameters(request.target.drop { $0 != "?" }.dropFirst())["state"] ?? ""
                return .redirect(
                    EchoProvider.redirectURI + "?code=\(UInt32.random(in: 0...UInt32.max))00000000&state=\(state)"
                )
            }
            let token = "e30." + String(repeating: "A", count: 700_000) + ".AA"
            return LoopbackReply(
                200,
                [("Content-Type", "application/json")],
                body: Array("{\"access_token\":\"\(long)\",\"token_type\":\"Bearer\",\"id_token\":\"\(token)\"}".utf8)
            )
        },
        Attack(
            testDescription: "a discovery document that arrives byte by byte",
            answer: { _, connection, _ in
                connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n")
                while connection.write(" ") { connection.pause(milliseconds: 200) }
                return nil
            },
            requests: 30
        ),
    ]

    @Test(arguments: attacks)
    func `no attack wears a run out`(attack: Attack) async throws {
        let issuer = Mutex("")
        let server = LoopbackServer { (connection: LoopbackConnection) in
            while let request = connection.readRequest() {
                guard let reply = attack.answer(request, connection, issuer.withLock { $0 }) else { return }
                guard connection.write(reply) else { return }
            }
        }
        defer { server.stop() }
        issuer.withLock { $0 = server.url }
        var target = Target(issuer: server.url)
        target.client = Client(id: EchoProvider.clientID, authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = EchoProvider.redirectURI
        target.flows = ["code"]
        var configuration = Configuration(target: target)
        configuration.signIn(as: "user", password: Secret("pass-word-0123456789"))
        configuration.takeClientSecrets { _ in Secret("client-secret-0123456789") }
        configuration.limits.seconds = 8
        // The time limit for slow responses, in seconds; a run stops after two requests without a response.
        configuration.network.totalTimeout = 0.5
        let run = try PreflightRun(
            configuration: configuration,
            profile: "openid",
            environment: Environment(
                variable: { _ in nil },
                readFile: { .failure(FileError(path: $0, reason: "no such file")) }
            )
        )
        let evidence = await run.collect { _ in }
        let report = run.judge(evidence, now: evidence.endedAt)
        let bytes = try PreflightRun.encode(evidence).count
        #expect(evidence.requests <= attack.requests, "\(evidence.requests) requests")
        #expect(evidence.signIns <= 8, "\(evidence.signIns) sign-ins")
        #expect(bytes <= 40 << 20, "\(bytes) bytes of evidence")
        #expect(report.outcome.exitCode != 0)
    }
}
