internal import CommandTable
internal import Conformance
internal import Console
internal import Fleet

enum FleetMergeCommand {
    static let command = Command(
        "merge",
        "Merge the results of shards and their retries into one file or a database.",
        text: [
            "The order and repetition of files make no difference: of two results for the same issuer and run, the "
                + "later one is kept. A database keeps its results and gains the new ones."
        ],
        examples: [
            .init("oidc-preflight fleet merge part-*.jsonl --out fleet.jsonl"),
            .init("oidc-preflight fleet merge part-*.jsonl --database fleet.sqlite"),
        ],
        arguments: [files, out, database, FleetCommand.noGate],
        sections: [FleetCommand.exitCodes],
        objections: { invocation in
            let hasPlace = invocation[out] != nil || invocation[database] != nil
            return (hasPlace ? [] : ["specify --out FILE, --database FILE, or both"])
                + (invocation[files].isEmpty ? ["specify the results files to merge"] : [])
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
            for shard in sum.absent.prefix(20) { Terminal.complain("results of a shard are missing: \(shard)") }
            if sum.absent.count > 20 {
                Terminal.complain("results of \(sum.absent.count - 20) more shards are missing")
            }
            try ExitCodes.end(
                FleetLists.exitCode(
                    sum.counts,
                    left: sum.missing + sum.absent.count,
                    hasGate: !invocation[FleetCommand.noGate]
                ),
                isWhole: isAdded
            )
        }
    )

    private static let files: Argument<[String]> = .operands(
        .file("RESULTS"),
        "Results files written by fleet or fleet merge."
    )
    private static let out: Argument<String?> = .option(
        "--out",
        .file(),
        group: Heading.reports,
        "Write the merged results to this file, sorted by run and issuer."
    )
    private static let database: Argument<String?> = .option(
        "--database",
        .file(),
        group: Heading.reports,
        "Add the results to this SQLite database, which is created if missing."
    )

    private static func text(_ sum: FleetMerge.Sum) -> String {
        let counts = sum.counts
        let missing = sum.missing == 0 ? "" : "; \(sum.missing) are missing"
        return
            "\(counted(counts.all, "result")): \(counts.open) open, \(counts.closed) closed, \(counts.inconclusive) inconclusive\(missing)"
    }
}
