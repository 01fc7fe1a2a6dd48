internal import CommandTable
internal import Conformance
internal import Console
internal import Profiles
internal import Reporting

enum DiffCommand {
    static let command = Command(
        "diff",
        "Compare two JSON reports: new, fixed and changed findings.",
        text: [
            "Exits with 1 if there is a new error, else 0, and with 64 if a file is not a readable JSON report. "
                + "Two findings are the same if they have the same check, place and subject. Checks that failed before and "
                + "were skipped this time are listed separately, not as fixed. Reports for several platforms are compared per platform."
        ],
        examples: [
            .init("oidc-preflight diff last-week.json today.json"),
            .init("oidc-preflight diff -v staging.json production.json", "print long lists in full"),
        ],
        arguments: [old, new, verbose, quiet],
        objections: { invocation in
            let readsTwice = invocation[old] == "-" && invocation[new] == "-"
            return Reports.problems(isQuiet: invocation[quiet], isVerbose: invocation[verbose])
                + (readsTwice ? ["only one report can be standard input: name a file for the other"] : [])
        },
        run: { invocation in
            let before = try EarlierReport(file: invocation[old])
            let now = try EarlierReport(file: invocation[new])
            guard let compared = ComparedReports(from: before.reports, to: now.reports) else {
                throw before.isNotFor(now.reports.map(\.profile))
            }
            Terminal.print(
                ComparisonText.render(
                    compared,
                    options: Reports.options(isQuiet: invocation[quiet], isVerbose: invocation[verbose])
                )
            )
            try ExitCodes.end(compared.exitCode)
        }
    )

    private static let old: Argument<String> = .operand(.file("OLD"), "The earlier JSON report; - is standard input.")
    private static let new: Argument<String> = .operand(.file("NEW"), "The later report.")
    private static let verbose: Argument<Bool> = .flag(
        "--verbose",
        "-v",
        group: Heading.reports,
        "Print long lists of checks in full."
    )
    private static let quiet: Argument<Bool> = .flag(
        "--quiet",
        "-q",
        group: Heading.reports,
        "Print only the counts, on one line."
    )
}

/// A JSON report that was written earlier.
struct EarlierReport: Sendable {
    let file: String
    let reports: [ReportDigest]

    init(file: String) throws {
        self.file = file
        let bytes = try Files.read(file, as: .report).get()
        do {
            reports = try JSONReportReader.read(bytes)
        } catch {
            throw ConfigurationError(file: file, "\(error)")
        }
    }

    /// The report for a platform.
    ///
    /// - Throws: If there is none, so that new findings cannot be determined.
    func report(for profile: String) throws(ConfigurationError) -> ReportDigest {
        guard let report = ComparedReports.report(for: profile, in: reports) else { throw isNotFor([profile]) }
        return report
    }

    func isNotFor(_ profiles: [String]) -> ConfigurationError {
        let missing = profiles.first { ComparedReports.report(for: $0, in: reports) == nil } ?? ""
        let reported = reports.map(\.profile.quoted).joined(separator: ", ")
        return ConfigurationError(
            file: file,
            "has no report for profile \(missing.quoted), only for \(reported); new findings cannot be determined"
        )
    }
}
