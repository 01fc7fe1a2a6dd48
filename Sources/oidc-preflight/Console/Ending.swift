internal import ArgumentParser
internal import Preflight
internal import Profiles

/// How the program ends: one number, one meaning.
enum Ending {
    static let undecided = ExitCode(2)
    static let usage = ExitCode(64)
    static let defect = ExitCode(70)
    static let interrupted = ExitCode(130)

    /// Runs a command; errors of the configuration become exit 64, errors of this program exit 70.
    static func guarding(_ body: () async throws -> Void) async throws {
        Terminal.surviveClosedPipes()
        do {
            try await body()
        } catch let error as ConfigurationError {
            Terminal.complain("\(error)\nNothing was sent.")
            throw usage
        } catch let error as FileError {
            Terminal.complain("\(error)\nNothing was sent.")
            throw usage
        } catch let error as ExitCode {
            throw error
        } catch let error as ValidationError {
            throw error
        } catch {
            Terminal.complain(
                """
                \(Tool.name) has a defect: \(error)
                Please report it with the command line and this message: \(Tool.reportAddress)
                """
            )
            throw defect
        }
    }

    static func end(_ code: Int) throws {
        if code != 0 { throw ExitCode(Int32(code)) }
    }
}
