import Conformance

/// What keeps a gate from opening though no single check says anything against the provider: a step that broke, evidence that
/// was not to be had, an interruption.
///
/// Told once, with all that waits for it counted.
struct Hindrance {
    /// The rung of the ladder, `sign-in`; `evidence` or `decided` where none broke.
    ///
    /// Of several alike the later are numbered.
    let name: String
    let message: String
    /// What the provider said, what to do, where to look; each bounded.
    let details: [String]
    /// The keys of the configuration that it may be about.
    let keys: [String]
    /// The exchange in which it was seen.
    let exchange: Exchange?

    private static let limit = 1_000

    static func all(of joint: JointReport) -> [Hindrance] {
        var all: [Hindrance] = []
        func add(
            _ name: String,
            _ message: String,
            _ details: [String?],
            keys: [String] = [],
            exchange: Exchange? = nil
        ) {
            let earlier = all.count { $0.name == name || $0.name.hasPrefix(name + "-") }
            all.append(
                Hindrance(
                    name: earlier == 0 ? name : "\(name)-\(earlier + 1)",
                    message: message.shown(limit: limit),
                    details: details.compactMap(\.self).map { $0.shown(limit: limit) },
                    keys: keys,
                    exchange: exchange
                )
            )
        }
        // What broke for one platform broke for all that share its run.
        let broken = joint.reports.first { !$0.causes.isEmpty } ?? joint.reports[0]
        for cause in broken.causes {
            add(
                cause.rung.key,
                cause.message,
                [
                    cause.words.map { "it says: \($0)" }, "do: \(cause.advice)",
                    cause.places.isEmpty ? nil : "see: \(cause.shownPlaces)",
                    "\(counted(broken.waiting(for: cause), "check")) could not be judged for it",
                ] + cause.pages.map { "page \($0.number): \($0.sentence)" },
                keys: cause.keys,
                exchange: cause.exchange.flatMap { id in broken.exchanges.first { $0.id == id } }
            )
        }
        let blocked = joint.obstacles
            .filter { one in
                one.entry.blocksOpening && !broken.causes.contains { one.entry.isWaiting(for: $0) }
            }
        for (reason, members) in blocked.grouped(by: { $0.entry.verdict.reason ?? "" }) {
            let more = members.count > 20 ? "and \(members.count - 20) more" : nil
            add("evidence", reason, members.prefix(20).map(\.entry.id.rawValue) + [more])
        }
        if all.isEmpty, joint.outcome.gate == .undecided { add("decided", joint.outcome.summary, []) }
        return all
    }
}
