import Foundation
import Testing

/// The output of `token`, and the sources of its secrets.
@Suite("Token", .timeLimit(.minutes(5)))
struct TokenTests {
    private static let header = #"{"alg":"HS256","typ":"JWT"}"#
    private static let claims = #"""
        {"iss":"https://a.example","sub":"u","aud":"c","iat":1763800000,"exp":1763803600,"auth_time":1763799000,\#
        "at_hash":"bogus"}
        """#
    private static let secret = "a-secret-of-thirty-two-characters"

    private static func encoded(_ text: String) -> String { encoded(Data(text.utf8)) }
    private static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Its signature was made by `openssl dgst -sha256 -hmac`.
    private static let token = encoded(header) + "." + encoded(claims) + ".gVYO0cZrOYk3Xv-cedmU85CYqLf7xpiF5SVKu2YQ1Zg"

    private static func run(
        _ token: String,
        _ arguments: [String] = [],
        at moment: String? = "2025-11-22T08:30:00Z",
        environment: [String: String?] = [:],
        files: [String: String] = [:],
        input: String = ""
    ) async throws -> Program.Result {
        let folder = try TemporaryFolder()
        _ = try folder.file("t.txt", token)
        _ = try folder.file("k.json", #"{"keys":[]}"#)
        for (name, text) in files { _ = try folder.file(name, text) }
        let words = ["token", "t.txt", "--jwks", "k.json", "--issuer", "https://a.example", "--client-id", "c"]
        return try await Program.run(
            words + (moment.map { ["--at", $0] } ?? []) + arguments,
            environment: environment,
            input: input,
            in: folder.path
        )
    }

    @Test("header, claims and times with their date come first; the signature never")
    func decoded() async throws {
        let token = Self.token
        let result = try await Self.run(token)
        let parts = result.output.components(separatedBy: "\n")
        #expect(parts.prefix(2) == ["header", "  {"], "\(result.output)")
        let start = try #require(result.output.firstRange(of: "claims\n"))
        let end = try #require(result.output.firstRange(of: "\ntimes\n"))
        // The output is valid JSON.
        let shown = Data(result.output[start.upperBound..<end.lowerBound].utf8)
        let reported = try JSONSerialization.jsonObject(with: shown) as? NSDictionary
        #expect(reported == (try JSONSerialization.jsonObject(with: Data(Self.claims.utf8)) as? NSDictionary))
        for line in [
            "  auth_time  2025-11-22T08:10:00Z, 20 min before it arrived",
            "  iat        2025-11-22T08:26:40Z, 3 min before it arrived",
            "  exp        2025-11-22T09:26:40Z, 56 min after it arrived",
        ] {
            #expect(parts.contains(line), "\(result.output)")
        }
        #expect(!result.output.contains(token.split(separator: ".")[2]))
        #expect(parts.contains("  profile openid, one ID Token"))
        // Without --at the token is checked at the current time, long after these.
        let late = try await Self.run(token, at: nil).output
        #expect(late.contains(/exp        2025-11-22T09:26:40Z, \d+ days ago/), "\(late)")
        for arguments in [["-q"], ["--report", "json=-"]] {
            let reported = try await Self.run(token, arguments).output
            #expect(!reported.contains("\nclaims\n"))
            // Nothing was asked, so no finding points at an exchange.
            #expect(!reported.contains(#""exchange": -1"#) && !reported.contains(#""exchange":-1"#))
        }
    }

    @Test(
        "undecodable parts are reported",
        arguments: [
            ("eyJhbGciOiJIUzI1NiJ9", "this part is missing"),
            ("eyJhbGciOiJSU0EtT0FFUCJ9.a.b.c.d", "encrypted: they can be read only with the private key"),
            ("%%.%%.%%", "not readable: "),
        ]
    )
    func undecodable(token: String, words: String) async throws {
        let result = try await Self.run(token)
        #expect(result.code == 1 || result.code == 2, "\(result.errors)")
        #expect(result.output.contains(words), "\(result.output)")
    }

    @Test("each part of a token of a million bytes takes less than two screens")
    func long() async throws {
        let claims = #"{"list":["# + Array(repeating: "1", count: 100_000).joined(separator: ",") + "]}"
        let result = try await Self.run("\(Self.encoded(Self.header)).\(Self.encoded(claims)).AA")
        let shown = result.output.components(separatedBy: "oidc-preflight 0.")[0]
        #expect(shown.split(separator: "\n").count < 130 && shown.contains("more"), "\(shown.count)")
    }

    @Test("a signature with the client secret is checked only if the secret is given")
    func symmetric() async throws {
        let token = Self.token
        let only = ["--only", "idtoken.signature.verifies", "-v"]
        let without = try await Self.run(token, only)
        #expect(without.code != 0, "\(without.output)")
        for (arguments, environment, files, input) in [
            (["--client-secret-file", "s.txt"], [:], ["s.txt": Self.secret + "\n"], ""),
            (["--client-secret-file", "-"], [:], [:], Self.secret),
            ([], ["OIDC_PREFLIGHT_CLIENT_SECRET": Self.secret], [:], ""),
        ] as [([String], [String: String?], [String: String], String)] {
            let result = try await Self.run(
                token,
                only + arguments,
                environment: environment,
                files: files,
                input: input
            )
            #expect(result.code == 0, "\(arguments): \(result.output)\(result.errors)")
            #expect(!result.output.contains(Self.secret))
        }
    }

    @Test(
        "no option takes a secret; removed options name the replacement but not the given value",
        arguments: [
            (["--access-token", "hush-hush"], "--access-token-file FILE", "OIDC_PREFLIGHT_ACCESS_TOKEN"),
            (["--access-token=hush-hush"], "--access-token-file FILE", "OIDC_PREFLIGHT_ACCESS_TOKEN"),
            (["--code", "hush-hush"], "--code-file FILE", "OIDC_PREFLIGHT_CODE"),
            (["--client-secret", "hush-hush"], "--client-secret-file FILE", "OIDC_PREFLIGHT_CLIENT_SECRET"),
        ]
    )
    func withdrawn(arguments: [String], option: String, variable: String) async throws {
        let result = try await Self.run("x", arguments)
        #expect(result.code == 64 && result.errors.contains(option) && result.errors.contains(variable))
        #expect(!result.errors.contains("hush-hush"), "\(result.errors)")
    }

    @Test(
        "access token and code come from a file, standard input or a variable",
        arguments: [
            (["--access-token-file", "s.txt"], [:], ""), (["--access-token-file", "-"], [:], "wrong"),
            ([], ["OIDC_PREFLIGHT_ACCESS_TOKEN": "wrong"], ""),
        ] as [([String], [String: String], String)]
    )
    func accessToken(arguments: [String], environment: [String: String], input: String) async throws {
        let result = try await Self.run(
            Self.token,
            arguments + ["--only", "idtoken.at-hash.is-correct"],
            environment: environment.mapValues { Optional($0) },
            files: ["s.txt": "wrong\n"],
            input: input
        )
        #expect(
            result.code == 1 && result.output.contains("idtoken.at-hash.is-correct"),
            "\(result.output)\(result.errors)"
        )
    }

    @Test("mistakes with files name the file, and offline commands do not report that nothing was sent")
    func mistakes() async throws {
        for (arguments, words) in [
            (["--access-token-file", "gone.txt"], "gone.txt: no such file"),
            (["--code-file", "empty.txt"], "empty.txt: contains no code"),
            (["--code-file", "-", "--access-token-file", "-"], "only one input can be standard input"),
        ] {
            let result = try await Self.run("x", arguments, files: ["empty.txt": "\n"])
            #expect(result.code == 64 && result.errors.contains(words), "\(result.errors)")
            #expect(!result.errors.contains("Nothing was sent"))
        }
    }
}
