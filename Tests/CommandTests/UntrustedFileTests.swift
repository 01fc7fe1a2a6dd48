import Conformance
import Console
import Foundation
import Testing

/// Files that a stranger chose: by evidence, a configuration, a list, or a link in a checkout.
@Suite("Untrusted files", .timeLimit(.minutes(5)))
struct UntrustedFileTests {
    /// Saved evidence whose run used another profile.
    private static func evidence(profile: String, in folder: TemporaryFolder) async throws -> String {
        let text = try String(contentsOfFile: try await SavedRun.evidence("open"), encoding: .utf8)
        let evidence = text.replacing(#""profile" : "openid""#, with: "\"profile\" : \"\(profile)\"")
        #expect(evidence != text)
        return try folder.file("run.json", evidence)
    }

    @Test(
        "evidence selects only built-in profiles, and no file is opened for it",
        arguments: ["./secret.txt", "/dev/zero", "openid,./secret.txt", "none"],
        [
            ["judge", "run.json"], ["curl", "sign-in", "--evidence", "run.json"],
            ["register", "--for", "vault", "--evidence", "run.json"],
        ]
    )
    func profile(name: String, arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("secret.txt", "hunter2-hunter2")
        _ = try await Self.evidence(profile: name, in: folder)
        let result = try await Program.run(arguments, in: folder.path)
        #expect(result.code == 64)
        #expect(result.errors.contains("which is not built in, and evidence selects no file"), "\(result.errors)")
        #expect(!result.errors.contains("hunter2"))
    }

    @Test("the command line and a configuration select a profile from a file")
    func ownProfile() async throws {
        let folder = try TemporaryFolder()
        _ = try await Self.evidence(profile: "./gone.yaml", in: folder)
        _ = try folder.file("mine.yaml", "name: mine\nextends: openid\n")
        _ = try folder.file("preflight.yaml", "issuer: https://idp.example.com\nprofile: mine.yaml\n")
        for way in [["--profile", "./mine.yaml"], ["--config", "preflight.yaml"]] {
            let result = try await Program.run(["judge", "run.json", "-o", "json=-"] + way, in: folder.path)
            #expect(result.output.contains(#""name": "mine""#), "\(result.errors)")
        }
    }

    private static let reading: [[String]] = [
        ["check", "--config"], ["plan", "--config"], ["config", "check", "--config"], ["judge"],
        ["curl", "sign-in", "--evidence"],
        ["register", "--for", "vault", "--evidence"], ["lint"], ["lint", "--jwks"], ["token"], ["diff"],
        ["fleet"], ["fleet", "report"], ["fleet", "merge", "--out", "merged.jsonl"],
        ["check", "https://a.invalid", "--profile"], ["check", "https://a.invalid", "--ca-file"],
        ["check", "https://a.invalid", "--baseline"],
    ]

    private static func arguments(_ words: [String], _ path: String) -> [String] {
        let rest = ["--jwks", "keys.json", "--issuer", "https://a.example", "--client-id", "c"]
        return words + [path] + (words == ["token"] ? rest : words == ["diff"] ? ["other.json"] : [])
    }

    @Test("a device and a folder are no input", arguments: reading, ["/dev/zero", "/tmp"])
    func device(words: [String], path: String) async throws {
        let folder = try TemporaryFolder()
        for name in ["other.json", "keys.json"] { _ = try folder.file(name, "{}") }
        let result = try await Program.run(Self.arguments(words, path), in: folder.path)
        #expect(result.code == 64)
        let reasons = path == "/tmp" ? ["is a folder"] : ["is a device", "is not a regular file"]
        #expect(reasons.contains(where: result.errors.contains), "\(result.errors)")
    }

    struct Named: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var files: [String: String]
        var arguments = ["check", "--config", "preflight.yaml"]
    }

    @Test(
        "a pipe, a device and another file that a configuration or a list names are rejected without a wait or a quotation",
        arguments: [
            Named(testDescription: "profile", files: ["preflight.yaml": "issuer: https://a.invalid\nprofile: PLACE\n"]),
            Named(
                testDescription: "extended profile",
                files: [
                    "preflight.yaml": "issuer: https://a.invalid\nprofile: ./p.yaml\n",
                    "p.yaml": "name: p\nextends: PLACE\n",
                ]
            ),
            Named(
                testDescription: "configuration of a list",
                files: ["list.csv": "issuer,configuration\nhttps://a.invalid,PLACE\n"],
                arguments: ["fleet", "list.csv"]
            ),
            Named(
                testDescription: "profile of a list",
                files: ["list.csv": "issuer,profile\nhttps://a.invalid,PLACE\n"],
                arguments: ["fleet", "list.csv"]
            ),
        ],
        ["pipe", "/dev/zero", "secret.txt"]
    )
    func named(file: Named, place: String) async throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
        _ = try folder.file("secret.txt", "hunter2-hunter2\n")
        let path = place.hasPrefix("/") ? place : folder.path + "/" + place
        for (name, text) in file.files { _ = try folder.file(name, text.replacing("PLACE", with: path)) }
        let result = try await Program.run(file.arguments, in: folder.path)
        #expect(result.code == 64)
        let reason = ["pipe": "is a pipe", "/dev/zero": "is a device"][place] ?? "must be a mapping of keys to values"
        #expect(result.errors.contains(reason), "\(result.errors)")
        #expect(!result.errors.contains("hunter2"))
    }

    @Test("a file of each kind has a bound", arguments: FileInput.allCases)
    func bound(input: FileInput) throws {
        let folder = try TemporaryFolder()
        let path = try folder.file("sparse", "")
        #expect(truncate(path, off_t(input.most) + 1) == 0)
        #expect(throws: FileError(path: path, reason: input.excess)) { try Files.read(path, as: input).get() }
        guard input.most <= 1 << 20 else { return }
        #expect(truncate(path, off_t(input.most)) == 0)
        #expect(try Files.read(path, as: input).get().count == input.most)
    }

    @Test("a pipe without a writer is given up", arguments: FileInput.allCases)
    func silent(input: FileInput) throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/pipe"
        #expect(mkfifo(path, 0o600) == 0)
        let error = #expect(throws: FileError.self) { try Files.read(path, as: input, timeLimit: 0).get() }
        let reason = input.mayBeNamedPipe ? "no program writes to this pipe" : "must be in a regular file"
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    /// A pipe that a shell opens for `<(…)`, and whose writer has ended.
    private static func pipe(_ text: String) -> FileHandle {
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data(text.utf8))
        try? pipe.fileHandleForWriting.close()
        return pipe.fileHandleForReading
    }

    @Test("a pipe of the shell is read to its end, as often as a command needs it")
    func inherited() async throws {
        let folder = try TemporaryFolder()
        let profile = Self.pipe("name: mine\nextends: openid\n")
        let configuration = Self.pipe("issuer: https://idp.example.com\n")
        let result = try await Program.run(
            [
                "plan", "--config", "/dev/fd/\(configuration.fileDescriptor)", "--profile",
                "/dev/fd/\(profile.fileDescriptor)",
            ],
            in: folder.path
        )
        #expect(result.code == 0 && result.output.contains("mine"), "\(result.errors)")
        let long = Self.pipe(String(repeating: "x", count: 100))
        let path = "/dev/fd/\(long.fileDescriptor)"
        #expect(try Files.read(path, as: .secret).get().count == 100)
        #expect(try Files.read(path, as: .secret).get().count == 100)
        #expect(throws: FileError.self) { try Files.read(path, as: .authorities).get() }
    }

    struct Link: Sendable, CustomTestStringConvertible {
        var target: String
        var isWritten = false
        var testDescription: String { target }
    }

    @Test(
        "a link to a regular file or to nothing is not written through",
        arguments: [Link(target: "victim"), Link(target: "nothing"), Link(target: "/dev/null", isWritten: true)],
        [
            ["lint", "d.json", "-o", "json=out.json"], ["lint", "d.json", "--report-dir", "."],
            ["fleet", "list.txt", "--out", "out.json", "--max-time", "1"],
        ]
    )
    func links(link: Link, arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("victim", "")
        _ = try folder.file("d.json", OutputTests.good)
        _ = try folder.file("list.txt", "https://127.0.0.1:1\n")
        for name in ["out.json", "report.json"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.path + "/" + name,
                withDestinationPath: link.target
            )
        }
        let result = try await Program.run(arguments, in: folder.path)
        // The results of a batch run are read again, so they are in a regular file.
        let isWritten = link.isWritten && arguments[0] != "fleet"
        #expect(result.code == (isWritten ? 0 : 64), "\(result.errors)")
        let reasons = ["is a symbolic link to", "is not a regular file"]
        #expect(reasons.contains(where: result.errors.contains) == !isWritten, "\(result.errors)")
        #expect(try folder.read("victim").isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/nothing"))
    }

    @Test("a link to a folder is followed")
    func linkedFolder() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", OutputTests.good)
        try FileManager.default.createDirectory(atPath: folder.path + "/real", withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/reports", withDestinationPath: "real")
        let result = try await Program.run(["lint", "d.json", "-o", "json=reports/r.json"], in: folder.path)
        #expect(result.code == 0, "\(result.errors)")
        #expect(try folder.read("real/r.json").hasPrefix("{"))
    }

    @Test("a stream of the process is written, also if it is a regular file")
    func ownStream() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("d.json", OutputTests.good)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: try folder.file("out", "")))
        let result = try await Program.run(
            ["lint", "d.json", "-o", "json=/dev/fd/\(file.fileDescriptor)", "-o", "tap=/dev/stdout"],
            in: folder.path
        )
        #expect(result.code == 0, "\(result.errors)")
        #expect(try folder.read("out").hasPrefix("{"))
        #expect(result.output.hasPrefix("TAP version"), "\(result.output)")
        let closed = try await Program.run(["lint", "d.json", "-o", "json=/dev/fd/999999"], in: folder.path)
        #expect(closed.code == 64 && closed.errors.contains("/dev/fd/999999: bad file descriptor"), "\(closed.errors)")
    }
}
