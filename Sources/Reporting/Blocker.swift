import Conformance

/// A reason for an inconclusive gate other than a failed check: a failed step, missing evidence, an interruption.
///
/// Reported once, with the number of affected checks.
struct Blocker {
    /// The failed step, `sign-in`; else `inconclusive-checks`, `interrupted` or `inconclusive`.
    ///
    /// Repeated names are numbered.
    let name: String
    let message: String
    /// The provider's message, the action and the places to look at; each bounded.
    let details: [String]
    /// The configuration keys that may be involved.
    let keys: [String]
    /// The exchange that shows it.
    let exchange: Exchange?

    private static let limit = 1_000

    static func all(of joint: JointReport) -> [Blocker] {
        var all: [Blocker] = []
        func add(
            _ name: String,
            _ message: String,
            _ details: [String?],
            keys: [String] = [],
            exchange: Exchange? = nil
        ) {
            let earlier = all.count { $0.name == name || $0.name.hasPrefix(name + "-") }
            all.append(
                Blocker(
                    name: earlier == 0 ? name : "\(name)-\(earlier + 1)",
                    message: message.shown(limit: limit),
                    details: details.compactMap(\.self).map { $0.shown(limit: limit) },
                    keys: keys,
                    exchange: exchange
                )
            )
        }
        // Platforms share a run, and so its root causes.
        let broken = joint.reports.first { !$0.causes.isEmpty } ?? joint.reports[0]
        for cause in broken.causes {
            add(
                cause.signInStep.key,
                cause.message,
                [
                    cause.words.map { "message: \($0.shown())" }, "action: \(cause.advice)",
                    cause.places.isEmpty ? nil : "see: \(cause.shownPlaces)",
                    "affects: \(broken.shownWaiting(for: cause))",
                ] + cause.pages.map { "page \($0.number): \($0.sentence)" },
                keys: cause.keys,
                exchange: cause.exchange.flatMap { id in broken.exchanges.first { $0.id == id } }
            )
        }
        let blocked = joint.blockers
            .filter { one in
                one.entry.blocksOpening && !broken.causes.contains { one.entry.isWaiting(for: $0) }
            }
        for (reason, members) in blocked.grouped(by: { $0.entry.verdict.reason ?? "" }) {
            let more = members.count > 20 ? "and \(members.count - 20) more" : nil
            add("inconclusive-checks", reason, members.prefix(20).map(\.entry.id.rawValue) + [more])
        }
        if all.isEmpty, joint.outcome.gate == .inconclusive {
            add(joint.outcome.exitCode == 130 ? "interrupted" : "inconclusive", joint.outcome.summary, [])
        }
        return all
    }
}
