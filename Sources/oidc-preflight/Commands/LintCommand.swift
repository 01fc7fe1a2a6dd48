internal import ArgumentParser
internal import Conformance
internal import Preflight
internal import Profiles

struct LintCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Judge a discovery document and a key set from files, before they are deployed.",
        discussion: """
            Without --issuer the issuer that the document states is taken for the one asked for. What only an HTTP answer
            can show (status, headers, TLS) is reported as not attempted.

            EXAMPLES
              oidc-preflight lint --discovery openid-configuration.json
              oidc-preflight lint --discovery doc.json --jwks jwks.json --issuer https://idp.example.com
              curl -s https://idp.example.com/.well-known/openid-configuration | oidc-preflight lint --discovery -
            """
    )

    @Option(help: ArgumentHelp("The discovery document; - is standard input.", valueName: "file"))
    var discovery: String

    @Option(help: ArgumentHelp("The key set.", valueName: "file"))
    var jwks: String?

    @Option(help: ArgumentHelp("The issuer as it is to be registered.", valueName: "url"))
    var issuer: String?

    @OptionGroup var judging: JudgingArguments
    @OptionGroup var reports: ReportArguments

    func validate() throws {
        if discovery == "-", jwks == "-" {
            throw ValidationError("standard input can be one document only: name a file for the other")
        }
    }

    func run() async throws {
        try await Ending.guarding {
            try reports.prepare()
            let document = try Files.read(discovery).get()
            let keys = try jwks.map { try Files.read($0).get() }
            let evidence = PreflightRun.lintEvidence(
                discovery: (discovery, document),
                keys: keys.map { (jwks ?? "", $0) },
                issuer: issuer,
                now: Terminal.now()
            )
            let run = try JointRun.of(Configuration(target: evidence.target), judging, tier: .static)
            try reports.conclude(run.judge(JointEvidence(evidence), now: Terminal.now()))
        }
    }
}
