internal import CommandTable
internal import Preflight

enum DoctorCommand {
    static let command = Command(
        "doctor",
        "Print the versions of the libraries, and name those that the program cannot work with.",
        examples: [.init("oidc-preflight doctor")],
        run: { _ in
            let diagnosis = Doctor.diagnosis()
            Terminal.print(diagnosis.lines.joined(separator: "\n"))
            for complaint in diagnosis.complaints { Terminal.complain("complaint: \(complaint)") }
            if !diagnosis.complaints.isEmpty { throw ExitCode(1) }
        }
    )
}
