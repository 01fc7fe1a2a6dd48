package import Preflight
internal import Transport

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The issuers of a shard, each with the run that it shares with others.
package struct FleetPlan: Sendable {
    package let entries: [IssuerList.Entry]
    /// The place in ``runs`` of each entry's run.
    let runPlaces: [Int32]
    /// One for each profile and configuration, for any issuer.
    let runs: [JointRun]

    /// Prepares the runs; an invalid profile or configuration is reported for the first entry that names it.
    ///
    /// - Parameter prepare: Makes the run of an entry, for every issuer with the same profile and configuration.
    package init(
        _ list: IssuerList,
        shard: Shard,
        prepare: (IssuerList.Entry) throws -> JointRun
    ) throws {
        var runs: [JointRun] = []
        var places: [Int32] = []
        var entries: [IssuerList.Entry] = []
        var known: [IssuerList.Rules: Int32] = [:]
        // Every shard reports mistakes in the whole list.
        for entry in list.entries {
            let rules = IssuerList.Rules(entry)
            let place: Int32
            if let found = known[rules] {
                place = found
            } else {
                place = Int32(clamping: runs.count)
                runs.append(try prepare(entry).forManyIssuers)
                known[rules] = place
            }
            if shard.contains(entry.issuer) {
                entries.append(entry)
                places.append(place)
            }
        }
        self.entries = entries
        runPlaces = places
        self.runs = runs
    }

    /// A digest of list and options, so that only the same run continues the results.
    ///
    /// - Parameter options: The options that affect the results, in any form.
    package func digest(options: String) -> String {
        var bytes = Array((options + "\u{1E}").utf8)
        for entry in entries {
            bytes += entry.key.utf8
            bytes.append(0x1E)
        }
        return Digest.sha256(bytes)
    }

    /// The place of the entry of a record; `nil` if there is none.
    package var places: (FleetRecord) -> Int? {
        let known = Dictionary(entries.enumerated().map { (Self.name($1), $0) }) { first, _ in first }
        return { known[[$0.issuer, $0.profile, $0.configuration]] }
    }

    private static func name(_ entry: IssuerList.Entry) -> [String] {
        [entry.issuer, entry.profile ?? "", entry.configurationName]
    }

    /// The run of an entry.
    func run(_ place: Int, sharing: SharedTransport) -> JointRun {
        runs[Int(runPlaces[place])].retargeted(to: entries[place].issuer, sharing: sharing)
    }
}

extension IssuerList {
    /// Entries with equal rules have runs that differ only in the issuer.
    struct Rules: Hashable {
        let profile: String?
        let configuration: String?
        let target: String?

        init(_ entry: Entry) {
            profile = entry.profile
            configuration = entry.configuration
            target = entry.target
        }
    }
}

/// The concurrency and the limits of a batch.
package struct FleetPace: Sendable, Hashable {
    /// Issuers in parallel.
    var concurrency: Int
    /// Issuers of one host in parallel.
    var perHost: Int
    /// Requests per second to one host; `nil` for no limit.
    package var rate: Double?
    /// Seconds after which no further issuer is started; `nil` for no limit.
    var deadline: Double?

    package init(concurrency: Int = 64, perHost: Int = 8, rate: Double? = 20, deadline: Double? = nil) {
        self.concurrency = concurrency
        self.perHost = perHost
        self.rate = rate
        self.deadline = deadline
    }
}

/// Checks the issuers of a plan in parallel, in one process.
package struct FleetRunner: Sendable {
    private let plan: FleetPlan
    private let pace: FleetPace
    private let run: String

    package init(_ plan: FleetPlan, pace: FleetPace, run: String) {
        self.plan = plan
        self.pace = pace
        self.run = run
    }

    /// Checks all issuers that are not done.
    ///
    /// A cancelled task starts no further issuer and discards incomplete ones.
    /// - Parameters:
    ///   - isDone: By the places of the entries.
    ///   - record: Receives each result, one at a time; an error that it throws ends the run.
    /// - Returns: The number of issuers left.
    package func judge(
        isDone: [Bool],
        record: (FleetRecord) throws -> Void
    ) async throws -> Int {
        let transport = SharedTransport(requestsPerSecond: pace.rate)
        let clock = ContinuousClock()
        let end = pace.deadline.map { clock.now + .seconds($0) }
        var queue = HostQueue(plan.entries.map(\.issuer), perHost: pace.perHost) { isDone[$0] }
        var left = queue.waiting
        try await withThrowingTaskGroup(of: (Int, FleetRecord?).self) { group in
            var running = 0
            while true {
                while running < pace.concurrency, !Task.isCancelled, end.map({ clock.now < $0 }) ?? true,
                    let place = queue.take()
                {
                    running += 1
                    group.addTask { (place, await judge(place, transport)) }
                }
                guard let (place, result) = try await group.next() else { break }
                running -= 1
                queue.finish(place)
                if let result {
                    left -= 1
                    try record(result)
                }
            }
        }
        return left
    }

    /// `nil` if the run was interrupted; the issuer then counts as not checked.
    private func judge(_ place: Int, _ transport: SharedTransport) async -> FleetRecord? {
        let joint = plan.run(place, sharing: transport)
        let evidence = await joint.collect { _ in }
        if evidence.wasInterrupted { return nil }
        let report = joint.judge(evidence, now: Self.now())
        return FleetRecord(run: run, entry: plan.entries[place], report: report, evidence: evidence.first)
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
