internal import CommandTable
internal import Console
internal import Preflight

enum DoctorCommand {
    static let command = Command(
        "doctor",
        "Print the libraries found and what is heard of the environment, and complain about what will not do.",
        examples: [.init("oidc-preflight doctor")],
        run: { _ in
            let diagnosis = Doctor.diagnosis(Files.environment, installation: Installation.lines)
            Terminal.print(diagnosis.lines.joined(separator: "\n"))
            for complaint in diagnosis.complaints { Terminal.complain("complaint: \(complaint)") }
            if !diagnosis.complaints.isEmpty { throw ExitCode(1) }
        }
    )
}
