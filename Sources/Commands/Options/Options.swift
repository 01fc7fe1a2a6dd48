internal import CommandTable
internal import Conformance
internal import Preflight
internal import Reporting

/// The headings of options in help.
enum Heading {
    static let judging = "CHECKS"
    static let sending = "RUN"
    static let connection = "CONNECTION"
    static let fleet = "BATCH"
    static let limits = "LIMITS"
    static let reports = "REPORTS"
}

/// The arguments that several commands share.
enum Options {
    static let issuer: Argument<String?> =
        .operand(
            optional: .issuer,
            "The issuer, exactly as you will register it.",
            fallback: "the issuer of the configuration"
        )
        .orVariable

    // The checks, their rules, and the findings that close the gate.

    static let profile: Argument<String?> = .option(
        "--profile",
        .profiles("NAME|FILE,…", isList: true),
        group: Heading.judging,
        "The rules of the relying platform; separate several with commas. all means every platform, and all:go-oidc those "
            + "that extend go-oidc.",
        fallback: "openid, unless the configuration or the saved evidence names another"
    )
    static let only: Argument<[CheckPattern]> = .repeated(
        "--only",
        .checks,
        group: Heading.judging,
        "Run only these checks; * matches any text, and the name of a stage matches all its checks."
    )
    static let skip: Argument<[CheckPattern]> = .repeated(
        "--skip",
        .checks,
        group: Heading.judging,
        "Skip these checks."
    )
    static let failOn: Argument<Level> = .option(
        "--fail-on",
        .word("LEVEL"),
        group: Heading.judging,
        default: .error,
        "Lowest level of a finding that closes the gate."
    )
    static let require: Argument<Tier?> = .option(
        "--require",
        .word("TIER"),
        group: Heading.judging,
        "Exit with 2 unless the run reaches TIER; full also requires a completed sign-in.",
        fallback: "any tier"
    )
    static let baseline: Argument<String?> = .option(
        "--baseline",
        .file("REPORT"),
        group: Heading.judging,
        "An earlier JSON report. Its errors are shown as known; only new errors close the gate. If a check failed there and "
            + "is skipped now, the gate does not open."
    )
    static let judging: [any Declared] = [profile, only, skip, failOn]

    // The tier and the target.

    static let config: Argument<String?> = .option(
        "--config",
        short: "-c",
        .file(),
        group: Heading.sending,
        "The configuration of client and sign-in (see init).",
        fallback: "\(Configuration.defaultFile), if no issuer is given"
    )
    static let target: Argument<[String]> = .repeated(
        "--target",
        .text("NAME,…"),
        group: Heading.sending,
        "Use only this target of the configuration; separate several with commas."
    )
    static let tier: Argument<Tier?> = .option(
        "--tier",
        .word("TIER"),
        group: Heading.sending,
        "static: public documents only; unauthenticated: also requests that need no user; full: also sign-ins.",
        fallback: "the highest that the configuration allows"
    )
    static let resource: Argument<String?> = .option(
        "--resource",
        .text("URL"),
        group: Heading.sending,
        "The protected resource for which tokens are requested, such as the URL of an MCP server.",
        fallback: "from the configuration"
    )
    static let maxSignIns: Argument<Int?> = .option(
        "--max-sign-ins",
        .integer(in: 1...Int.max, alternative: "; use --tier unauthenticated for a run without sign-ins"),
        group: Heading.limits,
        "Maximum number of sign-ins; the most expensive scenarios are dropped first."
    )

    static let driver: Argument<PageDriver?> = .option(
        "--driver",
        .word("DRIVER"),
        group: Heading.sending,
        "How to sign in: form (HTML forms over HTTP), browser (automated browser), or manual (by hand in your own browser).",
        fallback: "from the configuration, else form, and browser for pages that need JavaScript"
    )
    static let browser: Argument<PageBrowser?> = .option(
        "--browser",
        .word("BROWSER"),
        group: Heading.sending,
        "The automated browser for the sign-in pages.",
        fallback: "from the configuration, else chromium if installed, else firefox"
    )
    static let showBrowser: Argument<Bool> = .flag(
        "--show-browser",
        group: Heading.sending,
        "Show the window of the automated browser."
    )
    static let noOpen: Argument<Bool> = .flag(
        "--no-open",
        group: Heading.sending,
        "With --driver manual: print the sign-in address instead of opening a browser."
    )
    static let driving: [any Declared] = [driver, browser, showBrowser, noOpen]
    static let screenshots: Argument<String?> = .option(
        "--screenshots",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Save a screenshot of each page on which a browser sign-in fails, as FOLDER/sign-in-1.png and so on, with mode 600. "
            + "Form input is never captured.",
        fallback: "the folder of --report-dir"
    )

    static let maxTime: Argument<Double?> = .option(
        "--max-time",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        "Stop sending requests after SECONDS.",
        fallback: "300 seconds"
    )
    static let maxRequests: Argument<Int?> = .option(
        "--max-requests",
        .integer(in: 1...Int.max),
        group: Heading.limits,
        "Maximum number of requests.",
        fallback: "1500"
    )
    static let maxBytes: Argument<Int?> = .option(
        "--max-bytes",
        .integer(in: 1...Int.max),
        group: Heading.limits,
        "Maximum number of bytes to receive.",
        fallback: "100 MB"
    )
    static let limits: [any Declared] = [maxSignIns, maxTime, maxRequests, maxBytes]

    // Connections to the issuer.

    static let caFile: Argument<String?> = .option(
        "--ca-file",
        .file(),
        group: Heading.connection,
        "Trust the certificate authorities in this PEM file in addition to the system's."
    )
    static let resolve: Argument<[String]> = .repeated(
        "--resolve",
        .text("HOST:PORT:ADDR"),
        group: Heading.connection,
        "Connect to ADDR for HOST:PORT instead of resolving the name."
    )
    static let connectTo: Argument<[String]> = .repeated(
        "--connect-to",
        .text("HOST:PORT:ADDR:PORT"),
        group: Heading.connection,
        "Connect to ADDR:PORT for HOST:PORT, but keep the original host name in requests."
    )
    static let connection: [any Declared] = [caFile, resolve, connectTo]
    /// For commands that send secrets.
    static let allowIssuer: Argument<[String]> = .repeated(
        "--allow-issuer",
        .issuerPattern,
        group: Heading.connection,
        "Send secrets only to this issuer, and reject a configuration that names another. PATTERN is an issuer URL, a host with "
            + "an optional port, or *.example.com for the hosts below a domain. Only public documents are requested from other hosts."
    )

    // Reports.

    static let report: Argument<[ReportDestination]> = .repeated(
        "--report",
        short: "-o",
        .report,
        group: Heading.reports,
        "Also write a full report; FORMAT is \(ReportFormat.names). Missing folders are created. FILE - prints it to standard "
            + "output instead of the brief report, and the verdict to standard error."
    )
    static let reportFolder: Argument<String?> = .option(
        "--report-dir",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Write the full report in all formats except har: FOLDER/report.txt, .json, .sarif and so on."
    )
    static let verbose: Argument<Bool> = .flag(
        "--verbose",
        "-v",
        group: Heading.reports,
        "List every check and the reason for each skipped one."
    )
    static let explain: Argument<Bool> = .flag(
        "--explain",
        group: Heading.reports,
        "Quote the rule of each blocking finding and explain its purpose."
    )
    static let quiet: Argument<Bool> = .flag(
        "--quiet",
        "-q",
        group: Heading.reports,
        "Print only the verdict, on one line, and no progress."
    )
    /// For commands that print no report.
    static let silent: Argument<Bool> = .flag(
        "--quiet",
        "-q",
        group: Heading.reports,
        "Print no progress to standard error."
    )
    static let ci: Argument<BuildServer?> = .option(
        "--ci",
        .word("SERVER"),
        group: Heading.reports,
        "Emit CI-specific log commands: annotations and a step summary for GitHub, folded sections for GitLab, issues and a summary "
            + "for Azure. -q suppresses log commands.",
        fallback: "detected from GITHUB_ACTIONS, GITLAB_CI and TF_BUILD"
    )
    static let reports: [any Declared] = [report, reportFolder, verbose, explain, quiet, ci]
}

/// Sections of help after the options.
enum Sections {
    static let secrets = Command.Section(
        "SECRETS",
        [
            "The client secret and the user's password are read from environment variables or files, never from the command "
                + "line. The configuration names the variables: secret: { env: OIDC_CLIENT_SECRET } and "
                + "password: { env: OIDC_PASSWORD }."
        ]
    )
    static let environment = Command.Section(
        "ENVIRONMENT",
        terms: [
            (
                "CURL_CA_BUNDLE",
                "certificate authorities that replace the system's; else SSL_CERT_FILE and SSL_CERT_DIR"
            ),
            ("https_proxy", "proxy for https; http_proxy for http, all_proxy for both"),
            ("no_proxy", "hosts and domains without a proxy; the local machine never uses one"),
            ("NO_COLOR", "disables colour"),
            (
                "OIDC_PREFLIGHT_…",
                "default value of an option, such as OIDC_PREFLIGHT_FAIL_ON for --fail-on. Separate several values with spaces; "
                    + "use 1 or 0 for an option without a value"
            ),
            ("GITHUB_ACTIONS", "selects --ci github; GITLAB_CI selects gitlab, TF_BUILD azure"),
        ]
    )
    static let exitCodes = Command.Section(
        "EXIT CODES",
        terms: [
            ("0", "the gate is open"), ("1", "the gate is closed"), ("2", "the gate is inconclusive"),
            (
                "64",
                "usage or configuration error, nothing was sent; or the gate is open but a report could not be written"
            ),
            ("70", "internal error, or too few file descriptors"),
            ("130", "interrupted; reports are still complete files"),
        ]
    )
}
