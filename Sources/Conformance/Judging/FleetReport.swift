/// The results of many issuers in one run, and the changes since the run before: a value that reports are written from.
package struct FleetReport: Sendable, Hashable {
    package var run: String
    /// Seconds since 1970.
    package var startedAt: Double
    package var endedAt: Double
    /// The run that this one is compared with; `nil` where it is the first.
    package var before: String?
    package var counts: Counts
    /// Issuers in the lists of its parts that were not checked.
    package var missing: Int
    /// In the order of their names.
    package var platforms: [Platform]
    /// The issuers whose gate is not open: closed ones first, then by how much closes them.
    package var worst: Reported<Issuer>
    package var changes: Reported<Change>
    /// Certificates that end within ``endingDays``, the first first.
    package var endings: Reported<ExpiringCertificate>
    /// The checks that close the most gates, the most first.
    package var checks: [ClosingCheck]

    package static let endingDays = 30

    package struct Counts: Sendable, Hashable {
        package var open: Int
        package var closed: Int
        package var inconclusive: Int

        package init(open: Int = 0, closed: Int = 0, inconclusive: Int = 0) {
            self.open = open
            self.closed = closed
            self.inconclusive = inconclusive
        }

        package var all: Int { open + closed + inconclusive }
    }

    /// The reported items, and how many more there are.
    package struct Reported<Item: Sendable & Hashable>: Sendable, Hashable {
        package var items: [Item]
        package var left: Int

        package init(_ items: [Item] = [], left: Int = 0) {
            self.items = items
            self.left = left
        }

        package var all: Int { items.count + left }
    }

    package struct Platform: Sendable, Hashable {
        package var profile: String
        package var counts: Counts

        package init(profile: String, counts: Counts) {
            self.profile = profile
            self.counts = counts
        }
    }

    package struct Issuer: Sendable, Hashable {
        package var issuer: String
        /// Profile and configuration, where the list names them.
        package var rules: String
        package var gate: Report.Gate
        /// Findings that close gates, over all platforms.
        var closing: Int
        package var findings: [Finding]

        package init(issuer: String, rules: String, gate: Report.Gate, closing: Int, findings: [Finding]) {
            self.issuer = issuer
            self.rules = rules
            self.gate = gate
            self.closing = closing
            self.findings = findings
        }
    }

    package struct Finding: Sendable, Hashable {
        package var profile: String
        package var check: String
        package var message: String

        package init(profile: String, check: String, message: String) {
            self.profile = profile
            self.check = check
            self.message = message
        }
    }

    /// One thing that is other than in the run before.
    package struct Change: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            /// A gate that was open is not any more.
            case worse
            case better
            /// The issuer that the discovery document states.
            case issuer
            case algorithms
            case keyAdded
            case keyWithdrawn
            /// It was in no run before.
            case appeared
            /// It is in this run no more.
            case gone
        }

        package var issuer: String
        package var kind: Kind
        /// The old and the new value, in a clause; empty if the kind is enough.
        package var words: String

        package init(issuer: String, kind: Kind, words: String = "") {
            self.issuer = issuer
            self.kind = kind
            self.words = words
        }
    }

    package struct ExpiringCertificate: Sendable, Hashable {
        package var host: String
        /// Seconds since 1970.
        package var notAfter: Double
        /// How many issuers of the run it is the first to end for.
        package var issuers: Int

        package init(host: String, notAfter: Double, issuers: Int) {
            self.host = host
            self.notAfter = notAfter
            self.issuers = issuers
        }
    }

    package struct ClosingCheck: Sendable, Hashable {
        package var check: String
        package var issuers: Int

        package init(check: String, issuers: Int) {
            self.check = check
            self.issuers = issuers
        }
    }

    package init(
        run: String,
        startedAt: Double,
        endedAt: Double,
        before: String?,
        counts: Counts,
        missing: Int,
        platforms: [Platform],
        worst: Reported<Issuer>,
        changes: Reported<Change>,
        endings: Reported<ExpiringCertificate>,
        checks: [ClosingCheck]
    ) {
        self.run = run
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.before = before
        self.counts = counts
        self.missing = missing
        self.platforms = platforms
        self.worst = worst
        self.changes = changes
        self.endings = endings
        self.checks = checks
    }

    /// The worst gate of all issuers, unchecked ones included.
    package var gate: Report.Gate {
        counts.closed > 0 ? .closed : counts.inconclusive > 0 || missing > 0 || counts.all == 0 ? .inconclusive : .open
    }

    /// The run in a sentence.
    package var summary: String {
        var text = "\(counts.open) of \(counted(counts.all + missing, "issuer")) may be registered"
        var rest: [String] = []
        if counts.closed > 0 { rest.append("\(counts.closed) closed") }
        if counts.inconclusive > 0 { rest.append("\(counts.inconclusive) inconclusive") }
        if missing > 0 { rest.append("\(missing) not checked") }
        if !rest.isEmpty { text += ": " + rest.joined(separator: ", ") }
        return text
    }
}

extension FleetReport.Change.Kind {
    package var title: String {
        switch self {
        case .worse: "a gate is no longer open"
        case .better: "the gate is open now"
        case .issuer: "another issuer is stated"
        case .algorithms: "other algorithms"
        case .keyAdded: "a key was added"
        case .keyWithdrawn: "a key was removed"
        case .appeared: "new in the list"
        case .gone: "no longer in the list"
        }
    }
}
