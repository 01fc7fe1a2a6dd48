/// Programs that are not ours, or ours as a user runs it: the one place of the tests that starts a process.
package enum OtherProgram {
    /// The output and the exit code of a program.
    package struct Outcome: Sendable {
        /// The exit code; a signal's number above 256, as no exit code can be.
        package let code: Int
        package let output: [UInt8]
        package let errors: String

        package var isSuccess: Bool { code == 0 }

        /// Its standard output.
        package var text: String { String(decoding: output, as: UTF8.self) }

        /// Its standard output, followed by its standard error.
        package var words: String { text + errors }
    }

    /// A program that could not be started, or that did not end as it should have.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The time after which a program that has not ended is killed, unless the caller allows another one.
    package static let usualLimit: Duration = .seconds(60)

    /// Runs a program to its end without blocking a thread.
    ///
    /// - Parameters:
    ///   - program: A name that is looked up in PATH, or a path.
    ///   - environment: Changes to this process's own; nil removes a variable.
    ///   - folder: Where it runs; this process's own when nil.
    ///   - limit: The time after which the program and its children are killed.
    /// - Throws: ``Failure`` with the output so far if the program exceeds its limit; `CancellationError` if the task is cancelled,
    ///   which kills the program as well.
    package static func run(
        _ program: String,
        _ arguments: [String] = [],
        input: some ProgramInput = "",
        environment: [String: String?] = [:],
        in folder: String? = nil,
        limit: Duration = usualLimit
    ) async throws -> Outcome {
        let running = try RunningProgram(program, arguments, environment: environment, in: folder, limit: limit)
        running.feed(input.bytes)
        return try await running.end()
    }

    /// Runs a program beside `body`; closes its input after that, and waits for its end.
    ///
    /// A program that does not end by itself is to be sent a signal by `body`; it is killed when `body` throws or its limit is exceeded.
    package static func beside<Value>(
        _ program: String,
        _ arguments: [String] = [],
        environment: [String: String?] = [:],
        in folder: String? = nil,
        limit: Duration = usualLimit,
        _ body: (RunningProgram) async throws -> Value
    ) async throws -> (value: Value, outcome: Outcome) {
        let running = try RunningProgram(program, arguments, environment: environment, in: folder, limit: limit)
        do {
            let value = try await body(running)
            running.feed([])
            return (value, try await running.end())
        } catch {
            running.kill()
            throw error
        }
    }
}

/// The standard input of a program.
package protocol ProgramInput {
    var bytes: [UInt8] { get }
}

extension String: ProgramInput {
    package var bytes: [UInt8] { Array(utf8) }
}

extension [UInt8]: ProgramInput {
    package var bytes: [UInt8] { self }
}
