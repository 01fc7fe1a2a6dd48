import Foundation
import JSONTree
import Testing

/// Whole runs against the reference provider as another process.
@Suite("StepResults", .timeLimit(.minutes(5)))
struct RunModelTests {
    private static let texts = ["r.json", "r.xml", "r.md", "r.txt"]

    @Test("no secret, code or token is in a report, the log or the evidence")
    func canary() async throws {
        // The faults make the reports quote the exchanges that tokens were in.
        let faults = ["idtoken.aud.holds-client", "token.token-type.is-bearer", "userinfo.sub.matches-id-token"]
        try await ReferenceServer.run(faults.flatMap { ["--fault", $0] }) { server in
            let plain = try await server.check(
                ["--save-evidence", server.folder + "/evidence.json"],
                forms: ReferenceServer.allForms
            )
            #expect(plain.code == 1, "\(plain.errors)")
            let credentials = [server.secret, server.password]
            let kept =
                try (Self.texts + ["r.html", "r.har"]).map(server.read) + [
                    server.read("evidence.json"), plain.output, plain.errors,
                ]
            for text in kept {
                for secret in credentials { expectAbsent(secret, in: text) }
                #expect(text.firstMatch(of: /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{40,}/) == nil, "a signed token")
            }
            let open = try await server.check(
                ["--save-evidence", server.folder + "/open.json", "--save-evidence-with-secrets"],
                forms: ReferenceServer.allForms
            )
            let evidence = try server.read("open.json")
            let issued = issuedSecrets(evidence)
            #expect(issued.count > 10, "codes and tokens are in evidence saved with secrets")
            for text in [open.output, open.errors] {
                for secret in issued { expectAbsent(secret, in: text) }
            }
            for text in try (Self.texts + ["r.html", "r.har"]).map(server.read) + [open.output, open.errors] {
                for secret in credentials { expectAbsent(secret, in: text) }
            }
            for secret in credentials { expectAbsent(secret, in: evidence) }
        }
    }

    @Test("saved evidence has the same result as the run, and another one with another profile")
    func judging() async throws {
        try await ReferenceServer.run(["--fault", "idtoken.aud.holds-client"]) { server in
            let run = try await server.check(["--save-evidence", server.folder + "/evidence.json"], forms: ["json"])
            let again = try await Program.run([
                "judge", server.folder + "/evidence.json", "--report", "json=-",
            ])
            #expect(run.code == 1)
            #expect(again.code == 1)
            #expect(
                try server.read("r.json").trimmingCharacters(in: .newlines)
                    == again.output.trimmingCharacters(in: .newlines)
            )
            let other = try await Program.run([
                "judge", server.folder + "/evidence.json", "--profile", "openid", "--report", "json=-",
            ])
            let profile = try JSONDocument.parse(other.output).root["profile"]?["name"]?.stringValue
            #expect(profile == "openid")
            let newer = try server.write(
                "newer.json",
                server.read("evidence.json").replacing("\"format\" : 3", with: "\"format\" : 999")
            )
            let refused = try await Program.run(["judge", newer])
            #expect(refused.code == 64)
            #expect(refused.errors.contains("format 999"), "\(refused.errors)")
        }
    }

    @Test("a fault closes the gate in every format, and JUnit counts what the gate counts")
    func closing() async throws {
        let id = "idtoken.aud.holds-client"
        try await ReferenceServer.run(["--fault", id]) { server in
            let result = try await server.check(forms: ["json", "junit", "markdown", "text"])
            #expect(result.code == 1)
            let root = try JSONDocument.parse(try server.read("r.json")).root
            let entries = try #require(root["entries"]?.arrayValue)
            let closing = entries.filter { $0["closesGate"]?.boolValue == true }
            #expect(closing.contains { $0["id"]?.stringValue == id })
            for name in Self.texts {
                let text = try server.read(name)
                for entry in closing { #expect(text.contains(entry["id"]?.stringValue ?? "?"), "\(name)") }
            }
            let junit = try server.read("r.xml")
            let blocking = entries.filter { $0["blocksOpening"]?.boolValue == true }
            #expect(junit.matches(of: /<failure[ >]/).count == closing.count)
            // Unselected checks have no case.
            let left = ["excused", "notApplicable", "notAttempted"]
            let judged = entries.count { !left.contains($0["verdict"]?.stringValue ?? "") }
            #expect(junit.matches(of: /<testcase[ >]/).count == judged)
            let head = try #require(junit.firstMatch(of: /<testsuites [^>]*>/)).output
            #expect(head.contains("tests=\"\(judged)\""))
            #expect(head.contains("failures=\"\(closing.count)\""))
            #expect(head.contains("errors=\"\(blocking.count)\""))
        }
    }

    @Test("a waiver opens the gate until its day is over", arguments: [("2999-12-31", 0), ("2020-02-29", 1)])
    func waivers(until: String, code: Int) async throws {
        let id = "keys.response.content-type-is-json"
        try await ReferenceServer.run(["--fault", id]) { server in
            let text = try server.read("preflight.yaml")
            let file = try server.write(
                "waived.yaml",
                text + "waivers:\n  - { check: \(id), because: a proxy in the test, until: \(until) }\n"
            )
            let result = try await server.check(
                ["--only", "keys.*", "--fail-on", "warning"],
                forms: ["text"],
                configuration: file
            )
            #expect(result.code == code, "\(result.errors)")
            let report = try server.read("r.txt")
            let words = code == 0 ? "a proxy in the test, until \(until)" : "expired on \(until)"
            #expect(report.replacing(/\s+/, with: " ").contains(words), "\(report)")
            #expect(report.replacing(/\s+/, with: "").contains("waived.yaml:"))
        }
    }

    @Test("check reads the file of init")
    func initial() async throws {
        try await ReferenceServer.run { server in
            let file = server.folder + "/written.yaml"
            let written = try await Program.run([
                "init", server.issuer, "--ca-file", server.authority, "--profile", "firebase-oidc", "--output", file,
            ])
            #expect(written.code == 0, "\(written.errors)")
            // Filled in, as a user does.
            let text = try server.read("written.yaml").replacing("CHANGE-ME", with: "mine")
            _ = try server.write("written.yaml", text)
            let result = try await server.check(["--tier", "static"], configuration: file)
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            let again = try await Program.run(["init", server.issuer, "--output", file])
            #expect(again.code == 64)
            #expect(again.errors.contains("never overwritten"))
        }
    }

    @Test("the configuration of a provider can be run as it is, with the key of a client that signs")
    func signingClient() async throws {
        try await ReferenceServer.run(["--persona", "assertion-client"]) { server in
            let result = try await server.check()
            #expect(result.code == 0, "\(result.output)\(result.errors)")
            #expect(try server.read("client-key.pem").contains("PRIVATE KEY"))
        }
    }

}

/// Codes and tokens that the evidence contains on request.
private func issuedSecrets(_ evidence: String) -> [String] {
    var found: Set<String> = []
    for match in evidence.matches(of: /eyJ[\w-]+\.[\w-]+\.[\w-]+/) { found.insert(String(match.output)) }
    for match in evidence.matches(of: /\b(?:access_token|refresh_token|code)(?:=|\\?" ?: ?\\?")([\w-]{30,})/) {
        found.insert(String(match.output.1))
    }
    return found.sorted()
}

/// Neither as it is, nor percent-encoded, nor in either alphabet of base64.
private func expectAbsent(_ secret: String, in text: String, location: SourceLocation = #_sourceLocation) {
    let encoded = Data(secret.utf8).base64EncodedString()
    let forms = [
        secret, secret.replacing(" ", with: "%20"), secret.replacing(" ", with: "+"),
        encoded.trimmingCharacters(in: ["="]),
        encoded.replacing("+", with: "-").replacing("/", with: "_").trimmingCharacters(in: ["="]),
    ]
    let isAbsent = !forms.contains { text.contains($0) }
    #expect(isAbsent, "a secret of \(secret.count) characters is in the text", sourceLocation: location)
}
