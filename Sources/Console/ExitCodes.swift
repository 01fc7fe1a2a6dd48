internal import CommandTable
internal import Conformance
internal import Profiles

/// The exit code, thrown to end the program.
package struct ExitCode: Error, Equatable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// The exit codes, which are the same for every command.
package enum ExitCodes {
    package static let inconclusive = ExitCode(2)
    package static let usage = ExitCode(64)
    package static let defect = ExitCode(70)
    package static let interrupted = ExitCode(130)

    /// Runs the program to its exit code.
    ///
    /// Errors in the command line or the configuration exit with 64, internal errors with 70. If only the output could
    /// not be written, the code is 64.
    ///
    /// - Parameter note: Receives each error in the command line, the configuration or a file after its message.
    package static func code(
        noting note: (any Error) -> Void = { _ in },
        of body: @Sendable () async throws -> Void
    ) async -> ExitCode {
        let code = await codeOfErrors(note, body)
        guard let reason = Terminal.failureOfOutput else { return code }
        Terminal.complain("Standard output could not be written: \(reason.reason)")
        return code == ExitCode(0) ? usage : code
    }

    private static func codeOfErrors(
        _ note: (any Error) -> Void,
        _ body: @Sendable () async throws -> Void
    ) async -> ExitCode {
        do {
            try await body()
            return ExitCode(0)
        } catch let code as ExitCode {
            return code
        } catch let error as UsageError {
            Terminal.complain(error.text)
            note(error)
            return usage
        } catch let error as NothingSent {
            Terminal.complain("\(error.mistake)\nNothing was sent.")
            note(error.mistake)
            return usage
        } catch let error where isMistake(error) {
            Terminal.complain("\(error)")
            note(error)
            return usage
        } catch {
            Terminal.complain(
                """
                internal error: \(error)
                Please report it, with the command line and this message, at \(Tool.reportAddress)
                """
            )
            return defect
        }
    }

    /// A mistake in the configuration or a file, found before the first request.
    private struct NothingSent: Error {
        let mistake: any Error
    }

    /// Runs a command that sends requests; a usage error reports that nothing was sent.
    package static func beforeSending(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error where isMistake(error) {
            throw NothingSent(mistake: error)
        }
    }

    /// Whether the error is in the configuration or a file of the user.
    private static func isMistake(_ error: any Error) -> Bool {
        error is ConfigurationError || error is FileError
    }

    /// Exits with the code of a run, which takes precedence over a file that could not be written.
    ///
    /// - Parameter isWhole: False if a requested output could not be written; 0 then becomes 64.
    package static func end(_ code: Int, isWhole: Bool = true) throws {
        if code != 0 { throw ExitCode(Int32(code)) }
        if !isWhole { throw usage }
    }
}
