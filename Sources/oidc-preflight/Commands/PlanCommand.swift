internal import CommandTable
internal import Console
internal import Preflight

enum PlanCommand {
    static let command = Command(
        "plan",
        "Print what a run would send, and how many sign-ins it costs. Sends nothing.",
        examples: [
            .init("oidc-preflight plan --config preflight.yaml"),
            .init("oidc-preflight plan https://idp.example.com --only 'discovery.*'"),
            .init("oidc-preflight plan --config preflight.yaml --profile firebase-oidc,supabase,spa"),
        ],
        arguments: [Options.issuer] + Options.judging + [Options.config, Options.tier] + Options.connection
            + Options.limits,
        run: { invocation in
            Terminal.print(try JointRun.prepared(invocation, readsSecrets: false).planText)
        }
    )
}
