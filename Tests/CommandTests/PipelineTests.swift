import Foundation
import OtherPrograms
import TestSupport
import Testing

/// The files for CI products, run as the products document it, with what the pages show as an example.
@Suite("Pipelines", .phase(.programs), .timeLimit(.minutes(5)))
struct PipelineTests {
    enum Product: String, CaseIterable, CustomTestStringConvertible {
        case github, gitlab, azure

        var testDescription: String { rawValue }

        /// The file that the pages show.
        var example: String { "Integrations/examples/\(rawValue).yml" }
    }

    /// The job result from `fake_runner.py`.
    struct Job: Decodable {
        var code: Int
        var log: String
        var outputs: [String: String]
        var summary: String
        var published: [String: Bool]

        /// Whether all that steps take from the workspace is there.
        var isPublished: Bool { !published.values.contains(false) }
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    @Test("the examples let a sound provider pass, with their reports", arguments: Product.allCases)
    func sound(product: Product) async throws {
        try await ReferenceServer.run { server in
            let release = try await Release.make()
            guard let job = try await Self.run(product, release, server) else { return }
            #expect(job.code == 0, "\(job.log)")
            #expect(job.log.contains("Gate open"), "\(job.log)")
            #expect(!job.published.isEmpty)
            #expect(job.isPublished, "\(job.published)")
            for secret in [server.secret, server.password] { #expect(!job.log.contains(secret)) }
            guard product == .github else { return }
            #expect(job.outputs["gate"] == "open", "\(job.outputs)")
            #expect(job.outputs["sign-in"] == "works")
            #expect(FileManager.default.fileExists(atPath: try #require(job.outputs["report"])))
            #expect(job.summary.contains("Gate open"), "\(job.summary)")
        }
    }

    @Test("the examples stop at a faulty provider, and still keep their reports", arguments: Product.allCases)
    func faulty(product: Product) async throws {
        try await ReferenceServer.run(["--fault", "idtoken.aud.holds-client"]) { server in
            let release = try await Release.make()
            guard let job = try await Self.run(product, release, server) else { return }
            #expect(job.code == 1, "\(job.log)")
            #expect(job.isPublished, "\(job.published)")
            let mark: [Product: String] = [
                .github: "title=idtoken.aud.holds-client::", .gitlab: "section_start:",
                .azure: "##vso[task.logissue type=error",
            ]
            #expect(job.log.contains(try #require(mark[product])), "\(job.log)")
            guard product == .github else { return }
            #expect(job.outputs["gate"] == "closed", "\(job.outputs)")
            #expect(job.outputs["sign-in"] == "fails")
        }
    }

    @Test("an error in the configuration is shown at its line, and no report is published", arguments: Product.allCases)
    func mistaken(product: Product) async throws {
        try await ReferenceServer.run { server in
            let release = try await Release.make()
            _ = try server.write("preflight.yaml", server.read("preflight.yaml") + "colour: blue\n")
            let line = try server.read("preflight.yaml").split(separator: "\n").count
            guard let job = try await Self.run(product, release, server) else { return }
            #expect(job.code == 64, "\(job.log)")
            #expect(Set(job.outputs.values).isSubset(of: [""]), "\(job.outputs)")
            let mark: [Product: String] = [
                .github: "\n::error file=preflight.yaml,line=\(line)::unknown key", .gitlab: "preflight.yaml:\(line):",
                .azure: "\n##vso[task.logissue type=error;sourcepath=preflight.yaml;linenumber=\(line);]unknown key",
            ]
            #expect(job.log.contains(try #require(mark[product])), "\(job.log)")
            // GitHub and GitLab only warn of a missing folder.
            if product == .azure { #expect(job.published.isEmpty, "\(job.published)") }
        }
    }

    @Test("every product runs in a folder, and publishes the reports from there", arguments: Product.allCases)
    func folder(product: Product) async throws {
        try await ReferenceServer.run { server in
            let release = try await Release.make()
            try FileManager.default.createDirectory(
                atPath: server.folder + "/here",
                withIntermediateDirectories: false
            )
            try FileManager.default.moveItem(
                atPath: server.folder + "/preflight.yaml",
                toPath: server.folder + "/here/preflight.yaml"
            )
            let name: [Product: String] = [
                .github: "working-directory", .gitlab: "working_directory", .azure: "workingDirectory",
            ]
            let inputs = [try #require(name[product]): "here", "reports": "results"]
            guard let job = try await Self.run(product, release, server, inputs) else { return }
            #expect(job.code == 0, "\(job.log)")
            #expect(FileManager.default.fileExists(atPath: server.folder + "/here/results/report.json"))
            // The upload is a step of the workflow, and not of the action.
            if product != .github { #expect(job.isPublished && !job.published.isEmpty, "\(job.published)") }
        }
    }

    @Test("the issuer of the pipeline is the only one that receives secrets", arguments: Product.allCases)
    func issuer(product: Product) async throws {
        try await ReferenceServer.run { server in
            let release = try await Release.make()
            let name = product == .azure ? "allowIssuer" : product == .gitlab ? "allow_issuer" : "allow-issuer"
            for (inputs, code) in [
                (["issuer": server.issuer], 0), ([name: server.issuer], 0), ([name: "https://idp.example.com"], 64),
                (["issuer": server.issuer, name: "https://idp.example.com"], 64),
            ] {
                guard let job = try await Self.run(product, release, server, inputs) else { return }
                #expect(job.code == code, "\(inputs): \(job.log)")
                #expect(job.log.contains("--allow-issuer does not allow") == (code == 64), "\(inputs): \(job.log)")
            }
        }
    }

    @Test("the products have the same inputs")
    func inputs() async throws {
        let python = try await Oracle.python("yaml").require()
        let script = """
            import re, sys, yaml
            action, gitlab, azure = (list(yaml.safe_load_all(open(file))) for file in sys.argv[1:])
            names = set(action[0]["inputs"])
            print(names ^ {n.replace("_", "-") for n in gitlab[0]["spec"]["inputs"]} ^ {"stage", "job", "image"})
            camel = lambda name: re.sub("([A-Z])", lambda m: "-" + m[1].lower(), name)
            print(names ^ {camel(n["name"]) for n in azure[0]["parameters"]} ^ {"secrets"})
            """
        let files = ["action.yml", "templates/preflight.yml", "Integrations/azure-pipelines.yml"]
        let compared = try await OtherProgram.run(python, ["-c", script] + files.map { "\(Self.root)/\($0)" })
        #expect(compared.text == "set()\nset()\n", "\(compared.words)")
    }

    @Test("the example of a saved session passes without a password, and stops where the key is another")
    func session() async throws {
        let key = "0123456789-0123456789"
        try await ReferenceServer.run { server in
            let file = server.folder + "/saved.enc"
            let saved = try await Program.run(
                ["sign-in", "save", "--config", server.configuration, "--out", file, "--quiet"],
                environment: server.environment.merging(["OIDC_PREFLIGHT_SESSION_KEY": key]) { $1 }
            )
            #expect(saved.code == 0, "\(saved.output)\(saved.errors)")
            let example = try String(contentsOfFile: "\(Self.root)/Integrations/examples/session.yaml", encoding: .utf8)
            let text = try server.read("preflight.yaml")
            let own = try #require(text.firstMatch(of: #/sign_in:\n(?: .*\n)+/#)).output
            _ = try server.write("preflight.yaml", text.replacing(own, with: example))
            let session = try Data(contentsOf: URL(fileURLWithPath: file)).base64EncodedString()
            try FileManager.default.removeItem(atPath: file)
            let release = try await Release.make()
            for (key, code, words) in [(key, 0, "Gate open"), ("another-key-of-length", 64, "cannot be decrypted")] {
                let job = try await Self.run(
                    .github,
                    release,
                    server,
                    file: "Integrations/examples/github-session.yml",
                    environment: [
                        "OIDC_CLIENT_SECRET": server.secret, "OIDC_SESSION": session, "OIDC_SESSION_KEY": key,
                        "OIDC_PASSWORD": nil,
                    ]
                )
                guard let job else { return }
                #expect(job.code == code, "\(job.log)")
                #expect(job.log.contains(words), "\(job.log)")
                for secret in [session, key, server.secret] { #expect(!job.log.contains(secret)) }
            }
            let attributes = try FileManager.default.attributesOfItem(atPath: server.folder + "/session.enc")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test("a download with a wrong checksum is not run", arguments: Product.allCases)
    func checksum(product: Product) async throws {
        try await ReferenceServer.run { server in
            let release = try await Release.make()
            let wrong = String(repeating: "0", count: 64)
            let inputs = ["sha256": wrong]
            guard let job = try await Self.run(product, release, server, inputs) else { return }
            #expect(job.code != 0)
            #expect(!job.log.contains("Gate"), "\(job.log)")
            let right = try await Self.run(product, release, server, ["sha256": release.sum])
            #expect(right?.code == 0, "\(right?.log ?? "")")
        }
    }

    /// The schemas that the products publish, as check-jsonschema includes them.
    @Test(
        "the files match the schemas of the products",
        arguments: [
            ("github-actions", "action.yml"), ("github-workflows", "Integrations/examples/github.yml"),
            ("github-workflows", "Integrations/examples/github-small.yml"),
            ("github-workflows", "Integrations/examples/github-service.yml"),
            ("github-workflows", "Integrations/examples/github-session.yml"),
            ("github-workflows", "Integrations/examples/github-code-scanning.yml"),
            ("github-workflows", "Integrations/examples/github-pull-request.yml"),
            ("gitlab-ci", "Integrations/examples/gitlab.yml"), ("azure-pipelines", "Integrations/azure-pipelines.yml"),
            ("azure-pipelines", "Integrations/examples/azure.yml"),
        ]
    )
    func schema(name: String, file: String) async throws {
        let python = try await Oracle.python("check_jsonschema").require()
        var words = ["-m", "check_jsonschema", "--builtin-schema", "vendor.\(name)", "\(Self.root)/\(file)"]
        // The preprocessing of these products, and the syntax of their expressions.
        if let own = ["gitlab-ci", "azure-pipelines"].first(where: { $0 == name }) {
            words += ["--data-transform", own, "--regex-variant", "nonunicode"]
        }
        let judged = try await OtherProgram.run(python, words)
        #expect(judged.isSuccess, "\(judged.words)")
    }

    @Test(
        "pre-commit checks the documents of a folder together, and rejects invalid ones",
        arguments: [
            (["openid-configuration.json": Documents.sound, "jwks.json": Documents.keys], 0, "Gate open"),
            (["a/openid-configuration.json": Documents.sound, "b/openid-configuration.json": "{}"], 1, "Gate closed"),
            (["README.md": "{}"], 0, "no files to check"),
        ]
    )
    func preCommit(files: [String: String], code: Int, words: String) async throws {
        let python = try await Oracle.python("pre_commit").require()
        let folder = try TemporaryFolder()
        for (name, text) in files {
            let parent = URL(fileURLWithPath: "\(folder.path)/\(name)").deletingLastPathComponent()
            try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
            _ = try folder.file(name, text)
        }
        let home = try TemporaryFolder()
        let environment: [String: String?] = [
            "PATH": Release.folderOfProgram + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""),
            "PRE_COMMIT_HOME": home.path,
        ]
        for words in [["init", "--quiet"], ["add", "."]] {
            _ = try await OtherProgram.run("git", words, in: folder.path)
        }
        let ran = try await OtherProgram.run(
            python,
            ["-m", "pre_commit", "try-repo", "--verbose", "--all-files", Self.root, "oidc-preflight-lint"],
            environment: environment,
            in: folder.path
        )
        #expect(ran.code == code, "\(ran.words)")
        #expect(ran.words.contains(words), "\(ran.words)")
    }

    @Test("the installer accepts clear arguments and explains others")
    func installer() async throws {
        let release = try await Release.make()
        let source = "file://\(release.folder.path)"
        let cases: [(arguments: [String], code: Int, words: String)] = [
            (["--version", "0.1.0", "--from", source, "--sha256", release.sum], 0, "/bin"),
            (["--version", "v0.1.0", "--from", source], 0, release.sum),
            (["--version", "0.9.9", "--from", source], 69, "is 0.9.9 a release"),
            (["--version", "0.1.0", "--from", source, "--sha256", "12"], 64, "64 hexadecimal digits; these are 2"),
            (["--version", "../0.1.0"], 64, "must name a release"), ([], 64, "must name a release"),
            (["--versoin", "0.1.0"], 64, "unknown argument --versoin"), (["--version"], 64, "needs a value"),
            (
                ["--version", "0.1.0", "--from", source, "--sha256", String(repeating: "a", count: 64)], 69,
                "Nothing was installed"
            ),
        ]
        for (arguments, code, words) in cases {
            let folder = try TemporaryFolder()
            let place = arguments.contains("--from") ? ["--to", folder.path] : []
            let ran = try await OtherProgram.run("\(Self.root)/Integrations/install.sh", arguments + place)
            #expect(ran.code == code, "\(arguments): \(ran.words)")
            #expect(ran.words.contains(words), "\(arguments): \(ran.words)")
            let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(left.count == (code == 0 ? 1 : 0), "\(arguments): \(left)")
        }
    }

    @Test(
        "a Makefile deploys only providers that pass",
        arguments: [([], 0), (["--fault", "idtoken.aud.holds-client"], 2)]
    )
    func makefile(faults: [String], code: Int) async throws {
        try await ReferenceServer.run(faults) { server in
            for (name, place) in [("preflight.mk", "Integrations"), ("Makefile", "Integrations/examples")] {
                _ = try server.write(name, String(contentsOfFile: "\(Self.root)/\(place)/\(name)", encoding: .utf8))
            }
            let ran = try await OtherProgram.run(
                "make",
                ["OIDC_PREFLIGHT=\(Program.path)", "deploy"],
                environment: server.environment,
                in: server.folder
            )
            // The exit code of make for a step that failed is 2.
            #expect(ran.code == code, "\(ran.words)")
            #expect(ran.text.contains("deploying") == (code == 0), "\(ran.words)")
            #expect(try server.read("oidc-preflight-reports/report.xml").contains("<testsuite"))
        }
    }

    private static func run(
        _ product: Product,
        _ release: Release,
        _ server: ReferenceServer,
        _ inputs: [String: String] = [:],
        file: String? = nil,
        environment: [String: String?]? = nil
    ) async throws -> Job? {
        let python = try await Oracle.python("yaml").require()
        let given = inputs.merging(["source": "file://\(release.folder.path)"]) { own, _ in own }
        let runner = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("fake_runner.py")
        let outcome = try await OtherProgram.run(
            python,
            [runner.path, product.rawValue, "\(root)/\(file ?? product.example)", root, server.folder],
            input: String(decoding: try JSONEncoder().encode(given), as: UTF8.self),
            environment: environment ?? server.environment
        )
        #expect(outcome.isSuccess, "\(outcome.words)")
        return try JSONDecoder().decode(Job.self, from: Data(outcome.output))
    }
}

private enum Documents {
    static let sound = #"""
        {"issuer":"https://idp.example.com","authorization_endpoint":"https://idp.example.com/authorize",
        "token_endpoint":"https://idp.example.com/token","userinfo_endpoint":"https://idp.example.com/userinfo",
        "jwks_uri":"https://idp.example.com/keys","response_types_supported":["code"],"scopes_supported":["openid"],
        "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256","ES256"],
        "claims_supported":["sub","iss"]}
        """#
    static let keys =
        #"{"keys":[{"kty":"RSA","kid":"a","use":"sig","alg":"RS256","e":"AQAB","n":""#
        + "wCRmGWzHkeV22J9XiNfyJCz3y6xzb5iDZ5EKPrxUVnsMxO2mNlQmghkHVMdq0w1gNtqKVSTkPiwSuiTiFu-v4a5KI2nEyF_GKao8"
        + "fmIsyhj8RO42-A8GGPGHqJDQyLILPJT_dhSsi4JHuXWxHFJ3f5gwez1rSd2OUphETdJ0OpbGvmB3fqZyGAjrmizZVLnUJ7rgjVfJ"
        + "gDh00tQK0PxEWlQLGv2Yn1rtBixHt4BGSIWIFG8fVEe_0h5x8FQqhr8S7O4CvLKE82j8XeZ36nA0DOGX-EFegfLgc-xh1AzcYFUo"
        + "QhgnNQxHQoFjWOnw7HGwpIq10IEMlvB8F0u4QzgIQQ"
        + #""}]}"#
}

/// A folder of releases with one, whose program is the built one.
private struct Release {
    let folder: TemporaryFolder
    /// SHA-256 of the tarball, in hexadecimal digits.
    let sum: String

    static let folderOfProgram = URL(fileURLWithPath: Program.path).deletingLastPathComponent().path

    static func make() async throws -> Release {
        let folder = try TemporaryFolder()
        let version = try await Program.run(["--version"]).output.split(separator: " ")[1]
            .trimmingCharacters(in: .newlines)
        let script = """
            set -e
            name=oidc-preflight-$1-linux-$(uname -m)
            mkdir -p "v$1" "$name/bin"
            printf '#!/bin/sh\\nexec "%s" "$@"\\n' "$2" > "$name/bin/oidc-preflight"
            chmod +x "$name/bin/oidc-preflight"
            tar -cJf "v$1/$name.tar.xz" "$name"
            cd "v$1" && sha256sum "$name.tar.xz" | tee SHA256SUMS | cut -d' ' -f1
            """
        let made = try await OtherProgram.run(
            "bash",
            ["-c", script, "bash", String(version), Program.path],
            in: folder.path
        )
        return Release(folder: folder, sum: made.text.trimmingCharacters(in: .newlines))
    }
}
