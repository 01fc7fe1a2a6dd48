internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

enum ChecksCommand {
    static let command = Command(
        "checks",
        "List the checks, or explain one.",
        examples: [
            .init("oidc-preflight checks list --only '*nonce*'"),
            .init("oidc-preflight checks explain discovery.issuer.matches-request"),
        ],
        subcommands: [list, explain],
        fallback: "list"
    )

    private static let list = Command(
        "list",
        "List the checks, one per line: level, identifier, title.",
        examples: [.init("oidc-preflight checks list --profile firebase-oidc --only keys")],
        arguments: Options.judging,
        run: { invocation in
            Terminal.print(
                try CatalogueText.list(
                    profile: invocation[Options.profile],
                    selection: invocation.selection(),
                    environment: Files.environment
                )
            )
        }
    )

    private static let id: Argument<CheckID> = .operand(.check, "The check's identifier.")
    private static let explain = Command(
        "explain",
        "Explain a check: rule, source, impact and fix.",
        examples: [.init("oidc-preflight checks explain discovery.issuer.matches-request")],
        arguments: [id],
        run: { invocation in
            let explanation = try CatalogueText.explanation(of: invocation[id], width: Terminal.width(Terminal.output))
            Terminal.print(explanation ?? "")
        }
    )
}
