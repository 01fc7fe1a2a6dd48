internal import ArgumentParser
internal import Preflight

struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract: "Print what a run would send, and how many sign-ins it costs. Sends nothing.",
        discussion: """
            EXAMPLES
              oidc-preflight plan --config preflight.yaml
              oidc-preflight plan https://idp.example.com --only 'discovery.*'
              oidc-preflight plan --config preflight.yaml --profile firebase-oidc,supabase,spa
            """
    )

    @OptionGroup var target: TargetArguments
    @OptionGroup var judging: JudgingArguments
    @OptionGroup var network: NetworkArguments

    func run() async throws {
        try await Ending.guarding {
            Terminal.print(try JointRun.prepared(target, judging, network, readsSecrets: false).planText)
        }
    }
}
