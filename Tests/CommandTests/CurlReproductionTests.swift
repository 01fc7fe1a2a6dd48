import Foundation
import JSONTree
import OtherPrograms
import TestSupport
import Testing

/// `oidc-preflight curl`: what it prints shows the finding again, by the programs sh and curl.
@Suite("The command curl, run against faults", .phase(.programs), .timeLimit(.minutes(5)))
struct CurlReproductionTests {
    struct Fault: Sendable {
        var id: String
        /// The text of the response with the fault.
        var shows = ""
        /// The text without the fault.
        var lacks = "no such text"
        /// The least number of requests.
        var steps = 1
    }

    private static let faults = [
        Fault(
            id: "discovery.subject-types-supported.is-present",
            shows: "\"issuer\"",
            lacks: "subject_types_supported"
        ),
        Fault(id: "discovery.cache-control.is-present", shows: "HTTP/1.1 200", lacks: "Cache-Control"),
        Fault(id: "keys.response.content-type-is-json", shows: "Content-Type: text/html"),
        Fault(id: "token.error.content-type-is-json", shows: "Content-Type: text/html"),
        Fault(id: "authorization.error.is-redirected", shows: "HTTP/1.1 400"),
        Fault(id: "authorization.client-id.unknown-is-not-redirected", shows: "error=unauthorized_client"),
        Fault(id: "authorization.pushed-request.has-201", shows: "HTTP/1.1 200"),
        Fault(id: "authorization.pushed-request.no-credentials-is-refused", shows: "\"request_uri\""),
        Fault(id: "authorization.display.page-is-accepted", shows: "error=invalid_request"),
        Fault(id: "idtoken.aud.holds-client", shows: "\"id_token\""),
        Fault(id: "introspection.no-credentials.is-refused", shows: "\"active\":true"),
        Fault(id: "token.wrong-secret.has-invalid-client", shows: "unauthorized_client"),
        Fault(id: "token.code.reuse-revokes-tokens", shows: "HTTP/1.1 200", steps: 3),
    ]

    /// The report lists unsafe findings first.
    private static let first = "authorization.client-id.unknown-is-not-redirected"

    @Test("the printed commands reproduce thirteen faults, with fresh codes and tokens where needed")
    func reproduces() async throws {
        try await ReferenceServer.run(Self.faults.flatMap { ["--fault", $0.id] }) { server in
            let evidence = server.folder + "/run.json"
            let run = try await server.check(["--save-evidence", evidence, "--profile", "openid"])
            #expect(run.code == 1, "\(run.errors)")
            let reported = run.output.replacing(/\n\s*/, with: " ")
            #expect(
                reported.contains("repeat the request: oidc-preflight curl \(Self.first) --evidence \(evidence)"),
                "\(run.output)"
            )
            let credentials = Data("preflight-client:\(server.secret)".utf8).base64EncodedString()
            var environment: [String: String?] = [
                "OIDC_CREDENTIALS": credentials, "OIDC_CA_FILE": server.authority, "OIDC_COOKIE": "",
                "OIDC_BOGUS_CODE": "made-up", "OIDC_BOGUS_CODE_VERIFIER": String(repeating: "a", count: 43),
                "OIDC_BOGUS_CREDENTIALS": Data("preflight-client:wrong-on-purpose".utf8).base64EncodedString(),
            ]
            for fault in Self.faults {
                let printed = try await Program.run([
                    "curl", fault.id, "--evidence", evidence, "--number", "1", "--profile", "openid",
                ])
                #expect(printed.code == 0, "\(fault.id): \(printed.errors)")
                #expect(!printed.output.contains(server.secret))
                let lines = printed.output.split(separator: "\n").map(String.init)
                let commands = lines.filter { $0.hasPrefix("curl ") }
                #expect(lines.allSatisfy { $0.hasPrefix("#") || $0.hasPrefix("curl ") })
                #expect(lines.last == commands.last && commands.count >= fault.steps, "\(fault.id): \(printed.output)")
                // Every variable of a command is explained.
                for match in commands.joined(separator: "\n").matches(of: /"\$(OIDC_[A-Z_]+)|: \$(OIDC_[A-Z_]+)"/) {
                    let name = match.output.1 ?? match.output.2 ?? ""
                    #expect(lines.contains { $0.hasPrefix("#   \(name) ") }, "\(fault.id): \(name)")
                }
                if lines.contains(where: { $0.hasPrefix(Self.signInURL) }) {
                    environment["OIDC_CODE"] = try await Self.code(lines, server)
                    let verifier = try #require(lines.first { $0.hasPrefix("#   OIDC_CODE_VERIFIER ") })
                    environment["OIDC_CODE_VERIFIER"] = String(verifier.split(separator: " ")[2].dropLast())
                }
                var shown = ""
                for command in commands {
                    let answer = try await OtherProgram.run("sh", input: command, environment: environment)
                    #expect(answer.isSuccess, "\(fault.id): \(answer.errors)")
                    shown = answer.text
                    // The tokens of a step are those of the next.
                    let tokens = try? JSONDocument.parse(shown.components(separatedBy: "\r\n\r\n").last ?? "").root
                    if let token = tokens?["access_token"]?.stringValue {
                        environment["OIDC_ACCESS_TOKEN"] = token
                        environment["OIDC_TOKEN"] = token
                    }
                    if fault.id == "idtoken.aud.holds-client" {
                        #expect(try Self.claims(tokens?["id_token"]?.stringValue)["aud"] == "account")
                    }
                }
                #expect(shown.contains(fault.shows), "\(fault.id): \(shown.prefix(600))")
                #expect(!shown.contains(fault.lacks), "\(fault.id)")
            }
        }
    }

    private static let signInURL = "# Sign-in URL: "

    /// A code from a sign-in at the URL in the text.
    private static func code(_ lines: [String], _ server: ReferenceServer) async throws -> String {
        let address = try #require(lines.first { $0.hasPrefix(signInURL) }).dropFirst(signInURL.count)
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("sign_in.py")
            .path
        let arguments = [script, server.authority, String(address), server.username, server.password]
        let answer = try await OtherProgram.run("python3", arguments)
        try #require(answer.isSuccess, "\(answer.errors.suffix(600))")
        return answer.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func claims(_ token: String?) throws -> JSON {
        let part = String(try #require(token?.split(separator: ".").dropFirst().first))
        let base64 = part.replacing("-", with: "+").replacing("_", with: "/")
        let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
        let bytes = try #require(Data(base64Encoded: padded))
        return try JSONDocument.parse(Array(bytes)).root
    }

    @Test("the command contains --resolve or --connect-to if the run used it")
    func route() async throws {
        try await ReferenceServer.run(["--fault", "keys.response.content-type-is-json", "--http"]) { server in
            let port = try #require(URL(string: server.issuer)?.port)
            let evidence = server.folder + "/run.json"
            let run = try await Program.run([
                "check", "http://provider.internal:\(port)", "--resolve", "provider.internal:\(port):127.0.0.1",
                "--tier",
                "static", "--save-evidence", evidence, "-q",
            ])
            #expect([1, 2].contains(run.code), "\(run.errors)")
            let printed = try await Program.run(["curl", "discovery.issuer.matches-request", "--evidence", evidence])
            #expect(
                printed.output.contains("--resolve 'provider.internal:\(port):127.0.0.1'"),
                "\(printed.output)\(printed.errors)"
            )
            #expect(!printed.output.contains("--cacert"))
            let shown = try await OtherProgram.run("sh", input: printed.output)
            #expect(shown.text.contains("\"issuer\":\"http://127.0.0.1:\(port)\""), "\(shown.words)")
        }
    }
}
