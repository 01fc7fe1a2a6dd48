internal import CommandTable
internal import Conformance
internal import Console
internal import FoundationEssentials
internal import JOSE
internal import Preflight
internal import ProviderTable
internal import Reporting

internal import struct OIDCPreflight.PreparedRuns

enum DemoCommand {
    static let command = Command(
        "demo",
        "Check the reference provider twice over HTTPS: without faults, then with three faults.",
        text: [
            "Starts the provider on a free loopback port with a temporary certificate authority, signs in through the "
                + "code and implicit flows, and prints both verdicts. Exits with 0 only if the first gate is open and "
                + "exactly the three faults close the second. With --persona it imitates a public provider, "
                + "checks it by the profile of its platform, and uses faults specific to that provider. A persona that "
                + "violates these rules closes the gate even without faults."
        ],
        examples: [.init("oidc-preflight demo"), .init("oidc-preflight demo --persona github")],
        arguments: [ProviderCommand.arguments.persona, folder, Options.verbose],
        run: { invocation in
            try await Demonstration(
                persona: invocation[ProviderCommand.arguments.persona],
                folder: invocation[folder],
                verbosity: invocation[Options.verbose] ? .full : .brief
            )
            .run()
        }
    )

    private static let folder: Argument<String?> = .option(
        "--report-dir",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Write full reports in all formats to FOLDER/faultless and FOLDER/faults."
    )
}

private struct Demonstration {
    let persona: String
    let folder: String?
    let verbosity: ReportOptions.Verbosity

    func run() async throws {
        for name in ["faultless", "faults"] { try files(name).forEach { try Files.prepare($0.path) } }
        let (sound, open) = try await judge(isFaulty: false, name: "faultless")
        guard Set(open.entries.filter(\.closesGate).map(\.id)) == Set(sound.failures) else {
            Terminal.complain("demo: the findings that close the first gate are not the expected ones")
            throw ExitCode(1)
        }
        guard sound.canShowFaults else { return Terminal.print("The verdict is as expected.") }
        let (faulty, closed) = try await judge(isFaulty: true, name: "faults")
        let expected = Set(faulty.faults.flatMap(\.checks))
        let found = Set(closed.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id))
            .subtracting(faulty.expectedWarnings + faulty.failures)
        guard closed.outcome.gate == .closed, found == expected else {
            let difference = found.symmetricDifference(expected).sorted().map(\.rawValue).joined(separator: ", ")
            Terminal.complain("demo: the failed checks differ from the faults in: \(difference)")
            throw ExitCode(1)
        }
        Terminal.print("Both verdicts are as expected.")
    }

    private func judge(isFaulty: Bool, name: String) async throws -> (provider: RunningProvider, report: Report) {
        try await ProviderExecutable.beside(persona, isFaulty: isFaulty) { provider in
            (provider, try await judge(provider, name: name))
        }
    }

    private func judge(_ provider: RunningProvider, name: String) async throws -> Report {
        let authority = FileManager.default.temporaryDirectory
            .appending(path: "oidc-preflight-\(ProcessInfo.processInfo.processIdentifier)-\(name).pem").path()
        try Files.write(provider.certificateAuthorityPEM, to: authority)
        defer { try? FileManager.default.removeItem(atPath: authority) }
        var options = RunOptions()
        options.profiles = [provider.profile]
        let run = try PreparedRuns([(configuration(provider, authority), options)], Files.environment).targets[0]
        Terminal.print(title(provider))
        let evidence = await Interruption.cancellable { await run.collect { _ in } }
        let report = run.judge(evidence, now: Terminal.now()).reports[0]
        try show(report, name, user: provider.username)
        try ExitCodes.end(evidence.wasInterrupted ? 130 : 0)
        return report
    }

    private func configuration(_ provider: RunningProvider, _ authority: String) throws -> Configuration {
        var configuration = Configuration(target: provider.target)
        configuration.signIn(as: provider.username, password: Secret(provider.password))
        configuration.takeClientSecrets { provider.clientSecrets[$0].map(Secret.init) }
        configuration.takeClientKeys { provider.clientKeys[$0].flatMap { try? PrivateKey(pem: $0) } }
        configuration.takeInitialAccessToken(provider.initialAccessToken.map(Secret.init))
        configuration.trust(authority)
        if let host = provider.hostName {
            let addresses = provider.addresses.joined(separator: ",")
            try configuration.route(caFile: nil, resolve: ["\(host):\(provider.port):\(addresses)"])
        }
        return configuration
    }

    private func title(_ provider: RunningProvider) -> String {
        let (issuer, faults) = (provider.target.issuer, provider.faults)
        guard !faults.isEmpty else { return "== \(issuer), no faults" }
        let words = ["one fault", "two faults", "three faults"]
        let count = words.indices.contains(faults.count - 1) ? words[faults.count - 1] : "\(faults.count) faults"
        return "== \(issuer), \(count):\n" + faults.map { "  - \($0.title)" }.joined(separator: "\n")
    }

    private func files(_ name: String) -> [ReportDestination] {
        folder.map { folder in
            ReportFormat.allCases.map { ReportDestination($0, inFolder: "\(folder)/\(name)") }
        } ?? []
    }

    /// Prints the report as `check` does.
    private func show(_ report: Report, _ name: String, user: String) throws {
        let options = ReportOptions(
            color: Terminal.wantsColor(Terminal.output),
            width: Terminal.width(Terminal.output),
            verbosity: verbosity,
            user: user
        )
        Terminal.print(ReportFormat.text.render(report, options: options))
        for file in files(name) { try Files.write(file.format.render(report), to: file.path) }
        Terminal.print("")
    }
}
