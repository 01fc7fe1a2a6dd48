internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

enum CompletionsCommand {
    static let command: Command = Command(
        "completions",
        "Print a completion script for a shell.",
        text: [
            "Completes commands, options, checks, profiles, platforms, faults, personas, report formats and files. "
                + "The script calls the program for candidates, so it does not change with new versions."
        ],
        examples: [
            .init("source <(oidc-preflight completions bash)", "in ~/.bashrc"),
            .init("source <(oidc-preflight completions zsh)", "in ~/.zshrc, after compinit"),
            .init(
                "oidc-preflight completions fish > ~/.config/fish/completions/oidc-preflight.fish",
                "once"
            ),
        ],
        arguments: [shell],
        run: { invocation in
            Terminal.printVerbatim(invocation[shell].script(for: Tool.name, asking: "\(candidates.name) --"))
        }
    )

    private static let shell: Argument<Shell> = .operand(.word("SHELL"), "The target shell.")

    /// The command that the scripts call.
    static let candidates: Command = Command(
        "candidates",
        "Print completions of the last word, for the completion scripts.",
        examples: [.init("oidc-preflight candidates -- check --fail-on w")],
        arguments: [words],
        isHidden: true,
        run: { invocation in
            Terminal.write(Offer(for: invocation[words], of: PreflightProgram.command).text, to: Terminal.output)
        }
    )

    private static let words: Argument<[String]> = .operands(
        Kind("WORD") { .success($0) },
        "The words typed so far, after the program's name."
    )
}
