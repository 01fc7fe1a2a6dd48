import Foundation
import OtherPrograms
import Testing

@testable import TestSupport

/// The tool with which the tests run other programs.
@Suite("Other programs", .timeLimit(.minutes(5)))
struct OtherProgramTests {
    private static let endless = ["-c", "echo $$; sleep 600 & echo $!; wait"]

    /// Whether a process is running; a killed process that is not reaped yet is not.
    private static func isRunning(_ process: String) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return false }
        return status.split(separator: ")").last?.split(separator: " ").first != "Z"
    }

    private static func waitForEnd(of processes: [String]) async throws {
        while processes.contains(where: isRunning) {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("a program that exceeds its limit is killed and named")
    func limit() async throws {
        let failure = await #expect(throws: OtherProgram.Failure.self) {
            try await OtherProgram.run("sleep", ["600"], limit: .milliseconds(10))
        }
        #expect(failure?.description.hasPrefix("sleep 600\nexceeded its limit") == true)
    }

    @Test("the lines of a program end at its limit")
    func lines() async throws {
        let running = try RunningProgram("sh", Self.endless, limit: .milliseconds(10))
        for await _ in running.lines {}
        for await _ in running.errorLines {}
        await #expect(throws: OtherProgram.Failure.self) { try await running.end() }
    }

    @Test("a program is killed with its children, and the error has its output")
    func children() async throws {
        let running = try RunningProgram("sh", Self.endless)
        var processes: [String] = []
        for await line in running.lines {
            processes.append(line)
            if processes.count == 2 { break }
        }
        #expect(processes.count == 2 && processes.allSatisfy(Self.isRunning))
        running.kill()
        let outcome = try await running.end()
        #expect(outcome.code == 256 + Int(SIGKILL))
        #expect(outcome.text == processes.map { $0 + "\n" }.joined())
        try await Self.waitForEnd(of: processes)
    }

    @Test("a program is killed when the task that waits for it is cancelled")
    func cancellation() async throws {
        let (processes, reported) = AsyncStream<String>.makeStream()
        let task = Task {
            try await OtherProgram.beside("sh", Self.endless) { running in
                for await line in running.lines {
                    reported.yield(line)
                    break
                }
            }
        }
        var process: String?
        for await line in processes {
            process = line
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await Self.waitForEnd(of: [try #require(process)])
    }
}

/// The programs that a test needs on the machine.
@Suite("Oracles", .timeLimit(.minutes(5)))
struct OracleTests {
    private static let absent: [Oracle] = [.program("no-program-has-this-name"), .python("no_module_has_this_name")]

    @Test("a test without its oracle is skipped, and fails where oracles are required", arguments: absent)
    func missing(oracle: Oracle) async throws {
        #expect(try await !oracle.permitsTest(isRequired: false))
        let error = await #expect(throws: Oracle.Missing.self) { try await oracle.permitsTest(isRequired: true) }
        #expect(error?.description == Oracle.reason + oracle.name)
    }

    @Test("a test with its oracle runs", arguments: [false, true])
    func present(isRequired: Bool) async throws {
        #expect(try await Oracle.program("sh").permitsTest(isRequired: isRequired))
        #expect(try await Oracle.program("sh").path().hasSuffix("/sh"))
    }

    @Test("modules are found without being imported", .oracle(.program("python3")))
    func modules() async throws {
        #expect(try await Oracle.python("sys", "json").permitsTest(isRequired: true))
        #expect(try await !Oracle.python("json", "no_module_has_this_name").permitsTest(isRequired: false))
    }
}
