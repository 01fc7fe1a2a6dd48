import Foundation
import TestSupport
import Testing

/// Documents of `lint`: in any order, alone, and byte for byte.
@Suite("Lint", .timeLimit(.minutes(5)))
struct LintTests {
    private static let document = #"{"issuer":"https://a.example","jwks_uri":"https://a.example/k"}"#
    private static let keys = #"""
        {"keys":[{"kty":"EC","crv":"P-256","kid":"a","use":"sig","alg":"ES256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU","y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
        """#
    private static let encryptionKey = keys.replacing(
        #""use":"sig","alg":"ES256""#,
        with: #""use":"enc","alg":"ECDH-ES""#
    )
    private static let single = #"{"kty":"EC","crv":"P-256"}"#

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, text) in [
            ("d.json", document), ("k.json", keys), ("single.json", single), ("broken.json", "{"), ("jwks.json", "{"),
            ("other.json", document), ("empty.json", #"{"keys":[]}"#), ("enc.json", encryptionKey),
            ("cut.json", #"{ "keys": [{"kty""#), ("cut-jwks.json", #"{"issuer": "https://a.example", "#),
        ] {
            _ = try folder.file(name, text)
        }
        return folder
    }

    @Test(
        "the type of the documents is detected",
        arguments: [
            // The first member, else the name and the remaining place determine the type of an unreadable document.
            (["d.json", "k.json"], 1, "keys.signing-key"), (["k.json", "d.json"], 1, "discovery.token-endpoint"),
            (["k.json"], 0, "Gate open"), (["single.json"], 1, "keys.list.is-present"),
            (["empty.json"], 1, "keys.signing-key.is-present"), (["enc.json"], 1, "keys.signing-key.is-present"),
            (["d.json"], 1, "discovery.token-endpoint"), (["broken.json"], 1, "discovery.response.is-a-json-object"),
            (["jwks.json"], 1, "keys.response.is-a-json-object"),
            (["cut.json"], 1, "keys.response.is-a-json-object"),
            (["cut-jwks.json"], 1, "discovery.response.is-a-json-object"),
            (["broken.json", "d.json"], 1, "keys.response.is-a-json-object"),
            (["jwks.json", "k.json"], 1, "discovery.response.is-a-json-object"),
            (["--jwks", "k.json", "d.json"], 1, "discovery.token-endpoint"),
            (
                ["--discovery", "k.json"], 64,
                "k.json: this is a key set, not a discovery document: write --jwks k.json"
            ),
            (
                ["--jwks", "d.json"], 64,
                "d.json: this is a discovery document, not a key set: write --discovery d.json"
            ),
            (["d.json", "other.json"], 64, "other.json: this is a discovery document, and so is d.json"),
            (["d.json", "k.json", "broken.json"], 64, "broken.json: this is a discovery document, and so is d.json"),
            ([], 64, "specify a discovery document, a key set, or both"), (["-", "-"], 64, "only one document"),
            (["gone.json"], 64, "gone.json: no such file"), (["."], 64, ".: is a folder, not a file"),
            (["d.json", "--only", "idtoken"], 64, "only a run against the provider can check this"),
        ] as [([String], Int, String)]
    )
    func kinds(arguments: [String], code: Int, words: String) async throws {
        let folder = try Self.folder()
        let result = try await Program.run(["lint"] + arguments + ["--report", "text=r.txt"], in: folder.path)
        #expect(result.code == code, "\(result.output)\(result.errors)")
        let reported = result.output + result.errors + (code == 64 ? "" : try folder.read("r.txt"))
        #expect(reported.contains(words), "\(reported)")
        #expect(!result.errors.contains("Nothing was sent"))
    }

    @Test("a key set alone runs only key checks, and the report mentions no tier or run")
    func alone() async throws {
        let folder = try Self.folder()
        for arguments in [["k.json"], ["d.json"], ["d.json", "k.json"]] {
            for form in [[], ["-v"], ["--report", "markdown=-"]] {
                let reported = try await Program.run(["lint"] + arguments + form, in: folder.path).output
                for word in ["tier", "no user signed in", "collected by a version", "--only"] {
                    #expect(!reported.contains(word), "\(arguments) \(form): \(word)")
                }
                #expect(reported.contains("documents from files"), "\(reported)")
                #expect(!reported.contains("` `"), "\(reported)")
                #expect(arguments != ["k.json"] || !reported.contains(/[1-9] checks? inconclusive/), "\(reported)")
            }
        }
    }

    /// Bytes that a Swift string would not preserve.
    private static let odd: [(name: String, bytes: [UInt8])] = [
        ("one of ISO 8859-1", Array(#"{"issuer":"https://a.ex"#.utf8) + [0xE9] + Array(#"mple"}"#.utf8)),
        ("an overlong slash", Array(#"{"issuer":""#.utf8) + [0xC0, 0xAF] + Array(#""}"#.utf8)),
        ("a byte order mark", [0xEF, 0xBB, 0xBF] + Array(document.utf8)),
        ("a NUL", Array(document.utf8) + [0]), ("nothing", []),
        ("line ends of a Mac", Array("{\r\"issuer\":1\r}".utf8)),
    ]

    @Test("standard input is read byte for byte, like a file", arguments: odd.map(\.name))
    func bytes(name: String) async throws {
        let bytes = try #require(Self.odd.first { $0.name == name }).bytes
        try await Self.compare(bytes, name)
    }

    @Test("real documents have the same report from a file and from standard input")
    func corpus() async throws {
        let files = ["corpus/discovery", "corpus/jwks"]
            .flatMap { folder in
                Fixture.names(in: folder).map { "\(folder)/\($0)" }
            }
        #expect(files.count >= 80)
        for file in files { try await Self.compare(try await Fixture.bytes(file + ".gz"), file) }
    }

    private static func compare(_ bytes: [UInt8], _ name: String) async throws {
        let folder = try TemporaryFolder()
        // A name that says nothing, as none does on standard input.
        let file = folder.path + "/document"
        try Data(bytes).write(to: URL(fileURLWithPath: file))
        let named = try await Program.run(["lint", file, "-v"])
        let piped = try await Program.run(["lint", "-", "-v"], input: bytes)
        #expect(named.code == piped.code && named.output == piped.output, "\(name)\n\(named.output)\n\(piped.output)")
        #expect([0, 1, 2].contains(piped.code), "\(name): \(piped.errors)")
    }
}
