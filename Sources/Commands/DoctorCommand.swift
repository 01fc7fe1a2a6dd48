internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles
internal import ProviderTable

enum DoctorCommand {
    static let command = Command(
        "doctor",
        "Show detected libraries and environment variables, and report problems.",
        examples: [.init("oidc-preflight doctor")],
        run: { _ in
            let diagnosis = Doctor.diagnosis(Files.environment, installation: Installation.lines)
            Terminal.printColumns((diagnosis.lines + variables).joined(separator: "\n"))
            let complaints = diagnosis.complaints + invalidVariables
            for complaint in complaints { Terminal.complain("problem: \(complaint)") }
            Terminal.print(complaints.isEmpty ? "No problems." : "\(counted(complaints.count, "problem")).")
            if !complaints.isEmpty { throw ExitCode(1) }
        }
    )

    /// The variables of options whose values `check` rejects, each with the reason.
    private static var invalidVariables: [String] {
        do throws(UsageError) {
            _ = try PreflightProgram.command.read(
                [CheckCommand.command.name],
                prefix: ProgramVariables.prefix,
                environment: Terminal.environment,
                nearest: NearestWord.of
            )
            return []
        } catch {
            // The command line is empty, so that every problem is a variable's.
            return error.problems
        }
    }

    /// A line for each variable of this program that is set, then the names of the unset ones.
    ///
    /// No value is shown: it may be a secret.
    private static var variables: [String] {
        let all = PreflightProgram.command.variables(ProgramVariables.prefix) + ProgramVariables.secrets
        let isSet = { (name: String) in Terminal.environment(name)?.isEmpty == false }
        let unset = ProgramVariables.secrets.filter { !isSet($0) }.sorted().joined(separator: ", ")
        let options = counted(all.filter { !isSet($0) && !ProgramVariables.secrets.contains($0) }.count, "variable")
        return all.filter(isSet).sorted().map { "variable  \($0) is set" }
            + (unset.isEmpty ? [] : ["variable  not set: \(unset)"])
            + ["variable  not set: \(options) of options (OIDC_PREFLIGHT_…)"]
    }
}
