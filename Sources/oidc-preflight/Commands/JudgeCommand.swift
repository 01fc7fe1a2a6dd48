internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles

struct JudgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "judge",
        abstract: "Judge saved evidence again, offline: the same judgement, the same reports.",
        discussion: """
            By the profile of the run, unless another is named; several by commas.

            EXAMPLES
              oidc-preflight check --config preflight.yaml --save-evidence run.json
              oidc-preflight judge run.json --profile openid --report json=-
            """
    )

    @Argument(help: ArgumentHelp("A file written by check --save-evidence.", valueName: "evidence"))
    var evidence: String

    @Option(help: ArgumentHelp("A configuration, for its profile and waivers.", valueName: "preflight.yaml"))
    var config: String?

    @OptionGroup var judging: JudgingArguments
    @OptionGroup var reports: ReportArguments

    func run() async throws {
        try await Ending.guarding {
            try reports.prepare()
            let saved = try SavedEvidence(file: evidence, config: config, profile: judging.profile)
            let run = try JointRun.of(saved.configuration, judging, tier: saved.evidence.tier)
            try reports.conclude(run.judge(JointEvidence(saved.evidence), now: Terminal.now()))
        }
    }
}
