internal import CommandTable
internal import Conformance
internal import Console
internal import Fleet

enum FleetMergeCommand {
    static let command = Command(
        "merge",
        "Join the results of parts, and of their retries, in one file or in a database.",
        text: [
            "The order of the files, how they are grouped, and how often one is named make no difference: of two results of one issuer "
                + "and run the later one stays. A database keeps what it has, and takes what is new."
        ],
        examples: [
            .init("oidc-preflight fleet merge part-*.jsonl --out fleet.jsonl"),
            .init("oidc-preflight fleet merge part-*.jsonl --database fleet.sqlite"),
        ],
        arguments: [files, out, database, FleetCommand.noGate],
        sections: [FleetCommand.exitCodes],
        objections: { invocation in
            let hasPlace = invocation[out] != nil || invocation[database] != nil
            return (hasPlace ? [] : ["name where to: --out FILE, --database FILE, or both"])
                + (invocation[files].isEmpty ? ["name the files of results that are to be joined"] : [])
        },
        run: { invocation in
            var merged = Files.Unfinished()
            let sum: FleetMerge.Sum
            do {
                if let path = invocation[out] { merged = try Files.Unfinished(path) }
                sum = try FleetMerge.lines(of: invocation[files]) { try merged.write($0) }
                try merged.finish()
            } catch {
                merged.discard()
                throw error
            }
            let isAdded = invocation[database].map { FleetLists.add(invocation[files], to: $0) } ?? true
            Terminal.print(text(sum))
            for part in sum.absent.prefix(20) { Terminal.complain("of a part nothing is there: \(part)") }
            if sum.absent.count > 20 { Terminal.complain("and of \(sum.absent.count - 20) more parts") }
            try Ending.end(
                FleetLists.exitCode(
                    sum.counts,
                    left: sum.missing + sum.absent.count,
                    hasGate: !invocation[FleetCommand.noGate]
                ),
                isWhole: isAdded
            )
        }
    )

    private static let files: Argument<[String]> = .operands(.file("RESULTS"), "Files that fleet or fleet merge wrote.")
    private static let out: Argument<String?> = .option(
        "--out",
        .file(),
        group: Heading.reports,
        "Write the joined results to this file, sorted by run and issuer."
    )
    private static let database: Argument<String?> = .option(
        "--database",
        .file(),
        group: Heading.reports,
        "Add the results to this SQLite database, which is made where there is none."
    )

    private static func text(_ sum: FleetMerge.Sum) -> String {
        let counts = sum.counts
        let missing = sum.missing == 0 ? "" : "; \(sum.missing) are missing"
        return
            "\(counted(counts.all, "result")): \(counts.open) open, \(counts.closed) closed, \(counts.undecided) undecided\(missing)"
    }
}
