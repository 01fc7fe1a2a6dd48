internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

internal import struct OIDCPreflight.PreparedRuns

enum JudgeCommand {
    static let command = Command(
        "judge",
        "Evaluate saved evidence again, offline, with the same checks and reports.",
        text: ["Uses the profile of the run unless --profile names another; separate several with commas."],
        examples: [
            .init("oidc-preflight check --config preflight.yaml --save-evidence run.json"),
            .init("oidc-preflight judge run.json --profile openid --report json=-"),
        ],
        arguments: [evidence] + Options.judging + [Options.require, Options.baseline, config, Options.target]
            + Options.reports,
        objections: Reports.objections,
        run: { invocation in
            let reports = Reports(invocation)
            try reports.prepare()
            let saved = try SavedEvidence(
                file: invocation[evidence],
                config: invocation[config],
                targets: invocation.targets,
                profile: invocation[Options.profile]
            )
            var options = try RunOptions(invocation)
            options.required = invocation[Options.require]
            options.baseline = try invocation[Options.baseline].map(EarlierReport.init)?.report(for:)
            let runs = try PreparedRuns(
                offlineInput: saved.configuration,
                upTo: saved.evidence.tier,
                options,
                Files.environment
            )
            try reports.conclude(runs, JointEvidence(saved.evidence))
        }
    )

    private static let evidence: Argument<String> = .operand(
        .file("EVIDENCE"),
        "A file written by check --save-evidence."
    )
    private static let config: Argument<String?> = .option(
        "--config",
        .file(),
        group: Heading.judging,
        "A configuration to take the profile and waivers from."
    )
}
