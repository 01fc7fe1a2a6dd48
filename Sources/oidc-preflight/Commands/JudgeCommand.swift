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
            let octets = try Files.read(evidence).get()
            let collected: Evidence
            do {
                collected = try PreflightRun.evidence(from: octets)
            } catch {
                throw ConfigurationError(file: evidence, "\(error)")
            }
            var configuration = Configuration(target: collected.target)
            configuration.profile = collected.profile
            if let config {
                var arguments = TargetArguments()
                arguments.config = config
                arguments.issuer = collected.target.issuer
                let read = try arguments.configuration(
                    profile: judging.profile ?? collected.profile,
                    readsSecrets: false
                )
                configuration.profile = read.profile ?? collected.profile
                configuration.waivers = read.waivers
            }
            let run = try JointRun.of(configuration, judging, tier: collected.tier)
            try reports.conclude(run.judge(JointEvidence(collected), now: Terminal.now()))
        }
    }
}
