internal import ArgumentParser
internal import Conformance
internal import FoundationEssentials
internal import Preflight
internal import ReferenceProvider
internal import Reporting

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Judge the reference provider twice over HTTPS: faultless, then with three faults.",
        discussion: """
            Starts the provider on a free loopback port with an authority made on the spot, signs in through the code and
            the implicit flow, and prints both verdicts. Exits 0 only when the first gate is open and the second closed
            by exactly the three faults.
            """
    )

    @Option(help: ArgumentHelp("Where to write the reports.", valueName: "folder"))
    var output = ReportArguments.defaultFolder

    /// One fault in a document, one in the front channel, one in a token: each is seen in another room.
    static let faults = [
        "discovery.subject-types-supported.is-present", "authorization.state.is-echoed", "idtoken.aud.holds-client",
    ]

    func run() async throws {
        try await Ending.guarding {
            let faults = try Self.faults.map(ProviderCommand.fault)
            let open = try await judge(faults: [], name: "faultless")
            let closed = try await judge(faults: faults, name: "three-faults")
            guard open.outcome.gate == .open else {
                Terminal.complain("demo: the faultless provider must find the gate open")
                throw ExitCode(1)
            }
            let expected = Set(faults.map(\.trips) + faults.flatMap(\.also))
            let found = Set(closed.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id))
            guard closed.outcome.gate == .closed, found == expected else {
                let difference = found.symmetricDifference(expected).sorted().map(\.rawValue).joined(separator: ", ")
                Terminal.complain("demo: the three faults must close the gate, and nothing else: \(difference)")
                throw ExitCode(1)
            }
            Terminal.print("Both verdicts are the expected ones.")
        }
    }

    private func judge(faults: [Fault], name: String) async throws -> Report {
        let persona = Persona.standard
        let provider = try await ReferenceProvider.start(ReferenceProviderConfiguration(persona, faults: faults))
        let authority = FileManager.default.temporaryDirectory.appending(path: "oidc-preflight-\(name).pem").path()
        try Files.write(provider.certificateAuthorityPEM, to: authority)
        defer { try? FileManager.default.removeItem(atPath: authority) }
        var configuration = Configuration(target: provider.target(faults))
        configuration.signIn(as: persona.credentials.username, password: persona.credentials.password)
        configuration.takeClientSecrets(from: persona.clientSecret)
        configuration.takeClientKeys(from: persona.clientKey)
        configuration.trust(authority)
        let run = try PreflightRun(
            configuration: configuration,
            profile: "firebase-oidc",
            surroundings: Files.surroundings
        )
        Terminal.print(title(name, faults: faults, issuer: provider.issuer))
        let evidence = await Interruption.cancellable { await run.collect { _ in } }
        await provider.stop()
        let report = run.judge(evidence, now: Terminal.now())
        tell(report, folder: "\(output)/demo-\(name)")
        try Ending.end(evidence.wasInterrupted ? 130 : 0)
        return report
    }

    private func title(_ name: String, faults: [Fault], issuer: String) -> String {
        let wrong = faults.isEmpty ? "no fault" : faults.map { "  - \($0.title)" }.joined(separator: "\n")
        return faults.isEmpty ? "== \(issuer), \(wrong)" : "== \(issuer), three faults:\n\(wrong)"
    }

    private func tell(_ report: Report, folder: String) {
        for entry in report.entries where entry.closesGate || entry.blocksOpening {
            Terminal.print("\(entry.verdict.word)  \(entry.id)")
            for finding in entry.verdict.findings {
                let subject = finding.subject.map { "\($0): " } ?? ""
                Terminal.print("    \(subject)\(finding.message)\n    fix: \(finding.fix)")
            }
        }
        Terminal.print(report.outcome.summary)
        Rendering.writeAll(JointReport(report), to: folder)
        Terminal.print("")
    }
}
