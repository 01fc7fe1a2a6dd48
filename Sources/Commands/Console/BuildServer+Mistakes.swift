internal import CommandTable
internal import Conformance
internal import Console
internal import Profiles
internal import Reporting

/// Errors that end the program before a run, where a build server shows them.
extension BuildServer {
    /// Writes log commands for an error in the command line, the configuration or a file.
    ///
    /// They go to standard error, which these servers read as well: standard output may be a file.
    func annotate(_ error: any Error) {
        let root = SourceRoot(workingFolder: Files.workingFolder, root: checkout(Terminal.environment))
        let mistakes = Self.mistakes(error)
        switch self {
        case .github: Terminal.write(GitHubCommands.annotations(of: mistakes, root: root), to: Terminal.errors)
        case .azure: Terminal.write(AzureCommands.issues(of: mistakes, root: root), to: Terminal.errors)
        case .gitlab, .none: return
        }
    }

    private static func mistakes(_ error: any Error) -> [Mistake] {
        switch error {
        case let error as ConfigurationError:
            error.problems.map { problem in
                guard let line = problem.line else { return Mistake(message: problem.description) }
                return Mistake(message: problem.message, place: SourcePlace(file: problem.file, line: line))
            }
        case let error as UsageError: error.problems.map { Mistake(message: $0) }
        default: [Mistake(message: "\(error)")]
        }
    }
}
