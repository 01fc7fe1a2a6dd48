internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

/// What is asked of a configuration without a run.
enum ConfigCommand {
    static let command = Command(
        "config",
        "Check a configuration, or print the schema that editors complete it by. Sends nothing.",
        examples: [
            .init("oidc-preflight config check"), .init("oidc-preflight config schema > preflight.schema.json"),
        ],
        subcommands: [check, schema],
        standing: "check"
    )

    private static let heading = "THE CONFIGURATION"
    private static let file: Argument<String?> = .option(
        "--config",
        short: "-c",
        .file(),
        group: heading,
        "The file to check.",
        standing: Configuration.defaultFile
    )
    private static let withoutSecrets: Argument<Bool> = .flag(
        "--without-secrets",
        group: heading,
        "Read no secret: their variables need not be set, nor their files be there."
    )

    private static let check = Command(
        "check",
        "Read a configuration as a run does, and print what the run would be. Sends nothing.",
        text: [
            "What is wrong is told with file, line and column, all at once; the exit code is 64 then. Secrets are told by their "
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
        arguments: [file, Options.target, withoutSecrets],
        sections: [Sections.secrets],
        run: { invocation in
            let file = invocation[file] ?? Configuration.defaultFile
            let readsSecrets = !invocation[withoutSecrets]
            let configurations = try Configuration.read(
                file,
                targets: invocation.targets,
                profile: nil,
                readsSecrets: readsSecrets,
                isFilledIn: true
            )
            var texts: [String] = []
            for configuration in configurations {
                let runs = try JointRun(configuration, RunOptions(), Files.environment)
                texts.append(runs.configurationText(readsSecrets: readsSecrets))
            }
            Terminal.print(texts.joined(separator: "\n"))
            let targets = configurations.count > 1 ? ", for \(configurations.count) targets" : ""
            Terminal.print("\(file) is right\(targets). Nothing was sent.")
        }
    )

    private static let schema = Command(
        "schema",
        "Print the JSON Schema of the configuration, by which editors complete and check it.",
        text: [
            "An editor with yaml-language-server (VS Code, Neovim, Helix, JetBrains and others) finds it by the first line of the "
                + "file: # yaml-language-server: $schema=ADDRESS. init writes that line; the address may be that of a file beside it."
        ],
        examples: [.init("oidc-preflight config schema > preflight.schema.json")],
        run: { _ in Terminal.printVerbatim(ConfigurationSchema.text) }
    )
}
