internal import CommandTable
internal import Conformance
internal import Console
internal import Fleet
internal import FoundationEssentials
internal import Preflight
internal import Profiles

enum FleetCommand {
    static let command = Command(
        "fleet",
        "Check a list of issuers, in one process or in several.",
        text: [
            "The guide: \(Publication.link(to: "Documentation/Fleet.md"))"
        ],
        examples: [
            .init("oidc-preflight fleet issuers.txt", "one issuer per line; results go to fleet.jsonl"),
            .init("oidc-preflight fleet issuers.csv --shard 3/8 --out part-3.jsonl", "an eighth of the hosts"),
            .init("oidc-preflight fleet merge part-*.jsonl --database fleet.sqlite"),
            .init("oidc-preflight fleet report fleet.sqlite --report html=fleet.html"),
        ],
        subcommands: [judge, FleetMergeCommand.command, FleetReportCommand.command],
        fallback: judge.name
    )

    private static let judge = Command(
        "judge",
        "Check the issuers of a list.",
        text: [
            "A list is a text file with one issuer per line, optionally followed by profile and configuration, separated by "
                + "spaces; a .csv or .jsonl file with the columns issuer, profile and configuration; or a configuration with "
                + "targets. Errors in a list are reported with line numbers before any request is sent.",
            "Results are JSON Lines, one line per issuer. If results of the same list exist, the run continues where the previous "
                + "one ended. Each document is requested once; checks that compare several responses are skipped unless "
                + "--thorough is given. No sign-in takes place.",
        ],
        examples: [
            .init("oidc-preflight fleet issuers.txt --profile supabase,kubernetes --out results.jsonl"),
            .init("oidc-preflight fleet issuers.txt --rate 5 --concurrency 200 --deadline 3600"),
        ],
        arguments: [list, Options.profile, Options.only, Options.skip, Options.failOn, tier, thorough]
            + [shard, run, concurrency, perHost, rate] + Options.connection + [Options.allowIssuer]
            + [deadline, maxTime, Options.maxRequests, Options.maxBytes] + [out, database, noGate, Options.quiet],
        sections: [shards, exitCodes, Sections.environment],
        objections: { invocation in
            invocation[out] == "-" ? ["--out must be a file: a later run continues from it"] : []
        },
        run: obey
    )

    private static let list: Argument<String> = .operand(
        .file("LIST"),
        "The list of issuers; - reads a text list from standard input."
    )
    private static let tier: Argument<FleetTier> = .option(
        "--tier",
        .word("TIER"),
        group: Heading.sending,
        default: .static,
        "static: public documents only; unauthenticated: also requests that need a client but no user."
    )
    private static let thorough: Argument<Bool> = .flag(
        "--thorough",
        group: Heading.sending,
        "Request the documents as often as check does, to compare the responses."
    )
    private static let shard: Argument<Shard?> = .option(
        "--shard",
        .shard,
        group: Heading.fleet,
        "Check one shard of the list, such as 3/8; all issuers of a host are in the same shard.",
        fallback: "from the variables of the job engine (see SHARDS), else all"
    )
    private static let run: Argument<String?> = .option(
        "--run",
        .text("NAME"),
        group: Heading.fleet,
        "The name of the run, shared by its shards.",
        fallback: "the name in existing results, else the job of the engine, else the current time"
    )
    private static let concurrency: Argument<Int> = .option(
        "--concurrency",
        .integer(in: 1...4_096),
        group: Heading.fleet,
        default: 64,
        "Maximum number of issuers checked in parallel."
    )
    private static let perHost: Argument<Int> = .option(
        "--per-host",
        .integer(in: 1...4_096),
        group: Heading.fleet,
        default: 8,
        "Maximum number of issuers of one host checked in parallel."
    )
    private static let rate: Argument<Double> = .option(
        "--rate",
        .decimal("REQUESTS", isAboveZero: false),
        group: Heading.fleet,
        default: 20,
        "Maximum number of requests per second to one host; 0 means no limit.",
        shown: "20 per second"
    )
    private static let deadline: Argument<Double?> = .option(
        "--deadline",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        "Start no further issuers after SECONDS; the next run continues."
    )
    private static let maxTime: Argument<Double> = .option(
        "--max-time",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        default: 60,
        "Stop sending requests to an issuer after SECONDS.",
        shown: "60 seconds"
    )
    private static let out: Argument<String?> = .option(
        "--out",
        .file(),
        group: Heading.reports,
        "The results file, from which a later run continues.",
        fallback: "fleet.jsonl, or for a shard fleet-3-of-8.jsonl"
    )
    private static let database: Argument<String?> = .option(
        "--database",
        .file(),
        group: Heading.reports,
        "Also add the results to an SQLite database at the end."
    )

    static let noGate: Argument<Bool> = .flag(
        "--no-gate",
        group: Heading.reports,
        "Exit with 0 if every issuer was checked, whatever the results, and with 2 if some have no result."
    )

    private static let shards = Command.Section(
        "SHARDS",
        [
            "Without --shard, a process started as part of a job by one of these engines checks the shard with its number: "
                + Shard.engines.map(\.name).joined(separator: ", ")
                + ". In Kubernetes, set JOB_COMPLETIONS to the completions of the job."
        ]
    )
    static let exitCodes = Command.Section(
        "EXIT CODES",
        terms: [
            ("0", "every gate is open; with --no-gate, every issuer was checked"),
            ("1", "a gate is closed, even if some issuers have no result"),
            ("2", "no gate is closed, but one is inconclusive or an issuer has no result"),
            ("64", "error in the list, the command line or a configuration; nothing was sent"),
            ("70", "internal error, or too few file descriptors"),
            ("130", "interrupted; the next run continues"),
        ]
    )

    private static func obey(_ invocation: Invocation) async throws {
        try await ExitCodes.beforeSending {
            let issuers = try FleetLists.read(
                invocation[list],
                tier: invocation[tier].tier,
                allowing: invocation[Options.allowIssuer]
            )
            let found = try invocation[shard] == nil ? Shard.found(Terminal.environment) : nil
            let part = invocation[shard] ?? found?.shard ?? .whole
            let templates = FleetTemplates(
                invocation,
                tier: invocation[tier].tier,
                asksOnce: !invocation[thorough],
                maxTime: invocation[maxTime]
            )
            let plan = try FleetPlan(issuers, shard: part) { try templates.run(for: $0, in: issuers.file) }
            let name = invocation[run] ?? found?.run
            let path =
                invocation[out] ?? (part == .whole ? "fleet.jsonl" : "fleet-\(part.index + 1)-of-\(part.count).jsonl")
            if let database = invocation[database] { try Files.prepareFolder(of: database) }
            var isDone = [Bool](repeating: false, count: plan.entries.count)
            let places = plan.places
            let journal = try Journal(
                path,
                head: Journal.Head(
                    run: name ?? Date.now.formatted(.iso8601),
                    shard: part,
                    issuers: plan.entries.count,
                    list: plan.digest(options: templates.digest)
                ),
                isRunNamed: name != nil
            ) { record in
                if let place = places(record) { isDone[place] = true }
            }
            try await judge(plan, journal, isDone, issuers, found, invocation)
        }
    }

    private static func judge(
        _ plan: FleetPlan,
        _ journal: Journal,
        _ isDone: [Bool],
        _ issuers: IssuerList,
        _ found: Shard.Found?,
        _ invocation: Invocation
    ) async throws {
        let pace = FleetPace(
            concurrency: invocation[concurrency],
            perHost: invocation[perHost],
            rate: invocation[rate] > 0 ? invocation[rate] : nil,
            deadline: invocation[deadline]
        )
        let progress = FleetProgress(
            total: plan.entries.count,
            done: journal.counts,
            isQuiet: invocation[Options.quiet]
        )
        progress.begin(plan, journal, issuers, engine: found?.engine)
        let runner = FleetRunner(plan, pace: pace, run: journal.head.run)
        // A single task uses the journal while it runs.
        nonisolated(unsafe) let shared = journal
        let result: Result<Int, any Error> = await Interruption.cancellable {
            do {
                return .success(
                    try await runner.judge(isDone: isDone) { record in
                        try shared.add(record)
                        progress.ended(record)
                    }
                )
            } catch {
                return .failure(error)
            }
        }
        progress.clear()
        let left = try result.get()
        var isWhole = true
        if let database = invocation[database] { isWhole = FleetLists.add([journal.path], to: database) }
        progress.end(journal, left: left)
        let isInterrupted = left > 0 && progress.wasInterrupted
        try ExitCodes.end(
            isInterrupted ? 130 : FleetLists.exitCode(journal.counts, left: left, hasGate: !invocation[noGate]),
            isWhole: isWhole
        )
    }
}

/// The tiers of a batch, which never signs in: a list must not contain the passwords of many providers.
enum FleetTier: String, CaseIterable, Sendable, CustomStringConvertible {
    case `static`
    case unauthenticated

    var tier: Tier { self == .static ? .static : .unauthenticated }
    var description: String { rawValue }
}

extension Kind where Value == Shard {
    static var shard: Self {
        Kind("I/N") { word in
            if let shard = Shard(word) { return .success(shard) }
            return .failure(
                word.isEmpty
                    ? .empty : .because("\(word.quoted) is not a shard such as 3/8; shards are numbered from 1")
            )
        }
    }
}
