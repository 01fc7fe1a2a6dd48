internal import CommandTable
internal import Conformance
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
            let template = ConfigurationTemplate(evidence, of: run)
            if output == "-" {
                Terminal.print(template.text)
            } else {
                try Files.write(template.text, to: output)
                Terminal.complain(
                    "Wrote \(output). Fill in the client, export the variables it names, then: \(Tool.name) check --config \(output)"
                )
            }
            if let reason = template.failure {
                Terminal.complain("\(reason)\nThe file holds placeholders instead.")
                throw Ending.undecided
            }
        }
    }
}
