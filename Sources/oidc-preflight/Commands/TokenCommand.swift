internal import ArgumentParser
internal import Conformance
internal import FoundationEssentials
internal import Preflight
internal import Profiles

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Judge one ID Token.",
        discussion: """
            The token is read from a file or standard input, never from the command line. Nonce, access token and code are
            optional: with them nonce, at_hash and c_hash are judged as well. With --profile it is judged by what that platform
            demands of ID Tokens, too.

            EXAMPLES
              oidc-preflight token id_token.txt --jwks jwks.json --issuer https://idp.example.com --client-id my-client
              pbpaste | oidc-preflight token - --jwks https://idp.example.com/jwks --issuer https://idp.example.com \\
                --client-id my-client --nonce "$NONCE" --at 2026-11-21T12:00:00Z
              oidc-preflight token id_token.txt --jwks jwks.json --issuer https://idp.example.com --client-id my-client \\
                --profile kubernetes,vault
            """
    )

    @Argument(help: ArgumentHelp("The token's file; - is standard input.", valueName: "file"))
    var token = "-"

    @Option(help: ArgumentHelp("The key set: a file or an address.", valueName: "file|url"))
    var jwks: String

    @Option(help: ArgumentHelp("The issuer as it is registered.", valueName: "url"))
    var issuer: String

    @Option(help: ArgumentHelp("The client that the token is for.", valueName: "id"))
    var clientID: String

    @Option(help: ArgumentHelp("The nonce that was sent.", valueName: "nonce"))
    var nonce: String?

    @Option(help: ArgumentHelp("The access token issued with it.", valueName: "token"))
    var accessToken: String?

    @Option(help: ArgumentHelp("The code issued with it.", valueName: "code"))
    var code: String?

    @Option(
        help: ArgumentHelp(
            "When it arrived: 2026-11-21T12:00:00Z or seconds since 1970. Default: now.",
            valueName: "time"
        )
    )
    var at: Moment?

    @OptionGroup var judging: JudgingArguments
    @OptionGroup var reports: ReportArguments
    @OptionGroup var network: NetworkArguments

    func validate() throws {
        if token == "-", jwks == "-" {
            throw ValidationError("standard input can be one of the two only: name a file for the token or the key set")
        }
    }

    func run() async throws {
        try await Ending.guarding {
            try reports.prepare()
            let text = String(decoding: try Files.read(token).get(), as: UTF8.self).trimmingASCIISpace
            if text.isEmpty {
                throw ConfigurationError(file: token == "-" ? "standard input" : token, "there is no token in it")
            }
            var configuration = Configuration(target: Target(issuer: issuer))
            try network.apply(to: &configuration)
            let handed = HandedToken(
                token: Secret(text),
                issuer: issuer,
                clientID: clientID,
                nonce: nonce,
                accessToken: accessToken.map { Secret($0) },
                code: code.map { Secret($0) },
                receivedAt: at?.seconds ?? Terminal.now()
            )
            let evidence: Evidence
            if jwks.hasPrefix("http://") || jwks.hasPrefix("https://") {
                let address = jwks
                let network = configuration
                evidence = await Interruption.cancellable {
                    await PreflightRun.tokenEvidence(handed, keysAddress: address, configuration: network)
                }
            } else {
                evidence = PreflightRun.tokenEvidence(handed, keys: (jwks, try Files.read(jwks).get()))
            }
            let selection = try judging.selection()
            let run = try JointRun.of(
                Configuration(target: evidence.target),
                judging,
                tier: .full,
                selecting: Selection(
                    only: selection.only.isEmpty ? PreflightRun.tokenChecks : selection.only,
                    skip: selection.skip
                )
            )
            try reports.conclude(run.judge(JointEvidence(evidence), now: Terminal.now()))
        }
    }
}

/// A point in time on the command line.
struct Moment: ExpressibleByArgument, Sendable {
    /// Since 1970.
    let seconds: Double

    init?(argument: String) {
        if let seconds = Double(argument), seconds.isFinite {
            self.seconds = seconds
        } else if let date = try? Date(argument, strategy: .iso8601) {
            self.seconds = date.timeIntervalSince1970
        } else {
            return nil
        }
    }
}
