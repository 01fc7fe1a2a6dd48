/// The result of a run as a value: what every format is written from.
package struct Report: Sendable {
    /// The version of the JSON form; raised when a member changes its meaning or goes.
    package static let currentSchemaVersion = 2

    package var schemaVersion = Report.currentSchemaVersion
    package var tool: String
    package var target: Target
    package var profile: ProfileSummary
    package var tier: Tier
    /// The input that was checked without a run; `nil` for a run.
    package var offlineInput: OfflineInput?
    package var threshold: Level
    package var outcome: Outcome
    package var coverage: Coverage
    /// Whether sign-in works, whether it is safe, and whether it conforms.
    package var answers: Answers
    /// The root causes in the ordinary scenarios; everything else waits for them.
    package var causes: [Cause]
    package var entries: [Entry]
    package var timings: Timings
    /// Sentences about the run as a whole: an expired waiver, an interruption, a suggested issuer.
    package var notes: [String]
    /// The exchanges that findings and reasons refer to, by their identifier.
    package var exchanges: [Exchange]
    /// Every exchange of the run, superseded ones included; for formats that show all of them.
    package var recorded: [Exchange] = []
    /// Whether users signed in by hand.
    package var isByHand = false
    /// How the run reached the provider's hosts, to repeat a request.
    package var reach = ConnectionSettings()
    /// How far the ordinary sign-in came; empty where there was no run.
    package var signInSteps: [SignInStepState] = []
    /// The comparison with an earlier report; `nil` if none was given.
    package var comparison: Comparison?
    /// The files in which findings can be looked up.
    package var sources = Sources()
    /// Certificates and keys, as far as the run saw them.
    package var lifetimes = Lifetimes()

    package init(
        tool: String,
        target: Target,
        profile: ProfileSummary,
        tier: Tier,
        threshold: Level,
        outcome: Outcome,
        coverage: Coverage,
        answers: Answers,
        causes: [Cause] = [],
        entries: [Entry],
        timings: Timings,
        notes: [String] = [],
        exchanges: [Exchange] = []
    ) {
        self.tool = tool
        self.target = target
        self.profile = profile
        self.tier = tier
        self.threshold = threshold
        self.outcome = outcome
        self.coverage = coverage
        self.answers = answers
        self.causes = causes
        self.entries = entries
        self.timings = timings
        self.notes = notes
        self.exchanges = exchanges
    }

    /// How far the run got, or the input that was checked without one.
    package var extent: String { offlineInput?.rawValue ?? "tier \(tier.rawValue)" }

    /// The options and variables by which the user skipped checks that the run would have executed, and how many each.
    package var skipped: [(source: String, count: Int)] {
        let sources = entries.compactMap(\.skippedBy)
        return Set(sources).sorted().map { source in (source, sources.count { $0 == source }) }
    }

    /// The checks that decide the gate: those that close it, or, without any, those that make it inconclusive.
    package var decisive: [Entry] {
        let closing = entries.filter(\.closesGate)
        return closing.isEmpty ? entries.filter(\.blocksOpening) : closing
    }

    /// How many checks were skipped because of it.
    package func waiting(for cause: Cause) -> Int {
        entries.count { $0.isWaiting(for: cause) }
    }

    /// A check that closes the gate because of the configuration line that a cause is about: one mistake, reported in two
    /// places.
    package func closing(besides cause: Cause) -> CheckID? {
        let keys = Set(cause.places.isEmpty ? [] : cause.keys)
        return entries.first { entry in
            entry.closesGate && entry.verdict.findings.contains { $0.pointer.map(keys.contains) ?? false }
        }?
        .id
    }

    package struct ProfileSummary: Sendable, Hashable, Codable {
        package var name: String
        package var title: String
        /// The source of the rules of a platform that was not measured.
        package var knownFrom: String?
        package var lineage: [String]

        package init(_ profile: Profile) {
            self.name = profile.name
            self.title = profile.title
            self.knownFrom = profile.knownFrom
            self.lineage = profile.lineage
        }
    }

    /// One check and what became of it.
    package struct Entry: Sendable, Hashable {
        private let check: Check.Metadata
        package var level: Level
        /// Why the profile changed the level.
        package var levelReason: String?
        package var verdict: Verdict
        /// Which of the three answers its failure is of: the check's, unless the platform refuses what the check finds.
        package var consequence: Consequence
        private var boxedWaiver: Boxed<Waiver>?
        /// True for exactly what closes the gate: failed, at or above the threshold, not waived.
        package var closesGate: Bool
        /// True when the gate cannot open because of it: inconclusive, at or above the threshold.
        package var blocksOpening: Bool
        /// True when tier, profile and selection let it take part.
        package var wasSelected: Bool
        /// True for what would close the gate if an earlier report had not known it.
        package var isKnown = false
        /// True for an error of its answer, whether or not the gate closes because of it: waivers, a baseline, levels and
        /// `--fail-on` change the gate and not the answers.
        package var isProblem = false
        /// The option or variable by which the user skips it; `nil` if the user does not, or if the run would have skipped it
        /// anyway.
        package var skippedBy: String?

        package init(
            check: Check,
            level: Level,
            levelReason: String? = nil,
            verdict: Verdict,
            waiver: Waiver? = nil,
            closesGate: Bool,
            blocksOpening: Bool,
            wasSelected: Bool
        ) {
            self.check = check.metadata
            self.level = level
            self.levelReason = levelReason
            self.verdict = verdict
            consequence = check.consequence
            boxedWaiver = waiver.map(Boxed.init)
            self.closesGate = closesGate
            self.blocksOpening = blocksOpening
            self.wasSelected = wasSelected
        }

        /// The waiver for the failure.
        package var waiver: Waiver? {
            get { boxedWaiver?.value }
            set { boxedWaiver = newValue.map(Boxed.init) }
        }

        package var id: CheckID { check.id }
        package var title: String { check.title }
        package var requirement: Requirement { check.requirement }
        /// The features that a relying party must use to be affected; empty if every one is.
        package var features: [Feature] { check.orderedFeatures }
        package var citation: Citation { check.citation }
        package var why: String { check.why }
        package var stage: Stage { check.stage }

        /// Whether it was skipped because of the cause.
        package func isWaiting(for cause: Cause) -> Bool {
            if case .inconclusive(let why) = verdict { why.isWaiting(for: cause) } else { false }
        }
    }

    /// How many checks ended how; not run is not passed, so everything is counted.
    package struct Coverage: Sendable, Hashable, Codable {
        package var passed = 0
        package var failed = 0
        package var waived = 0
        /// Failed because of another check, which is reported instead.
        package var superseded = 0
        package var notApplicable = 0
        package var inconclusive = 0
        package var notAttempted = 0

        package init() {}

        package var total: Int { judged + inconclusive + notAttempted }
        /// Checks with a result.
        package var judged: Int { passed + failed + waived + superseded + notApplicable }
    }

    package struct Outcome: Sendable, Hashable, Codable {
        package var gate: Gate
        package var exitCode: Int
        /// The verdict in a sentence, with the counts; root causes are reported separately.
        package var summary: String
        /// The same with the root cause or first finding, if nothing else is shown.
        package var alone: String
        /// How the run fell short of the required tier, if only that makes the gate inconclusive.
        package var shortfall: String?

        package init(gate: Gate, exitCode: Int, summary: String, alone: String? = nil, shortfall: String? = nil) {
            self.gate = gate
            self.exitCode = exitCode
            self.summary = summary
            self.alone = alone ?? summary
            self.shortfall = shortfall
        }
    }

    package enum Gate: String, Sendable, Codable {
        /// Every selected check was executed and none failed at or above the threshold.
        case open
        /// At least one finding at or above the threshold.
        case closed
        /// A required check was skipped or is inconclusive.
        case inconclusive = "undecided"

        /// The word that users read.
        package var word: String { self == .inconclusive ? "inconclusive" : rawValue }
    }

    package struct Timings: Sendable, Hashable, Codable {
        /// Seconds since 1970.
        package var startedAt: Double
        /// Seconds.
        package var duration: Double
        package var requests: Int
        package var signIns: Int

        package init(startedAt: Double, duration: Double, requests: Int, signIns: Int) {
            self.startedAt = startedAt
            self.duration = duration
            self.requests = requests
            self.signIns = signIns
        }
    }
}

extension Report {
    /// The first known or waived error because of which `register` rejects the report of an open gate.
    package var refused: Entry? {
        entries.first { $0.isKnown || ($0.isProblem && $0.waiver != nil && $0.consequence == .signIn) }
    }

    /// Whether `register` accepts the report.
    package var mayBeRegistered: Bool { outcome.gate == .open && tier == .full && refused == nil }
}
