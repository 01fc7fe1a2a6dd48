import Foundation
import JSONTree
import Testing

/// Checks without a run: documents from files and single tokens.
@Suite("Documents and tokens from files", .timeLimit(.minutes(5)))
struct OfflineTests {
    @Test("lint reports findings before deployment")
    func lint() async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let metadata = try await server.fetch("/.well-known/openid-configuration")
            let document = try folder.file("discovery.json", metadata)
            let keys = try folder.file("keys.json", try await server.fetch("/keys"))
            let broken = try folder.file("broken.json", "{\"issuer\":")
            let cases: [(arguments: [String], code: Int, words: String)] = [
                (["--discovery", document], 0, "Gate open"),
                (["--discovery", document, "--jwks", keys, "--issuer", server.issuer], 0, "Gate open"),
                (["--discovery", document, "--issuer", server.issuer + "/"], 1, "discovery.issuer.matches-request"),
                (["--discovery", document, "--profile", "openid,firebase-oidc"], 0, "Gate open for both platforms"),
                (
                    ["--discovery", broken, "--profile", "openid,firebase-oidc"], 1,
                    "Gate closed for both platforms"
                ),
                (["--discovery", broken], 1, "discovery.response.is-a-json-object"),
                (["--discovery", document, "--jwks", broken], 1, "keys.response.is-a-json-object"),
                (["--discovery", folder.path], 64, "is a folder"),
                (["--discovery", "-", "--jwks", "-"], 64, "only one document"),
            ]
            for (arguments, code, words) in cases {
                let result = try await Program.run(["lint"] + arguments + ["--report", "text=-"])
                #expect(result.code == code, "\(arguments) \(result.errors)")
                #expect((result.output + result.errors).contains(words), "\(arguments)")
            }
            let piped = try await Program.run(["lint", "--discovery", "-", "--report", "json=-"], input: metadata)
            #expect(piped.code == 0, "\(piped.errors)")
            let attempted = try JSONDocument.parse(piped.output).root["coverage"]?["notAttempted"]?.integerValue
            #expect((attempted ?? 0) > 0, "what only an answer shows is counted as not attempted")
        }
    }

    @Test("token checks one ID Token")
    func token() async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let evidence = folder.path + "/evidence.json"
            _ = try await server.check(["--save-evidence", evidence, "--save-evidence-with-secrets"])
            let match = try folder.read("evidence.json").firstMatch(of: /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/)
            let compact = try #require(match.map { String($0.output) })
            let token = try folder.file("token.txt", compact + "\n")
            let keys = try folder.file("keys.json", try await server.fetch("/keys"))
            let garbage = try folder.file("garbage.txt", "garbage")
            let empty = try folder.file("empty.txt", "\n")
            let parts = compact.split(separator: ".")
            let header = Data(#"{"alg":"HS256","typ":"JWT"}"#.utf8).base64EncodedString()
                .replacing("=", with: "")
            let symmetric = try folder.file("hs.txt", "\(header).\(parts[1]).\(parts[2])")
            let mine = ["--client-id", "preflight-client"]
            let address = server.issuer + "/keys"
            let cases: [(file: String, keys: String, arguments: [String], code: Int, words: String)] = [
                (token, keys, mine, 0, "Gate open"),
                (token, address, mine + ["--ca-file", server.authority], 0, "Gate open"),
                (token, address, mine, 2, "not trusted"),
                (token, address + "-gone", mine + ["--ca-file", server.authority], 2, "404"),
                (token, keys, mine + ["--at", "2099-01-01T00:00:00Z"], 1, "idtoken.exp.is-in-the-future"),
                (token, keys, mine + ["--nonce", "another"], 1, "idtoken.nonce.is-echoed"),
                (
                    token, keys, mine + ["--profile", "firebase-microsoft", "--verbose"], 1,
                    "platform.microsoft.id-token.iss-is-the-tenants"
                ),
                (
                    token, keys, mine + ["--profile", "firebase-oidc", "-v"], 0,
                    "platform.id-token.algorithm-is-accepted"
                ),
                (token, keys, mine + ["--profile", "openid,kubernetes"], 0, "Gate open for both platforms"),
                (token, keys, ["--client-id", "somebody"], 1, "idtoken.aud.holds-client"),
                (symmetric, keys, mine, 2, "--client-secret-file"),
                (garbage, keys, mine, 1, "idtoken.form.has-three-parts"),
                (empty, keys, mine, 64, "no token"),
                (token, keys, mine + ["--at", "tomorrow"], 64, "--at"),
                (token, folder.path, mine, 64, "is a folder"),
            ]
            for (file, keys, arguments, code, words) in cases {
                let result = try await Program.run(
                    ["token", file, "--jwks", keys, "--issuer", server.issuer, "--report", "text=-"] + arguments
                )
                #expect(result.code == code, "\(words): \(result.output)\(result.errors)")
                let reported = (result.output + result.errors).replacing(/\s+/, with: " ")
                #expect(reported.contains(words), "\(words): \(result.output)")
                #expect(!result.output.contains(compact), "the token itself is never shown")
            }
            let piped = try await Program.run(
                ["token", "-", "--jwks", keys, "--issuer", server.issuer, "--report", "text=-"] + mine,
                input: compact
            )
            #expect(piped.code == 0, "\(piped.output)")
        }
    }
}
