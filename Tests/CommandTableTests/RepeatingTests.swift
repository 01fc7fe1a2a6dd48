import CommandTable
import Testing

/// The line of one command with the arguments of another.
@Suite("Repeating arguments", .timeLimit(.minutes(5)))
struct RepeatingTests {
    @Test(
        "arguments that both commands take are repeated, and quoted for a shell",
        arguments: [
            (["a"], "--shape square a"),
            (["--color", "red", "a", "--color=b c"], "--shape square --color red --color 'b c' a"),
            (["it's", "--quiet"], #"--shape square --quiet 'it'\''s'"#),
            (["~", "--color=-x"], "--shape square --color=-x '~'"),
            (["b", "--count", "3"], "--shape square b"), (["a\u{7}"], nil),
            (["a", "--as", "png=b"], "--shape square a"),
        ] as [([String], String?)]
    )
    func repeated(words: [String], line: String?) throws {
        let other = Command(
            "other",
            "Takes some.",
            examples: [],
            arguments: [Sample.colors, Sample.quiet, Sample.count, Sample.shape],
            run: { _ in }
        )
        let invocation = try #require(Sample.invocation(["draw", "--output", "o"] + words))
        #expect(invocation.line(of: other, ["--shape", "square"]) { $0.group != "LIMITS" } == line)
    }

    @Test("a value from a variable is not repeated, because the other command reads the variable")
    func variables() throws {
        let request = try Sample.program.read(
            ["draw", "circle", "--output", "o"],
            prefix: "SAMPLE_",
            environment: { $0 == "SAMPLE_COLOR" ? "red" : nil },
            nearest: { _, _ in nil }
        )
        guard case .run(_, let invocation) = request else {
            Issue.record("no invocation")
            return
        }
        #expect(invocation.line(of: Sample.draw) { $0.group == "DRAWING" }?.isEmpty == true)
    }
}
