internal import CommandTable
internal import Conformance
internal import Preflight
internal import Profiles

enum TokenCommand {
    static let command = Command(
        "token",
        "Judge one ID Token.",
        text: [
            "The token is read from a file or standard input, never from the command line. Nonce, access token and code "
                + "are optional: with them nonce, at_hash and c_hash are judged as well. With --profile it is judged by "
                + "what that platform demands of ID Tokens, too."
        ],
        examples: [
            .init(
                "oidc-preflight token id_token.txt --jwks jwks.json --issuer https://idp.example.com --client-id my-client"
            ),
            .init(
                "pbpaste | oidc-preflight token - --jwks https://idp.example.com/jwks --issuer https://idp.example.com "
                    + "--client-id my-client --nonce \"$NONCE\" --at 2026-11-21T12:00:00Z"
            ),
            .init(
                "oidc-preflight token id_token.txt --jwks jwks.json --issuer https://idp.example.com --client-id my-client "
                    + "--profile kubernetes,vault"
            ),
        ],
        arguments: [token, jwks, issuer, clientID, nonce, accessToken, code, at] + Options.judging + Options.connection
            + Options.reports,
        sections: [
            .init(
                "SECRETS",
                [
                    "Other users of a machine can read its command lines: hand an access token or a code over in its "
                        + "variable rather than as an option."
                ]
            )
        ],
        objections: { invocation in
            let readsTwice = invocation[token] ?? "-" == "-" && invocation[jwks] == "-"
            let problem = "standard input can be one of the two only: name a file for the token or the key set"
            return Reports.objections(invocation) + (readsTwice ? [problem] : [])
        },
        run: run
    )

    private static let heading = "THE TOKEN"
    private static let token: Argument<String?> = .operand(
        optional: .file(),
        "The token's file; - is standard input.",
        standing: "-"
    )
    private static let jwks: Argument<String> = .required(
        "--jwks",
        .file("FILE|URL"),
        group: heading,
        "The key set: a file or an address."
    )
    private static let issuer: Argument<String> = .required(
        "--issuer",
        .text("URL"),
        group: heading,
        "The issuer as it is registered."
    )
    private static let clientID: Argument<String> = .required(
        "--client-id",
        .text("ID"),
        group: heading,
        "The client that the token is for."
    )
    private static let nonce: Argument<String?> = .option(
        "--nonce",
        .text("NONCE"),
        group: heading,
        "The nonce that was sent."
    )
    private static let accessToken: Argument<String?> = .option(
        "--access-token",
        .text("TOKEN"),
        group: heading,
        "The access token issued with it.",
        environment: "OIDC_PREFLIGHT_ACCESS_TOKEN"
    )
    private static let code: Argument<String?> = .option(
        "--code",
        .text("CODE"),
        group: heading,
        "The code issued with it.",
        environment: "OIDC_PREFLIGHT_CODE"
    )
    private static let at: Argument<Moment?> = .option(
        "--at",
        .moment,
        group: heading,
        "When it arrived: 2026-11-21T12:00:00Z or seconds since 1970.",
        standing: "now"
    )

    private static func run(_ invocation: Invocation) async throws {
        try await Ending.beforeSending {
            let reports = Reports(invocation)
            try reports.prepare()
            let file = invocation[token] ?? "-"
            let text = String(decoding: try Files.read(file).get(), as: UTF8.self).trimmingASCIISpace
            if text.isEmpty {
                throw ConfigurationError(file: file == "-" ? "standard input" : file, "there is no token in it")
            }
            var network = Configuration(target: Target(issuer: invocation[issuer]))
            try network.route(by: invocation)
            let handed = HandedToken(
                token: Secret(text),
                issuer: invocation[issuer],
                clientID: invocation[clientID],
                nonce: invocation[nonce],
                accessToken: invocation[accessToken].map { Secret($0) },
                code: invocation[code].map { Secret($0) },
                receivedAt: invocation[at]?.seconds ?? Terminal.now()
            )
            let keys = invocation[jwks]
            let evidence: Evidence
            if keys.hasPrefix("http://") || keys.hasPrefix("https://") {
                evidence = await Interruption.cancellable { [network] in
                    await PreflightRun.tokenEvidence(handed, keysAddress: keys, configuration: network)
                }
            } else {
                evidence = PreflightRun.tokenEvidence(handed, keys: (keys, try Files.read(keys).get()))
            }
            let run = try JointRun.of(
                Configuration(target: evidence.target),
                invocation,
                tier: .full,
                only: PreflightRun.tokenChecks
            )
            try reports.conclude(run.judge(JointEvidence(evidence), now: Terminal.now()))
        }
    }
}
