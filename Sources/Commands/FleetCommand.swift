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
        "Judge many issuers: those of a list, in one process or in several.",
        text: [
            "The guide: \(Publication.link(to: "Documentation/Fleet.md"))"
        ],
        examples: [
            .init("oidc-preflight fleet issuers.txt", "one issuer a line; the results go to fleet.jsonl"),
            .init("oidc-preflight fleet issuers.csv --shard 3/8 --out part-3.jsonl", "an eighth of the hosts"),
            .init("oidc-preflight fleet merge part-*.jsonl --database fleet.sqlite"),
            .init("oidc-preflight fleet report fleet.sqlite --report html=fleet.html"),
        ],
        subcommands: [judge, FleetMergeCommand.command, FleetReportCommand.command],
        standing: judge.name
    )

    private static let judge = Command(
        "judge",
        "Judge the issuers of a list.",
        text: [
            "A list is a text with an issuer a line, and behind it, with blanks between them, the profile and the configuration where it "
                + "has its own; or .csv and .jsonl with the columns issuer, profile and configuration; or a configuration with "
                + "targets. What is wrong with a list is told with its line before anything is sent.",
            "The results are a line of JSON an issuer. A start that finds results of the same list goes on where the earlier one "
                + "ended, however that ended. Each document is asked for once; what compares several answers is left out unless "
                + "--thorough is given. Nobody signs in.",
        ],
        examples: [
            .init("oidc-preflight fleet issuers.txt --profile supabase,kubernetes --out results.jsonl"),
            .init("oidc-preflight fleet issuers.txt --rate 5 --concurrency 200 --deadline 3600"),
        ],
        arguments: [list, Options.profile, Options.only, Options.skip, Options.failOn, tier, thorough]
            + [shard, run, concurrency, perHost, rate] + Options.connection
            + [deadline, maxTime, Options.maxRequests, Options.maxBytes] + [out, database, noGate, Options.quiet],
        sections: [shards, exitCodes, Sections.environment],
        objections: { invocation in
            invocation[out] == "-" ? ["--out must be a file: what is in it is not judged again"] : []
        },
        run: obey
    )

    private static let list: Argument<String> = .operand(
        .file("LIST"),
        "The list of issuers; - is a text on standard input."
    )
    private static let tier: Argument<FleetTier> = .option(
        "--tier",
        .word("TIER"),
        group: Heading.sending,
        default: .static,
        "How far to go: the public documents, or requests as well that need a client and no user."
    )
    private static let thorough: Argument<Bool> = .flag(
        "--thorough",
        group: Heading.sending,
        "Ask for the documents as often as check does, to compare the answers."
    )
    private static let shard: Argument<Shard?> = .option(
        "--shard",
        .shard,
        group: Heading.fleet,
        "Judge one part of the list, as in 3/8; a host is in one part whole.",
        standing: "what the engine's variables say, else all"
    )
    private static let run: Argument<String?> = .option(
        "--run",
        .text("NAME"),
        group: Heading.fleet,
        "What the parts of this run have in common.",
        standing: "that of the results that are gone on with, else the engine's job, else the time"
    )
    private static let concurrency: Argument<Int> = .option(
        "--concurrency",
        .integer(in: 1...4_096),
        group: Heading.fleet,
        default: 64,
        "Issuers that are judged at the same time."
    )
    private static let perHost: Argument<Int> = .option(
        "--per-host",
        .integer(in: 1...4_096),
        group: Heading.fleet,
        default: 8,
        "Issuers of one host among them."
    )
    private static let rate: Argument<Double> = .option(
        "--rate",
        .decimal("NUMBER", isAboveZero: false),
        group: Heading.fleet,
        default: 20,
        "Requests to one host in a second at the most; 0 for no limit."
    )
    private static let deadline: Argument<Double?> = .option(
        "--deadline",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        "Begin no issuer after so many seconds; the next start goes on."
    )
    private static let maxTime: Argument<Double> = .option(
        "--max-time",
        .decimal("SECONDS", isAboveZero: true),
        group: Heading.limits,
        default: 60,
        "Ask an issuer for nothing more after so many seconds."
    )
    private static let out: Argument<String?> = .option(
        "--out",
        .file(),
        group: Heading.reports,
        "The results, and with them what is done.",
        standing: "fleet.jsonl; of a part fleet-3-of-8.jsonl"
    )
    private static let database: Argument<String?> = .option(
        "--database",
        .file(),
        group: Heading.reports,
        "Add the results to an SQLite database in the end as well."
    )

    static let noGate: Argument<Bool> = .flag(
        "--no-gate",
        group: Heading.reports,
        "End with 0 where every issuer was judged, whatever came of it, and with 2 where some are left."
    )

    private static let shards = Command.Section(
        "PARTS",
        [
            "Without --shard, a process that one of these engines started as a part of a job judges that part: "
                + Shard.engines.map(\.name).joined(separator: ", ")
                + ". A Kubernetes manifest sets JOB_COMPLETIONS to its completions."
        ]
    )
    static let exitCodes = Command.Section(
        "EXIT CODES",
        terms: [
            ("0", "every gate is open; with --no-gate, every issuer was judged"),
            ("1", "a gate is closed; all issuers were judged, or some are left"),
            ("2", "no gate is closed, and one is undecided or an issuer is left"),
            ("64", "a mistake in the list, the command line or a configuration, and nothing was sent"),
            ("70", "a defect of this program"), ("130", "interrupted; the next start goes on"),
        ]
    )

    private static func obey(_ invocation: Invocation) async throws {
        try await Ending.beforeSending {
            let issuers = try FleetLists.read(invocation[list], tier: invocation[tier].tier)
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
        // The task is one, and what it holds is handed to nobody else while it runs.
        nonisolated(unsafe) let held = journal
        let result: Result<Int, any Error> = await Interruption.cancellable {
            do {
                return .success(
                    try await runner.judge(isDone: isDone) { record in
                        try held.add(record)
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
        try Ending.end(
            isInterrupted ? 130 : FleetLists.exitCode(journal.counts, left: left, hasGate: !invocation[noGate]),
            isWhole: isWhole
        )
    }
}

/// How far a fleet goes: nobody signs in, because a thousand providers' passwords belong to no list.
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
            return .failure(word.isEmpty ? .empty : .because("\(word.quoted) is no part such as 3/8, counted from 1"))
        }
    }
}
