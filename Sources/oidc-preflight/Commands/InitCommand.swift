internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

enum InitCommand {
    static let command = Command(
        "init",
        "Write a commented preflight.yaml from an issuer's discovery document.",
        text: [
            "For a provider that its platform knows by name, such as GitHub, nothing is asked: the profile knows the rest."
        ],
        examples: [
            .init("oidc-preflight init https://idp.example.com"),
            .init("oidc-preflight init https://github.com/login/oauth --profile firebase-github"),
            .init("oidc-preflight init https://idp.example.com --profile firebase-oidc --output -"),
        ],
        arguments: [issuer, profile, output] + Options.connection,
        sections: [Sections.secrets],
        run: run
    )

    private static let heading = "THE CONFIGURATION"
    private static let issuer: Argument<String> = .operand(.issuer, "The issuer, exactly as it is to be registered.")
    private static let profile: Argument<String> = .option(
        "--profile",
        .profiles(),
        group: heading,
        default: ProfileLibrary.defaultName,
        "The relying platform."
    )
    private static let output: Argument<String> = .option(
        "--output",
        .file(),
        group: heading,
        default: Configuration.defaultFile,
        "The file to write; - is standard output."
    )

    private static func run(_ invocation: Invocation) async throws {
        try await Ending.beforeSending {
            let issuer = invocation[issuer]
            let profile = invocation[profile]
            let output = invocation[output]
            if output != "-", Files.exists(output) {
                throw ConfigurationError(
                    file: output,
                    "the file exists; it is never overwritten. Name another with --output"
                )
            }
            if output != "-" { try Files.prepare(output) }
            var configuration = Configuration(target: .init(issuer: issuer))
            try configuration.route(by: invocation)
            let hasDocument = try PreflightRun.readsDiscovery(profile, Files.environment)
            let run = try PreflightRun(
                configuration: configuration,
                profile: profile,
                tier: .static,
                selection: hasDocument ? .init(only: ["discovery"]) : .init(),
                environment: Files.environment
            )
            let evidence =
                hasDocument ? await Interruption.cancellable { await run.collect { _ in } } : run.emptyEvidence
            if evidence.wasInterrupted {
                Terminal.complain("Interrupted: nothing was written.")
                throw Ending.interrupted
            }
            let template = ConfigurationTemplate(evidence, of: run) { Files.naming($0, in: output) }
            try write(template, to: output)
        }
    }

    private static func write(_ template: ConfigurationTemplate, to output: String) throws {
        if let reason = template.failure {
            Terminal.complain("\(reason)\nNothing was written: what to enter stands in the discovery document.")
            throw Ending.undecided
        }
        if let other = template.otherIssuer {
            Terminal.complain(
                "The document states the issuer \(other.shown(limit: 200)); the one that you named was kept."
            )
        }
        if output == "-" { return Terminal.print(template.text) }
        do {
            try Files.write(template.text, to: output)
        } catch {
            Terminal.complain("The configuration was not written: \(error)")
            throw Ending.usage
        }
        Terminal.complain(
            "Wrote \(output). Fill in the client, export the variables it names, then: \(Tool.name) check --config \(output)"
        )
    }
}
