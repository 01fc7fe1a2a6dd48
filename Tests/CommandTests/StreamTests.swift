import Foundation
import Testing

/// Streams that take nothing.
@Suite("Streams", .timeLimit(.minutes(5)))
struct StreamTests {
    @Test(
        "a full disk ends with 64 and a message",
        arguments: ["--help", "--version", "checks list", "completions bash", "plan https://a.example"]
    )
    func fullDisk(words: String) async throws {
        let full = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
        let result = try await Program.run(words.split(separator: " ").map(String.init), output: full.fileDescriptor)
        #expect(result.code == 64)
        #expect(result.errors == "Standard output could not be written: no space left on the device\n")
        try full.close()
    }

    @Test("a closed pipe ends the command without a message", arguments: ["--help", "checks list"])
    func closedPipe(words: String) async throws {
        // As the program does at its start.
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let result = try await Program.run(
            words.split(separator: " ").map(String.init),
            output: pipe.fileHandleForWriting.fileDescriptor
        )
        #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
        try pipe.fileHandleForWriting.close()
    }

    @Test("usage errors go to standard error alone, and only commands that send requests say that nothing was sent")
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
