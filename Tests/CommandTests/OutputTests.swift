import Foundation
import OtherPrograms
import TestSupport
import Testing

/// Output that cannot be written: it is reported with the verdict, and has a separate exit code.
@Suite("Output that cannot be written", .phase(.programs), .timeLimit(.minutes(5)))
struct OutputTests {
    /// Whose gate opens, and whose gate closes.
    static let good = #"""
        {"issuer":"https://a.example","authorization_endpoint":"https://a.example/a",
        "token_endpoint":"https://a.example/t","jwks_uri":"https://a.example/k","response_types_supported":["code"],
        "subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}
        """#
    private static let bad = #"{"issuer":"https://a.example"}"#

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        _ = try folder.file("good.json", good)
        _ = try folder.file("bad.json", bad)
        _ = try folder.file("file", "")
        for (name, mode) in [("forbidden", 0o555), ("fine", 0o777)] {
            let path = folder.path + "/" + name
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            _ = try folder.file(name + "/fixed.xml", "old")
            let places = [(path + "/fixed.xml", 0o444), (path, mode)]
            for (place, mode) in places {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place)
            }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        return folder
    }

    /// As an unprivileged user, who keeps the group: others may not enter the folder of the build.
    private static func run(_ command: String, in folder: TemporaryFolder) async throws -> OtherProgram.Outcome {
        let mind = getuid() == 0 ? ["setpriv", "--reuid", "65534", "--clear-groups"] : []
        let words = mind + ["sh", "-c", command.replacing("P ", with: "'\(Program.path)' ")]
        return try await OtherProgram.run(words[0], Array(words.dropFirst()), in: folder.path)
    }

    @Test("an error while saving evidence does not hide the verdict")
    func evidence() async throws {
        let outcome = try await Self.run(
            "P check https://127.0.0.1:1 --save-evidence /dev/full -q",
            in: try Self.folder()
        )
        #expect(outcome.code == 2 && outcome.text.contains("Inconclusive: "), "\(outcome.words)")
        #expect(
            outcome.errors == "The evidence was not saved: /dev/full: no space left on the device\n",
            "\(outcome.errors)"
        )
    }

    @Test(
        "if standard output cannot be written, the verdict goes to standard error",
        arguments: [
            ("P lint good.json > /dev/full", 64, "no space left"), ("P lint bad.json > /dev/full", 1, "no space left"),
            ("P lint good.json -o json=- > /dev/full", 64, "no space left"),
            ("P lint good.json >&-", 64, "bad file descriptor"), ("P lint bad.json -q >&-", 1, "bad file descriptor"),
        ]
    )
    func standardOutput(command: String, code: Int, reason: String) async throws {
        let outcome = try await Self.run(command, in: try Self.folder())
        #expect(outcome.code == code, "\(outcome.words)")
        #expect(outcome.errors.contains("Standard output could not be written: \(reason)"), "\(outcome.errors)")
        #expect(outcome.errors.contains(code == 1 ? "Gate closed" : "Gate open"), "\(outcome.errors)")
        #expect(outcome.errors.components(separatedBy: "; exit code").count == 2, "once: \(outcome.errors)")
    }

    @Test("the next opened file does not replace a closed standard output")
    func closed() async throws {
        let folder = try Self.folder()
        _ = try await Self.run("P lint good.json -o junit=r.xml >&-", in: folder)
        #expect(try folder.read("r.xml").hasSuffix("</testsuites>\n"))
        #expect(try folder.read("good.json") == Self.good)
    }

    @Test(
        "an output path that cannot be written is reported before any check",
        arguments: [
            ("forbidden/r.xml", "forbidden/r.xml: permission denied: cannot create a file in forbidden"),
            (
                "forbidden/deep/r.xml",
                "forbidden/deep/r.xml: cannot create the folder forbidden/deep: permission denied"
            ),
            ("fine/fixed.xml", "fine/fixed.xml: permission denied"),
            ("file/r.xml", "a file exists where a folder is needed: file"),
            ("file/deep/r.xml", "a file exists where a folder is needed: file"),
            ("fine", "fine: is a folder: specify a file in it"),
        ]
    )
    func refused(path: String, words: String) async throws {
        let folder = try Self.folder()
        for command in ["lint bad.json --report junit=\(path)", "check https://127.0.0.1:1 --save-evidence \(path)"] {
            let outcome = try await Self.run("P \(command)", in: folder)
            #expect(outcome.code == 64 && outcome.errors.contains(words), "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("Nothing was sent.") == command.hasPrefix("check"))
            #expect(outcome.text.isEmpty)
        }
        #expect(try folder.read("fine/fixed.xml") == "old")
    }
}
