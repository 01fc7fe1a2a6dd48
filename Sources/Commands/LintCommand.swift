internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight

internal import struct OIDCPreflight.PreparedRuns

enum LintCommand {
    static let command = Command(
        "lint",
        "Check a discovery document, a key set or both from files, before deployment.",
        text: [
            "The files may be in any order: their type is detected from the content. Without --issuer, the issuer in the "
                + "document is treated as the expected one. Checks that need a live provider (status, headers, TLS, "
                + "sign-in) are skipped."
        ],
        examples: [
            .init("oidc-preflight lint openid-configuration.json"),
            .init("oidc-preflight lint jwks.json", "a key set alone"),
            .init("oidc-preflight lint openid-configuration.json jwks.json --issuer https://idp.example.com"),
            .init("curl -s https://idp.example.com/.well-known/openid-configuration | oidc-preflight lint -"),
        ],
        arguments: [documents, discovery, jwks, issuer] + Options.judging + Options.reports,
        objections: { invocation in
            let named = [invocation[discovery], invocation[jwks]].compactMap(\.self) + invocation[documents]
            var problems: [String] = []
            if named.isEmpty {
                problems.append("specify a discovery document, a key set, or both; - is standard input")
            }
            if named.count(where: { $0 == "-" }) > 1 {
                problems.append("only one document can be standard input: name a file for the other")
            }
            return Reports.objections(invocation) + problems
        },
        run: { invocation in
            let reports = Reports(invocation)
            try reports.prepare()
            let documents = try LintDocuments(
                discovery: invocation[discovery].map(Self.read),
                keys: invocation[jwks].map(Self.read),
                others: invocation[documents].map(Self.read)
            )
            let evidence = PreflightRun.lintEvidence(documents, issuer: invocation[issuer], now: Terminal.now())
            let options = try RunOptions(
                invocation,
                only: documents.discovery == nil ? PreflightRun.keySetChecks : []
            )
            let runs = try PreparedRuns(
                offlineInput: Configuration(judging: evidence),
                upTo: .static,
                options,
                Files.environment
            )
            let fault = MachineClock.fault(showing: evidence.startedAt)
            try reports.conclude(runs, JointEvidence(fault.map(evidence.withheld) ?? evidence))
        }
    )

    private static let heading = "DOCUMENTS"
    private static let documents: Argument<[String]> = .operands(
        .file(),
        "A discovery document, a key set, or both in any order; - is standard input."
    )
    private static let discovery: Argument<String?> = .option(
        "--discovery",
        .file(),
        group: heading,
        "The discovery document, without type detection."
    )
    private static let jwks: Argument<String?> = .option(
        "--jwks",
        .file(),
        group: heading,
        "The key set, without type detection."
    )
    private static let issuer: Argument<String?> = .option(
        "--issuer",
        .text("URL"),
        group: heading,
        "The issuer, exactly as you will register it.",
        fallback: "the issuer in the document"
    )

    private static func read(_ path: String) throws -> (name: String, bytes: [UInt8]) {
        (path == "-" ? PreflightRun.standardInput : path, try Files.read(path, as: .document).get())
    }
}
