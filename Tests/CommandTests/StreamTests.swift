import OtherPrograms
import Testing

/// What the program does when those that it speaks to do not listen.
@Suite("Streams")
struct StreamTests {
    @Test(
        "what could not be written is no silent success",
        arguments: ["--help", "--version", "checks list", "completions bash", "plan https://a.example"]
    )
    func fullDisk(words: String) async throws {
        let outcome = try await OtherProgram.run("sh", ["-c", "\"$0\" \(words) > /dev/full", Program.path])
        #expect(outcome.code == 64)
        #expect(outcome.errors == "Standard output could not be written: no space left on the device\n")
    }

    @Test("a closed pipe is a quiet end", arguments: ["--help", "checks list"])
    func closedPipe(words: String) async throws {
        let command = "set -o pipefail; \"$0\" \(words) | head -n 1"
        let outcome = try await OtherProgram.run("bash", ["-c", command, Program.path])
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(outcome.text.split(separator: "\n").count == 1)
    }

    @Test("usage errors go to standard error alone, and only what sends says that nothing was sent")
    func errors() async throws {
        for (words, sends) in [
            (["check", "--config", "gone.yaml"], true), (["init", "https://a.example", "--ca-file", "gone.pem"], true),
            (["judge", "gone.json"], false), (["lint", "--discovery", "gone.json"], false),
            (["checks", "list", "--profile", "gone.yaml"], false), (["plan", "--config", "gone.yaml"], false),
        ] {
            let result = try await Program.run(words)
            #expect(result.code == 64 && result.output.isEmpty, "\(words)")
            #expect(result.errors.contains("Nothing was sent.") == sends, "\(words): \(result.errors)")
        }
    }
}
