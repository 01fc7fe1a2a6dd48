internal import CommandTable
internal import Conformance
internal import Profiles

/// What the program ends with, thrown to end it.
package struct ExitCode: Error, Equatable {
    package let rawValue: Int32

    package init(_ rawValue: Int32) {
        self.rawValue = rawValue
    }
}

/// How the program ends: one number, one meaning.
package enum Ending {
    package static let undecided = ExitCode(2)
    package static let usage = ExitCode(64)
    package static let defect = ExitCode(70)
    package static let interrupted = ExitCode(130)

    /// Runs the program to its exit code.
    ///
    /// Mistakes of the command line and the configuration become 64, errors of this program 70. Output that could not be
    /// written becomes 64 where all else is well: its place is the user's choice, and to be mended there.
    package static func code(of body: @Sendable () async throws -> Void) async -> ExitCode {
        let code = await codeOfErrors(body)
        guard let reason = Terminal.failureOfOutput else { return code }
        Terminal.complain("Standard output could not be written: \(reason.reason)")
        return code == ExitCode(0) ? usage : code
    }

    private static func codeOfErrors(_ body: @Sendable () async throws -> Void) async -> ExitCode {
        do {
            try await body()
            return ExitCode(0)
        } catch let code as ExitCode {
            return code
        } catch let error as UsageError {
            Terminal.complain(error.text)
            return usage
        } catch let error where isMistake(error) {
            Terminal.complain("\(error)")
            return usage
        } catch {
            Terminal.complain(
                """
                \(Tool.name) has a defect: \(error)
                Please report it with the command line and this message: \(Tool.reportAddress)
                """
            )
            return defect
        }
    }

    /// Runs what sends requests, and says of a mistake that is found before that nothing was sent.
    package static func beforeSending(_ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch let error where isMistake(error) {
            Terminal.complain("\(error)\nNothing was sent.")
            throw usage
        }
    }

    /// Of the user's, in the configuration or a file.
    private static func isMistake(_ error: any Error) -> Bool {
        error is ConfigurationError || error is FileError
    }

    /// Ends with the outcome of a run, which a file that could not be written does not hide.
    ///
    /// - Parameter isWhole: False where something that was asked for could not be written: then a 0 becomes 64.
    package static func end(_ code: Int, isWhole: Bool = true) throws {
        if code != 0 { throw ExitCode(Int32(code)) }
        if !isWhole { throw usage }
    }
}
