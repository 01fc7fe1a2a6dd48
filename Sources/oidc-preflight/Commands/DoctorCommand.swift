internal import ArgumentParser
internal import Preflight

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Print the libraries found, and complain about what will not do."
    )

    func run() async throws {
        try await Ending.guarding {
            let diagnosis = Doctor.diagnosis()
            Terminal.print(diagnosis.lines.joined(separator: "\n"))
            for complaint in diagnosis.complaints { Terminal.complain("complaint: \(complaint)") }
            if !diagnosis.complaints.isEmpty { throw ExitCode(1) }
        }
    }
}
