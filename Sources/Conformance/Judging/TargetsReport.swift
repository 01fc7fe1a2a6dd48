/// The outcome of several targets: a row for each report, and the worst gate.
///
/// It contains no report, so that memory does not grow by one for each target.
package struct TargetsReport: Sendable {
    /// A target with its report.
    package struct Target: Sendable {
        /// The name in the configuration; empty if it has no targets.
        package let name: String
        package let report: JointReport
        /// The user of the configuration; `nil` if unknown.
        package let user: String?

        package init(name: String, report: JointReport, user: String? = nil) {
            self.name = name
            self.report = report
            self.user = user
        }
    }

    /// A target at a platform.
    package struct Row: Sendable {
        package let target: String
        package let issuer: String
        package let platform: (name: String, title: String)
        package let answers: Answers
        package let gate: Report.Gate
        /// The number of checks that were evaluated.
        package let judged: Int
        /// The only platform of its target.
        fileprivate let isAlone: Bool

        /// Target and platform if the target has several platforms.
        package var name: String { isAlone ? target : "\(target) at \(platform.name)" }
    }

    /// In the order of the configuration.
    package private(set) var rows: [Row] = []
    private var members: [GateCount.Member] = []

    package init() {}

    /// The number of targets.
    package var count: Int { members.count }

    package mutating func add(_ target: Target) {
        let reports = target.report.reports
        rows += reports.map { report in
            Row(
                target: target.name,
                issuer: report.target.issuer,
                platform: (report.profile.name, report.profile.title),
                answers: report.answers,
                gate: report.outcome.gate,
                judged: report.coverage.judged,
                isAlone: reports.count == 1
            )
        }
        members.append(
            GateCount.Member(
                name: target.name,
                outcome: target.report.outcome,
                triedSignIn: reports.contains { $0.answers.signIn.wasTried },
                known: Set(reports.flatMap { $0.entries.filter(\.isKnown).map(\.id) })
            )
        )
    }

    /// The outcome of a single target, or the worst of several; at least one was added.
    package var outcome: Report.Outcome {
        members.count == 1 ? members[0].outcome : GateCount(members, noun: "target").outcome
    }
}

/// How many of several gates are open: of platforms, or of targets.
struct GateCount: Sendable {
    struct Member: Sendable {
        let name: String
        let outcome: Report.Outcome
        let triedSignIn: Bool
        /// The errors that an earlier report knows.
        let known: Set<CheckID>
    }

    private let members: [Member]
    private let noun: String

    /// - Parameter members: At least one.
    init(_ members: [Member], noun: String) {
        self.members = members
        self.noun = noun
    }

    /// The worst of all: a pipeline that names several must not let one pass that is closed.
    var outcome: Report.Outcome {
        let worst = members.map(\.outcome).max { Self.weight($0) < Self.weight($1) } ?? members[0].outcome
        return Report.Outcome(gate: worst.gate, exitCode: worst.exitCode, summary: summary)
    }

    /// The number of names that a sentence lists; it counts more.
    private static let mostNames = 10

    /// `Gate open for 2 of 3 platforms; closed for supabase`.
    private var summary: String {
        let names = { (members: [Member]) in
            members.count > Self.mostNames ? "\(members.count)" : members.map(\.name).joined(separator: ", ")
        }
        let open = members.filter { $0.outcome.gate == .open }
        // An open gate alone would suggest that sign-in works, also if it was not tried.
        let untried = open.filter { !$0.triedSignIn }
        let others = [(Report.Gate.closed, "closed for "), (.inconclusive, "inconclusive for ")]
            .compactMap { gate, words in
                let members = members.filter { $0.outcome.gate == gate }
                return members.isEmpty ? nil : words + names(members)
            }
        let known = members.reduce(into: Set<CheckID>()) { $0.formUnion($1.known) }.count
        let all = members.count == 2 ? "for both \(noun)s" : "for all \(members.count) \(noun)s"
        if members.allSatisfy({ $0.outcome.gate == .inconclusive }) { return "Inconclusive \(all)" }
        let gates =
            if others.isEmpty {
                ["Gate open \(all)"]
            } else if members.allSatisfy({ $0.outcome.gate == .closed }) {
                ["Gate closed \(all)"]
            } else {
                ["Gate open for \(open.isEmpty ? "none" : "\(open.count)") of \(members.count) \(noun)s"] + others
            }
        let tried = untried.count == members.count ? "sign-in not tried" : "sign-in not tried for \(names(untried))"
        let parts =
            gates + (untried.isEmpty ? [] : [tried])
            + (known == 0 ? [] : [counted(known, "known error")])
        return parts.joined(separator: "; ")
    }

    /// An interruption weighs most of those that are not closed; a closed gate stays closed.
    private static func weight(_ outcome: Report.Outcome) -> Int {
        let gate =
            switch outcome.gate {
            case .open: 0
            case .inconclusive: 1
            case .closed: 2
            }
        return outcome.exitCode == 130 ? 3 + gate : gate
    }
}
