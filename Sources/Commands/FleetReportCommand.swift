internal import CommandTable
internal import Conformance
internal import Console
internal import Fleet
internal import Profiles
internal import Reporting

enum FleetReportCommand {
    static let command = Command(
        "report",
        "Report on a batch run: worst issuers first, changes since the previous run, and upcoming expirations.",
        text: [
            "Reads a database or results files. Without --report, prints Markdown to standard output."
        ],
        examples: [
            .init("oidc-preflight fleet report fleet.sqlite"),
            .init("oidc-preflight fleet report fleet.sqlite --report html=fleet.html --report openmetrics=fleet.prom"),
            .init("oidc-preflight fleet report last-week.jsonl today.jsonl"),
        ],
        arguments: [sources, run, since, reports, FleetCommand.noGate],
        sections: [FleetCommand.exitCodes],
        objections: { invocation in
            let paths = invocation[reports].map(\.path)
            let twice = paths.enumerated().filter { paths[..<$0.offset].contains($0.element) }
                .map { "two reports would be written to \($0.element == "-" ? "standard output" : $0.element)" }
            return twice + (invocation[sources].isEmpty ? ["specify a database or results files"] : [])
        },
        run: { invocation in
            let store = try store(of: invocation[sources])
            let now = Terminal.now()
            guard let report = try store.report(on: invocation[run], since: invocation[since], now: now) else {
                let known = try store.runs()
                throw FileError(
                    path: invocation[sources][0],
                    reason: known.isEmpty
                        ? "contains no run"
                        : "does not contain this run; its runs: \(known.prefix(10).joined(separator: ", "))"
                )
            }
            var destinations = invocation[reports]
            if destinations.isEmpty { destinations = [FleetReportDestination(format: .markdown, path: "-")] }
            for destination in destinations where destination.path != "-" {
                try Files.write(destination.format.render(report, now: now), to: destination.path)
            }
            for destination in destinations where destination.path == "-" {
                Terminal.print(destination.format.render(report, now: now), as: destination.format.logForm)
            }
            var counts = Journal.Counts()
            counts.closed = report.counts.closed
            counts.inconclusive = report.counts.inconclusive
            try ExitCodes.end(
                FleetLists.exitCode(counts, left: report.missing, hasGate: !invocation[FleetCommand.noGate])
            )
        }
    )

    private static let sources: Argument<[String]> = .operands(
        .file("SOURCE"),
        "A database, or results files."
    )
    private static let run: Argument<String?> = .option(
        "--run",
        .text("NAME"),
        group: Heading.reports,
        "The run to report on.",
        fallback: "the latest"
    )
    private static let since: Argument<String?> = .option(
        "--since",
        .text("NAME"),
        group: Heading.reports,
        "The run to compare with.",
        fallback: "the previous one"
    )
    private static let reports: Argument<[FleetReportDestination]> = .repeated(
        "--report",
        short: "-o",
        .fleetReport,
        group: Heading.reports,
        "Write a report; FORMAT is one of \(FleetReportFormat.allCases.map(\.rawValue).joined(separator: ", ")). FILE - is standard output."
    )

    /// The named database, or one in memory with the results of the files.
    private static func store(of sources: [String]) throws -> FleetStore {
        let databases = try sources.filter(isDatabase)
        if sources.count == 1, databases.count == 1 {
            do {
                return try FleetStore.reading(sources[0])
            } catch {
                throw FileError(path: sources[0], reason: "\(error)")
            }
        }
        if let database = databases.first {
            throw FileError(
                path: database,
                reason: "a database must be the only source: add results to it with fleet merge --database"
            )
        }
        let store = try FleetStore.inMemory()
        try store.add { add in for file in sources { try FleetMerge.read(file) { line, _ in try add(line) } } }
        return store
    }

    /// By the first bytes of the file (sqlite.org/fileformat.html section 1.3.1).
    private static func isDatabase(_ file: String) throws(FileError) -> Bool {
        try Files.beginning(of: file, 16) == Array("SQLite format 3\0".utf8)
    }
}

/// `FORMAT=FILE`.
struct FleetReportDestination: Sendable {
    let format: FleetReportFormat
    let path: String
}

extension Kind where Value == FleetReportDestination {
    static var fleetReport: Self {
        let names = FleetReportFormat.allCases.map(\.rawValue)
        return Kind("FORMAT=FILE", completion: .words { names.map { Candidate($0 + "=") } }) { word in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            if word.isEmpty { return .failure(.empty) }
            guard let format = FleetReportFormat(rawValue: parts[0]) else {
                return .failure(
                    .because(
                        "unknown report format \(parts[0].quoted)\(NearestWord.hint(for: parts[0], among: names))"
                    )
                )
            }
            guard parts.count == 2, !parts[1].isEmpty else {
                let example = "\(format.rawValue)=fleet.\(format.fileExtension)"
                return .failure(
                    .because(
                        "\(word.quoted) has no file name: write \(example), or \(format.rawValue)=- for standard output"
                    )
                )
            }
            return .success(FleetReportDestination(format: format, path: parts[1]))
        }
    }
}

extension FleetReportFormat {
    fileprivate var logForm: LogText.Form {
        switch self {
        case .markdown: .markdown
        case .html: .xml
        case .openmetrics: .text
        }
    }
}
