internal import CommandTable
internal import Conformance
internal import Preflight

enum LintCommand {
    static let command = Command(
        "lint",
        "Judge a discovery document and a key set from files, before they are deployed.",
        text: [
            "Without --issuer the issuer that the document states is taken for the one asked for. What only an HTTP "
                + "answer can show (status, headers, TLS) is reported as not attempted."
        ],
        examples: [
            .init("oidc-preflight lint --discovery openid-configuration.json"),
            .init("oidc-preflight lint --discovery doc.json --jwks jwks.json --issuer https://idp.example.com"),
            .init(
                "curl -s https://idp.example.com/.well-known/openid-configuration | oidc-preflight lint --discovery -"
            ),
        ],
        arguments: [discovery, jwks, issuer] + Options.judging + Options.reports,
        objections: { invocation in
            let readsTwice = invocation[discovery] == "-" && invocation[jwks] == "-"
            return Reports.objections(invocation)
                + (readsTwice ? ["standard input can be one document only: name a file for the other"] : [])
        },
        run: { invocation in
            let reports = Reports(invocation)
            try reports.prepare()
            let document = try Files.read(invocation[discovery]).get()
            let keys = try invocation[jwks].map { ($0, try Files.read($0).get()) }
            let evidence = PreflightRun.lintEvidence(
                discovery: (invocation[discovery], document),
                keys: keys,
                issuer: invocation[issuer],
                now: Terminal.now()
            )
            let run = try JointRun.of(Configuration(target: evidence.target), invocation, tier: .static)
            try reports.conclude(run.judge(JointEvidence(evidence), now: Terminal.now()))
        }
    )

    private static let heading = "DOCUMENTS"
    private static let discovery: Argument<String> = .required(
        "--discovery",
        .file(),
        group: heading,
        "The discovery document; - is standard input."
    )
    private static let jwks: Argument<String?> = .option("--jwks", .file(), group: heading, "The key set.")
    private static let issuer: Argument<String?> = .option(
        "--issuer",
        .text("URL"),
        group: heading,
        "The issuer as it is to be registered.",
        standing: "the one that the document states"
    )
}
