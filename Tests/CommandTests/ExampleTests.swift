import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The command lines that the documentation shows.
@Suite("Examples of the documentation", .timeLimit(.minutes(5)))
struct ExampleTests {
    /// A placeholder in capitals, and its value.
    private static let placeholders = [
        "ISSUER": "https://idp.example.com", "PLATFORM": "kubernetes", "NAME": "openid", "COMMAND": "check",
        "ID": "discovery.issuer.matches-request",
    ]
    /// The same for what has other commands.
    private static let commandsOf = ["sign-in": "test"]
    @Test(
        "examples are found at any position",
        arguments: [
            ("```sh\noidc-preflight doctor   # what is there\n```", ["oidc-preflight doctor"]),
            ("```\n$ oidc-preflight check X \\\n    --quiet\n```", ["oidc-preflight check X --quiet"]),
            ("```yaml\n- run: oidc-preflight plan\n```", ["oidc-preflight plan"]),
            ("    sh 'oidc-preflight plan' }", ["oidc-preflight plan"]),
            ("`oidc-preflight init ISSUER` writes", ["oidc-preflight init https://idp.example.com"]),
            ("```\ncurl -s X | oidc-preflight lint -\n```", ["curl -s X | oidc-preflight lint -"]),
            ("oidc-preflight 0.1.0: https://a.example", []), ("usage: oidc-preflight check [OPTION]... [ISSUER]", []),
            ("make -C /tmp/oidc-preflight install", []),
        ]
    )
    func finding(text: String, lines: [String]) {
        #expect(Self.commands(in: text) == lines)
    }

    // MARK: Finding

    static func lines() async throws -> [String] {
        let folder = CommittedFile.root.appendingPathComponent("Documentation")
        let pages = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
        let texts = try ([CommittedFile.root.appendingPathComponent("README.md")] + pages)
            .map { try String(contentsOf: $0, encoding: .utf8) }
        var lines: [String] = []
        for text in texts + [try await Program.run(["manual", "--markdown"]).output] {
            for line in commands(in: text)
            // The first opens a browser for a user; batch runs have separate tests with lists.
            where !lines.contains(line)
                && !["sign-in record", "fleet"].contains(where: { line.hasPrefix("oidc-preflight " + $0) })
            { lines.append(line) }
        }
        return lines
    }

    private static func commands(in text: String) -> [String] {
        // Console blocks are run with their outputs (`ConsolePage`).
        text.replacing(/```console\n(?s:.*?)\n```/, with: "").replacing(/\\\n\s*/, with: "")
            .split(separator: "\n").flatMap { line in commands(inLine: String(line)) }
    }

    private static func commands(inLine line: String) -> [String] {
        var found: [String] = []
        for place in line.ranges(of: "oidc-preflight ") {
            let before = line[..<place.lowerBound]
            let isPartOfAName = before.last.map { $0.isLetter || $0.isNumber || "/.-_".contains($0) } ?? false
            // `make -C oidc-preflight install` is an example of make.
            guard !isPartOfAName, !before.hasSuffix("-C "), let next = line[place.upperBound...].first,
                next.isLetter || next == "-"
            else { continue }
            let quote = before.last.flatMap { "'`".contains($0) ? $0 : nil }
            // Pipes and variables before the program are part of the example; other text is not.
            let head = before.trimmingCharacters(in: .whitespaces)
            let isLed = quote == nil && ["curl ", "pbpaste ", "source "].contains { head.hasPrefix($0) }
            var command = String(line[place.lowerBound...])
            if let quote, let end = command.firstIndex(of: quote) { command = String(command[..<end]) }
            if let comment = command.firstRange(of: #/\s+#\s.*/#) { command.removeSubrange(comment) }
            let form = filledIn(
                (isLed ? String(before.drop { $0 == " " }) : "") + command.trimmingCharacters(in: .whitespaces)
            )
            if !isForm(form) { found.append(form) }
        }
        return found
    }

    /// A usage line, which is not an example.
    private static func isForm(_ command: String) -> Bool {
        command.contains("[OPTION]") || command.contains("…")
            || command.split(separator: " ").contains { $0.wholeMatch(of: /\[?[A-Z]{2,}[A-Z|]*\]?/) != nil }
    }

    private static func filledIn(_ command: String) -> String {
        var words = command.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        for place in words.indices {
            let own = words[place] == "COMMAND" && place > 0 ? commandsOf[words[place - 1]] : nil
            words[place] = own ?? placeholders[words[place]] ?? words[place]
        }
        return words.joined(separator: " ")
    }
}

/// Every command line of the documentation, run by a shell unchanged.
///
/// Only the name of the provider is another: the reference provider takes the place of `https://idp.example.com`, and its
/// authority is trusted by `SSL_CERT_FILE`. New examples are run automatically.
@Suite("Examples of the documentation, run", .phase(.programs), .timeLimit(.minutes(5)))
struct ExampleRunTests {
    /// Examples that do not end with 0 at the reference provider, by their beginning, and what they say then.
    private static let ends: [(beginning: String, code: Int, words: String)] = [
        // An application in a browser can keep no secret.
        (
            "oidc-preflight check --config preflight.yaml --profile firebase-oidc,spa", 1,
            "Gate open for 1 of 2 platforms"
        ),
        // Every port of this machine is one to it.
        ("oidc-preflight register --for cognito-terraform", 64, "Cognito rejects an issuer with the port"),
        // The configuration here has one target, and there is no terminal.
        ("oidc-preflight check --target", 64, "preflight.yaml has no targets"),
        ("oidc-preflight config check --target", 64, "preflight.yaml has no targets"),
        ("oidc-preflight init\n", 64, "ISSUER is missing"),
        // Nothing is wrong with this provider, and no step breaks.
        ("oidc-preflight curl discovery.issuer.matches-request", 64, "passed: there is no finding to reproduce"),
        ("oidc-preflight curl sign-in", 64, "the step sign-in did not fail in this evidence"),
        // Commands mentioned in prose.
        ("oidc-preflight sign-in save\n", 64, "--out FILE is missing"),
        // The variable NONCE is made up.
        ("pbpaste | oidc-preflight token", 1, "idtoken.nonce.is-echoed"),
    ]

    @Test("each example runs successfully, in order, as a reader would type it")
    func examples() async throws {
        let lines = try await ExampleTests.lines()
        #expect(lines.count > 40)
        try await ReferenceServer.run { server in
            let place = try await Self.place(server)
            for line in lines {
                let outcome = try await Self.run(line, server, place)
                let end = Self.ends.first { (line + "\n").hasPrefix($0.beginning) }
                #expect(outcome.code == end?.code ?? 0, "\(line)\n\(outcome.words.suffix(1_500))")
                if let end { #expect(outcome.words.contains(end.words), "\(line)\n\(outcome.words)") }
                #expect(!outcome.errors.contains("internal error"), "\(line)")
            }
        }
    }

    /// A folder as a reader has it: the configuration, documents, a token, a saved run, and the programs of other systems.
    private static func place(_ server: ReferenceServer) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for name in ["preflight.yaml", "ca.pem"] {
            try FileManager.default.copyItem(atPath: server.folder + "/" + name, toPath: folder.path + "/" + name)
        }
        for (path, name) in [
            ("/.well-known/openid-configuration", "openid-configuration.json"), ("/keys", "jwks.json"),
        ] {
            _ = try folder.file(name, try await server.fetch(path))
        }
        let saving = ["--save-evidence", folder.path + "/run.json", "--save-evidence-with-secrets"]
        _ = try await server.check(saving)
        let match = try folder.read("run.json").firstMatch(of: /eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/)
        _ = try folder.file("id_token.txt", String(try #require(match).output))
        // Reports of earlier runs and of other places, as examples name them.
        _ = try await server.check(["--report", "json=" + folder.path + "/known.json"])
        let report = try folder.read("known.json")
        for name in ["today", "last-week", "staging", "production"] { _ = try folder.file(name + ".json", report) }
        let completions = folder.path + "/.config/fish/completions"
        try FileManager.default.createDirectory(atPath: completions, withIntermediateDirectories: true)
        for (name, script) in [
            ("oidc-preflight", "exec '\(Program.path)' \"$@\""), ("pbpaste", "cat '\(folder.path)/id_token.txt'"),
            ("man", "cat"),
        ] {
            let file = try folder.file(name, "#!/bin/sh\n\(script)\n")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        return folder
    }

    private static func run(
        _ line: String,
        _ server: ReferenceServer,
        _ place: TemporaryFolder
    ) async throws -> OtherProgram.Outcome {
        let known = ProcessInfo.processInfo.environment["PATH"] ?? ""
        var environment = server.environment
        environment["PATH"] = "\(place.path):\(known)"
        environment["SSL_CERT_FILE"] = server.authority
        for variable in ["CURL_CA_BUNDLE", "SSL_CERT_DIR"] { environment[variable] = .some(nil) }
        environment["HOME"] = place.path
        environment["NONCE"] = "another"
        environment["OIDC_PREFLIGHT_SESSION_KEY"] = "a key that cannot be guessed"
        // A provider runs until it is interrupted.
        let isEndless = line.hasPrefix("oidc-preflight provider") && !line.contains("--list")
        var typed = (isEndless ? "exec " : "") + line
        for (shown, own) in [
            ("https://idp.example.com/jwks", server.issuer + "/keys"), ("https://idp.example.com", server.issuer),
            ("http://127.0.0.1:8080", server.issuer), ("my-client", "preflight-client"),
            ("--at 2026-11-21T12:00:00Z", "--at \(Int(Date().timeIntervalSince1970))"),
        ] {
            typed = typed.replacing(shown, with: own)
        }
        // The port of a page may be in use here.
        typed = typed.replacing(/--port \d+/, with: "--port 0")
        // Its script is written for another shell than the one that runs this.
        if let inner = typed.firstMatch(of: /source <\((.*completions zsh)\)/) { typed = String(inner.output.1) }
        // init overwrites no file, and a provider writes a configuration of its own.
        let apart = line.hasPrefix("oidc-preflight init") || isEndless ? try TemporaryFolder() : nil
        let folder = (apart ?? place).path
        if isEndless {
            return
                try await OtherProgram.beside("bash", ["-c", typed], environment: environment, in: folder) { running in
                    for await line in running.lines where line.contains("Press Ctrl-C to stop.") { break }
                    running.send(SIGINT)
                }
                .outcome
        }
        return try await OtherProgram.run("bash", ["-c", typed], environment: environment, in: folder)
    }
}
