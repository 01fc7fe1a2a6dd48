internal import CommandTable
internal import Conformance
internal import Preflight
internal import Reporting

/// The headings that options stand under in help.
enum Heading {
    static let judging = "JUDGING"
    static let sending = "WHAT TO SEND"
    static let connection = "CONNECTION"
    static let fleet = "MANY ISSUERS"
    static let limits = "LIMITS"
    static let reports = "REPORTS"
}

/// The arguments that several commands share.
enum Options {
    static let issuer: Argument<String?> =
        .operand(
            optional: .issuer,
            "The issuer, exactly as it is to be registered.",
            standing: "that of the configuration"
        )
        .orVariable

    // Which checks, by whose rules, and what closes the gate.

    static let profile: Argument<String?> = .option(
        "--profile",
        .profiles("NAME|FILE,…", isList: true),
        group: Heading.judging,
        "The relying platform's rules; several by commas.",
        standing: "openid, unless the configuration or the saved evidence names another"
    )
    static let only: Argument<[CheckPattern]> = .repeated(
        "--only",
        .checks,
        group: Heading.judging,
        "Only these checks; * stands for anything, a stage's name for all of its checks."
    )
    static let skip: Argument<[CheckPattern]> = .repeated(
        "--skip",
        .checks,
        group: Heading.judging,
        "All but these checks."
    )
    static let failOn: Argument<Level> = .option(
        "--fail-on",
        .word("LEVEL"),
        group: Heading.judging,
        default: .error,
        "The lowest level that closes the gate."
    )
    static let require: Argument<Tier?> = .option(
        "--require",
        .word("TIER"),
        group: Heading.judging,
        "End undecided, with exit code 2, where the run does not go as far; full: where nobody signs in.",
        standing: "whatever is reached counts"
    )
    static let baseline: Argument<String?> = .option(
        "--baseline",
        .file("REPORT"),
        group: Heading.judging,
        "An earlier JSON report: its errors are shown as known, and only new ones close the gate. What failed there and is not "
            + "judged now keeps the gate from opening."
    )
    static let judging: [any Declared] = [profile, only, skip, failOn]

    // How far to go, and where.

    static let config: Argument<String?> = .option(
        "--config",
        short: "-c",
        .file(),
        group: Heading.sending,
        "What is registered, and how to sign in (see init).",
        standing: "\(Configuration.defaultFile), where no issuer is named"
    )
    static let target: Argument<[String]> = .repeated(
        "--target",
        .text("NAME,…"),
        group: Heading.sending,
        "Only this target of the configuration; several by commas."
    )
    static let tier: Argument<Tier?> = .option(
        "--tier",
        .word("TIER"),
        group: Heading.sending,
        "How far to go: the public documents; requests that need a client and no user; sign-ins.",
        standing: "as far as the configuration has the means"
    )
    static let maxSignIns: Argument<Int?> = .option(
        "--max-sign-ins",
        .integer(in: 1...Int.max, remark: "; --tier unauthenticated goes without any"),
        group: Heading.limits,
        "Sign in at most so many times: what costs most is left out first."
    )

    static let driver: Argument<PageDriver?> = .option(
        "--driver",
        .word("DRIVER"),
        group: Heading.sending,
        "Who goes through the sign-in pages: HTML over HTTP, a browser, or a person with a browser of their own.",
        standing: "that of the configuration, else form, and a browser where a page needs JavaScript"
    )
    static let browser: Argument<PageBrowser?> = .option(
        "--browser",
        .word("BROWSER"),
        group: Heading.sending,
        "Which browser goes through the sign-in pages, where one does.",
        standing: "that of the configuration, else chromium where it is installed, else firefox"
    )
    static let showBrowser: Argument<Bool> = .flag(
        "--show-browser",
        group: Heading.sending,
        "Show the browser that signs in."
    )
    static let noOpen: Argument<Bool> = .flag(
        "--no-open",
        group: Heading.sending,
        "With --driver manual: show the address to sign in at, and open no browser."
    )
    static let driving: [any Declared] = [driver, browser, showBrowser, noOpen]
    static let screenshots: Argument<String?> = .option(
        "--screenshots",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Have the browser take a picture of each page where a sign-in does not get through: FOLDER/sign-in-1.png and so on, of their "
            + "owner alone (mode 600). What is typed in fields is in none.",
        standing: "the folder of --report-dir"
    )

    static let maxTime: Argument<Double?> = .option(
        "--max-time",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        "Ask for nothing more after so many seconds.",
        standing: "300"
    )
    static let maxRequests: Argument<Int?> = .option(
        "--max-requests",
        .integer(in: 1...Int.max),
        group: Heading.limits,
        "Send at most so many requests.",
        standing: "1500"
    )
    static let maxBytes: Argument<Int?> = .option(
        "--max-bytes",
        .integer(in: 1...Int.max),
        group: Heading.limits,
        "Receive at most so many bytes.",
        standing: "100000000"
    )
    static let limits: [any Declared] = [maxSignIns, maxTime, maxRequests, maxBytes]

    // How the issuer is reached.

    static let caFile: Argument<String?> = .option(
        "--ca-file",
        .file(),
        group: Heading.connection,
        "Trust the certificate authorities of this PEM file besides the system's."
    )
    static let resolve: Argument<[String]> = .repeated(
        "--resolve",
        .text("HOST:PORT:ADDR"),
        group: Heading.connection,
        "Connect to this address instead of looking the name up."
    )
    static let connectTo: Argument<[String]> = .repeated(
        "--connect-to",
        .text("HOST:PORT:ADDR:PORT"),
        group: Heading.connection,
        "Connect to this address and port instead, and go on asking by name."
    )
    static let connection: [any Declared] = [caFile, resolve, connectTo]

    // Where reports go.

    static let report: Argument<[ReportDestination]> = .repeated(
        "--report",
        short: "-o",
        .report,
        group: Heading.reports,
        "Write a whole report as well: FORMAT is \(ReportFormat.names); folders on the way are made. With - for FILE it goes to standard output "
            + "in place of the short one, which is then left out; its verdict goes to standard error."
    )
    static let reportFolder: Argument<String?> = .option(
        "--report-dir",
        .text("FOLDER", completion: .folders),
        group: Heading.reports,
        "Write the whole report in all formats but har: FOLDER/report.txt, .json, .sarif and so on."
    )
    static let verbose: Argument<Bool> = .flag(
        "--verbose",
        "-v",
        group: Heading.reports,
        "List every check with its verdict, and why what was not judged was not."
    )
    static let explain: Argument<Bool> = .flag(
        "--explain",
        group: Heading.reports,
        "Quote the rule of each finding, and say what it is for."
    )
    static let quiet: Argument<Bool> = .flag(
        "--quiet",
        "-q",
        group: Heading.reports,
        "Print the verdict alone: one line, and no progress."
    )
    /// Of commands that print no report.
    static let silent: Argument<Bool> = .flag("--quiet", "-q", group: Heading.reports, "No progress on standard error.")
    static let ci: Argument<BuildServer?> = .option(
        "--ci",
        .word("SERVER"),
        group: Heading.reports,
        "Speak the log's language: annotations and a step summary for GitHub, folded sections for GitLab, issues and a summary for Azure. -q leaves the "
            + "log alone.",
        standing: "as GITHUB_ACTIONS, GITLAB_CI and TF_BUILD say"
    )
    static let reports: [any Declared] = [report, reportFolder, verbose, explain, quiet, ci]
}

/// What help tells beside options.
enum Sections {
    static let secrets = Command.Section(
        "SECRETS",
        [
            "The client's secret and the user's password come from the environment or from files, never from the command "
                + "line: the configuration names the variables, as in secret: { env: OIDC_CLIENT_SECRET } and "
                + "password: { env: OIDC_PASSWORD }."
        ]
    )
    static let environment = Command.Section(
        "ENVIRONMENT",
        terms: [
            ("CURL_CA_BUNDLE", "certificate authorities in place of the system's; else SSL_CERT_FILE and SSL_CERT_DIR"),
            ("https_proxy", "the proxy for https; http_proxy for http, all_proxy for both"),
            ("no_proxy", "hosts and domains that are reached directly; this machine always is"),
            ("NO_COLOR", "no colour"),
            (
                "OIDC_PREFLIGHT_…",
                "the value of an option that is not given: --fail-on is OIDC_PREFLIGHT_FAIL_ON; several values by spaces, and 1 or 0 for "
                    + "an option without a value"
            ),
            ("GITHUB_ACTIONS", "as --ci github; likewise GITLAB_CI, and TF_BUILD for azure"),
        ]
    )
    static let exitCodes = Command.Section(
        "EXIT CODES",
        terms: [
            ("0", "the gate is open"), ("1", "the gate is closed"), ("2", "could not judge"),
            (
                "64",
                "usage or configuration error, and nothing was sent; or an open gate whose report could not be written"
            ),
            ("70", "a defect of this program"),
            ("130", "interrupted; the reports are complete files"),
        ]
    )
}
