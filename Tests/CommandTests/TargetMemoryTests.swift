import Console
import OtherPrograms
import TestSupport
import Testing

/// A run of several targets keeps none of their reports until it ends.
@Suite("Memory of several targets", .phase(.programs), .timeLimit(.minutes(5)))
struct TargetMemoryTests {
    private static let python = Oracle.python("resource")

    /// The peak memory of a run in bytes, as the kernel counts it for the only child of an interpreter.
    private func peak(targets: Int) async throws -> Int {
        let folder = try TemporaryFolder()
        let file = try folder.file(
            "preflight.yaml",
            "targets:\n" + (0..<targets).map { "  t\($0):\n    issuer: http://127.0.0.1:1/\($0)\n" }.joined()
        )
        let script = """
            import resource, subprocess, sys
            code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
            print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
            """
        let outcome = try await OtherProgram.run(
            try await Self.python.path(),
            [
                "-c", script, Program.path, "check", "--config", file, "--report", "json=report.json", "--report",
                "junit=report.xml",
            ],
            environment: [:],
            in: folder.path
        )
        let numbers = outcome.text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        try #require(numbers.first == 2, "\(outcome.text)\(outcome.errors)")
        return numbers[1] * 1024
    }

    @Test(.oracle(python)) func `each further target needs less memory than a tenth of its report`() async throws {
        let (few, many) = (50, 350)
        let growth = try await peak(targets: many) - peak(targets: few)
        // With all reports in memory, it was 4 MB for each target.
        #expect(growth / (many - few) < 60_000, "\(growth / (many - few)) bytes for each target")
    }

    @Test func `texts come back in their order, whether they are in memory or in a file`() throws {
        for lengths in [[], [3, 5], [1 << 20, 1, 7], [5, 2 << 20, 9, 1 << 19, 1 << 20, 4]] {
            var spool = Spool()
            let texts = lengths.enumerated().map { String(repeating: "é\($0)", count: $1) }
            for text in texts { spool.add(text) }
            var found: [String] = []
            try spool.forEach { found.append($0) }
            #expect(found == texts)
        }
    }
}
