import FoundationEssentials
import Subprocess

/// Programs that are not ours and that judge what we write.
enum ForeignReader {
    struct Answer {
        var isSuccess: Bool
        var output: String
        var errors: String
    }

    /// Python with junitparser and jsonschema; `nil`, said loudly, where there is none.
    static func python(for purpose: String) -> String? {
        if let path = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_PYTHON"], !path.isEmpty { return path }
        print("** NOT RUN: \(purpose), because OIDC_PREFLIGHT_PYTHON names no Python. Run `make test`. **")
        return nil
    }

    /// Runs a program, given by its name or its path.
    static func run(_ program: String, _ arguments: [String], input: String = "") async throws -> Answer {
        let result = try await Subprocess.run(
            .name("env"),
            arguments: Arguments([program] + arguments),
            input: .string(input),
            output: .string(limit: 8 << 20),
            error: .string(limit: 8 << 20)
        )
        return Answer(
            isSuccess: result.terminationStatus.isSuccess,
            output: result.standardOutput,
            errors: result.standardError
        )
    }
}
