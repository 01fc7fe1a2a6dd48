internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles

struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write a commented preflight.yaml from an issuer's discovery document.",
        discussion: """
            For a provider that its platform knows by name, such as GitHub, nothing is asked: the profile knows the rest.

            EXAMPLES
              oidc-preflight init https://idp.example.com
              oidc-preflight init https://github.com/login/oauth --profile firebase-github
              oidc-preflight init https://idp.example.com --profile firebase-oidc --output -
            """
    )

    @Argument(help: ArgumentHelp("The issuer, exactly as it is to be registered.", valueName: "issuer"))
    var issuer: String

    @Option(help: ArgumentHelp("The relying platform.", valueName: "name|file"))
    var profile = ProfileLibrary.defaultName

    @Option(help: ArgumentHelp("The file to write; - is standard output.", valueName: "path"))
    var output = TargetArguments.defaultFile

    @OptionGroup var network: NetworkArguments

    func run() async throws {
        try await Ending.guarding {
            if output != "-", Files.exists(output) {
                throw ConfigurationError(
                    file: output,
                    "the file exists; it is never overwritten. Name another with --output"
                )
            }
            if let why = Configuration.problem(ofIssuer: issuer) { throw ConfigurationError(file: Tool.name, why) }
            if output != "-" { try Files.prepare(output) }
            var configuration = Configuration(target: .init(issuer: issuer))
            try network.apply(to: &configuration)
            let hasDocument = try PreflightRun.readsDiscovery(profile, Files.surroundings)
            let run = try PreflightRun(
                configuration: configuration,
                profile: profile,
                tier: .static,
                selection: hasDocument ? .init(only: ["discovery"]) : .init(),
                surroundings: Files.surroundings
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
