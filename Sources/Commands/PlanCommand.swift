internal import CommandTable
internal import Console
internal import Preflight

internal import struct OIDCPreflight.PreparedRuns

enum PlanCommand {
    static let command = Command(
        "plan",
        "Show the requests and the number of sign-ins of a run. Sends nothing.",
        examples: [
            .init("oidc-preflight plan --config preflight.yaml"),
            .init("oidc-preflight plan https://idp.example.com --only 'discovery.*'"),
            .init("oidc-preflight plan --config preflight.yaml --profile firebase-oidc,supabase,spa"),
        ],
        arguments: [Options.issuer] + Options.judging + [
            Options.config, Options.target, Options.tier, Options.resource,
        ]
            + Options.connection + [Options.allowIssuer]
            + Options.limits,
        run: { invocation in
            let runs = try PreparedRuns(invocation, RunOptions(invocation), readsSecrets: false).targets
            let plans = runs.map { run in
                (runs.count > 1 ? "TARGET \(run.targetName ?? "")\n\n" : "") + run.planText
            }
            Terminal.printColumns(plans.joined(separator: "\n\n"))
        }
    )
}
