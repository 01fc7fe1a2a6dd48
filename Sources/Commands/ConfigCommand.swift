internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

/// Commands for a configuration file that start no run.
enum ConfigCommand {
    static let command = Command(
        "config",
        "Validate a configuration or print its JSON Schema. Sends nothing.",
        examples: [
            .init("oidc-preflight config check"), .init("oidc-preflight config schema > preflight.schema.json"),
        ],
        subcommands: [check, schema],
        fallback: "check"
    )

    private static let heading = "CONFIGURATION"
    private static let file: Argument<String?> = .option(
        "--config",
        short: "-c",
        .file(),
        group: heading,
        "The file to validate.",
        fallback: Configuration.defaultFile
    )
    private static let withoutSecrets: Argument<Bool> = .flag(
        "--without-secrets",
        group: heading,
        "Do not read secrets; their variables and files may be missing."
    )

    private static let check = Command(
        "check",
        "Validate a configuration and print the run that it describes. Sends nothing.",
        text: [
            "Prints all errors with file, line and column, and exits with 64 if there are any. Secrets are shown by their "
                + "source, never by their value."
        ],
        examples: [
            .init("oidc-preflight config check"),
            .init(
                "oidc-preflight config check --config preflight.yaml --without-secrets",
                "in a pipeline without secrets"
            ),
            .init("oidc-preflight config check --target staging"),
        ],
        arguments: [file, Options.target, withoutSecrets, Options.allowIssuer],
        sections: [Sections.secrets],
        run: { invocation in
            let file = invocation[file] ?? Configuration.defaultFile
            let readsSecrets = !invocation[withoutSecrets]
            let configurations = try Configuration.read(
                file,
                targets: invocation.targets,
                profile: nil,
                readsSecrets: readsSecrets,
                isFilledIn: true,
                allowing: invocation[Options.allowIssuer]
            )
            var texts: [String] = []
            for configuration in configurations {
                let runs = try JointRun(configuration, RunOptions(), Files.environment)
                texts.append(runs.configurationText(readsSecrets: readsSecrets))
            }
            Terminal.print(texts.joined(separator: "\n"))
            let targets = configurations.count > 1 ? ", for \(configurations.count) targets" : ""
            Terminal.print("\(file) is valid\(targets). Nothing was sent.")
        }
    )

    private static let schema = Command(
        "schema",
        "Print the JSON Schema of the configuration, for completion and validation in editors.",
        text: [
            "Editors with yaml-language-server (VS Code, Neovim, Helix, JetBrains and others) read its address from the first "
                + "line of the file: # yaml-language-server: $schema=ADDRESS. init writes that line; ADDRESS may be a local file."
        ],
        examples: [.init("oidc-preflight config schema > preflight.schema.json")],
        run: { _ in Terminal.printVerbatim(ConfigurationSchema.text) }
    )
}
