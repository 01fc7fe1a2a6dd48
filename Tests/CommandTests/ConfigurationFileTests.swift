import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The configuration's file as a user handles it: written by init or provider, kept in a folder, filled in or not.
@Suite("Configuration files", .timeLimit(.minutes(5)))
struct ConfigurationFileTests {
    @Test("paths in a file are relative to it, whatever the working folder")
    func relative() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/conf", withIntermediateDirectories: false)
        let text = """
            issuer: https://127.0.0.1:1
            profile: mine.yaml
            client: { id: c, secret: { file: secrets/client.txt } }
            network: { ca_file: ca.pem }

            """
        _ = try folder.file("conf/preflight.yaml", text)
        for (there, words) in [
            ("conf/ca.pem", "conf/preflight.yaml:4:21: cannot read the file of certificate authorities conf/ca.pem"),
            (
                "conf/secrets",
                "conf/preflight.yaml:3:34: cannot read the secret: conf/secrets/client.txt: no such file"
            ),
            ("conf/mine.yaml", "conf/mine.yaml: cannot read the profile: no such file"),
        ] {
            for name in ["ca.pem", "mine.yaml", "secrets"] where "conf/" + name != there {
                let path = folder.path + "/conf/" + name
                try? FileManager.default.removeItem(atPath: path)
                switch name {
                case "ca.pem": _ = try folder.file("conf/ca.pem", "-----BEGIN CERTIFICATE-----\n")
                case "mine.yaml": _ = try folder.file("conf/mine.yaml", "name: mine\ntitle: Mine\nextends: openid\n")
                default:
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                    _ = try folder.file("conf/secrets/client.txt", "s")
                }
            }
            try? FileManager.default.removeItem(atPath: folder.path + "/" + there)
            let result = try await Program.run(["check", "--config", "conf/preflight.yaml"], in: folder.path)
            #expect(result.code == 64 && result.errors.contains(words), "\(result.errors)")
        }
    }

    @Test(
        "init says that the issuer of the document must equal the given one",
        arguments: [("/", "Both must be equal: change issuer in the file, or the document."), ("", nil)]
            as [(String, String?)]
    )
    func anotherIssuer(end: String, words: String?) async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            defer { withExtendedLifetime(folder) {} }
            let issuer = server.issuer + end
            let made = try await Program.run(["init", issuer, "--ca-file", server.authority], in: folder.path)
            #expect(made.code == 0, "\(made.errors)")
            #expect(made.errors.contains("Both must be equal") == (words != nil), "\(made.errors)")
            if let words { #expect(made.errors.contains(words), "\(made.errors)") }
        }
    }

    @Test("init writes one flow and lists the others, and check rejects unfilled placeholders")
    func placeholders() async throws {
        try await ReferenceServer.run { server in
            let folder = try TemporaryFolder()
            let made = try await Program.run(
                ["init", server.issuer, "--ca-file", server.authority],
                in: folder.path
            )
            #expect(made.code == 0, "\(made.errors)")
            let text = try folder.read("preflight.yaml")
            #expect(text.contains("\nflows: [code]\n# Further flows"), "\(text)")
            #expect(text.contains("\n# flows: [code, id_token, id_token token, code id_token"), "\(text)")
            let lines = text.components(separatedBy: "\n")
            let variables = ["OIDC_PASSWORD": "x", "OIDC_CLIENT_SECRET": "y"]
            let result = try await Program.run(["check"], environment: variables, in: folder.path)
            #expect(result.code == 64 && result.errors.contains("Nothing was sent."), "\(result.errors)")
            for (key, what) in [
                ("  id:", "the client ID"), ("redirect_uri:", "the redirect URI"),
                ("  username:", "the user name of"),
            ] {
                let line = try #require(lines.firstIndex { $0.hasPrefix(key) }) + 1
                let reported = result.errors.components(separatedBy: "\n")
                    .first { $0.hasPrefix("preflight.yaml:\(line):") }
                #expect(reported?.contains("of init: enter \(what)") == true, "\(result.errors)")
            }
            // A plan sends nothing, and works before the file is filled in.
            #expect(try await Program.run(["plan"], in: folder.path).code == 0)
        }
    }

    @Test("two findings caused by one wrong line are reported with that line once")
    func oneLine() async throws {
        try await ReferenceServer.run { server in
            let wrong = try server.read("preflight.yaml").replacing("__/auth/handler", with: "__/auth/other")
            let file = try server.write("wrong.yaml", wrong)
            let result = try await server.check(configuration: file)
            #expect(result.code == 1, "\(result.output)")
            let text = result.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            let line = "also platform.registration.redirect-uri-is-the-platforms, below, concerns the same line"
            #expect(text.contains(line), "\(result.output)")
            // A cause that no rule of the platform is about has nothing beside it.
            let unknown = try server.read("preflight.yaml").replacing("preflight-client", with: "nobody")
            let other = try await server.check(configuration: try server.write("unknown.yaml", unknown))
            #expect(!other.output.contains("concerns the same line"), "\(other.output)")
        }
    }

    @Test("init writes no file without a discovery document, so that it can be run again")
    func nothing() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run(["init", "https://127.0.0.1:1"], in: folder.path)
        #expect(result.code == 2 && result.errors.contains("Nothing was written"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    private static let suffix = "/.well-known/openid-configuration"

    @Test("init names the issuer to use where no discovery document is found", arguments: ["/app", suffix])
    func otherIssuer(path: String) async throws {
        try await ReferenceServer.run { server in
            let files = ["--ca-file", server.authority, "--output", server.folder + "/new.yaml"]
            let result = try await Program.run(["init", server.issuer + path] + files, in: server.folder)
            #expect(result.code == 2 && result.errors.contains(path + Self.suffix), "\(result.errors)")
            #expect(result.errors.contains("Use “\(server.issuer)” as the issuer"), "\(result.errors)")
        }
    }
}

/// Authorities that are named from the working folder, which a process has one of.
@Suite("Written configuration files", .phase(.programs), .timeLimit(.minutes(5)))
struct WrittenConfigurationTests {
    @Test("files written by provider and init for another folder work from any folder")
    func written() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path + "/a", withIntermediateDirectories: false)
        let arguments = [
            "provider", "--config-out", "a/b/p.yaml", "--ca-out", "ca.pem", "--persona", "assertion-client",
        ]
        _ = try await OtherProgram.beside(Program.path, arguments, in: folder.path) { running in
            defer { running.send(SIGTERM) }
            var issuer = ""
            for await line in running.lines {
                if line.hasPrefix("issuer") { issuer = line.split(separator: " ").last.map(String.init) ?? "" }
                if line.contains("Press Ctrl-C to stop.") { break }
            }
            let words = ["init", issuer, "--ca-file", "ca.pem", "--output", "a/c/p.yaml"]
            let made = try await Program.spawn(words, in: folder.path)
            #expect(made.code == 0, "\(made.errors)")
            let filled = try folder.read("a/c/p.yaml")
                .replacing(/CHANGE-ME(.example.com\S*)?/, with: "https://b.example/cb")
                .replacing("private_key: { file: client-key.pem }", with: "private_key: { file: ../b/client-key.pem }")
            _ = try folder.file("a/c/p.yaml", filled.replacing("https://https://", with: "https://"))
            for (file, place) in [("a/b/p.yaml", ""), ("p.yaml", "/a/b"), ("../b/p.yaml", "/a/c"), ("a/c/p.yaml", "")] {
                let result = try await Program.spawn(
                    ["check", "--config", file, "--tier", "static", "-q"],
                    environment: ["OIDC_PASSWORD": "x", "OIDC_CLIENT_SECRET": "y"],
                    in: folder.path + place
                )
                #expect(result.code == 0, "\(file): \(result.output)\(result.errors)")
            }
        }
    }
}
