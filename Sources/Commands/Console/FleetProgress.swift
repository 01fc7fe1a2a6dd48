internal import Conformance
internal import Console
internal import Fleet
internal import Synchronization

/// Progress of a batch on standard error: one changing line on a terminal, a line every ten seconds in a pipe.
final class FleetProgress: Sendable {
    private struct State {
        var counts: Journal.Counts
        var reportedAt = 0.0
        /// The counts of the last 30 seconds, for the rate.
        var marks: [(at: Double, done: Int)] = []
    }

    /// Seconds.
    private static let interval = (terminal: 0.2, pipe: 10.0)
    private static let window = 30.0

    private let isTerminal = Terminal.isTerminal(Terminal.errors)
    private let isQuiet: Bool
    private let total: Int
    private let startedAt = Terminal.now()
    private let doneBefore: Int
    private let state: Mutex<State>

    init(total: Int, done: Journal.Counts, isQuiet: Bool) {
        self.total = total
        self.isQuiet = isQuiet
        doneBefore = done.all
        state = Mutex(State(counts: done))
    }

    /// Whether the user interrupted the batch; otherwise only a deadline leaves issuers unchecked.
    var wasInterrupted: Bool { Interruption.wasReceived }

    func begin(_ plan: FleetPlan, _ journal: Journal, _ list: IssuerList, engine: String?) {
        if !list.repetitions.isEmpty {
            let first = list.repetitions[0]
            Terminal.complain(
                "\(counted(list.repetitions.count, "line")) of \(list.file) \(list.repetitions.count == 1 ? "repeats" : "repeat") an earlier "
                    + "line and \(list.repetitions.count == 1 ? "is" : "are") ignored: for example, line \(first.line) repeats line \(first.first)"
            )
        }
        if isQuiet { return }
        let part = journal.head.shard == .whole ? "" : ", shard \(journal.head.shard) of \(list.entries.count)"
        let by = engine.map { " (from the variables of \($0))" } ?? ""
        let before = doneBefore == 0 ? "" : "; \(doneBefore) already checked"
        Terminal.complain("\(counted(total, "issuer"))\(part)\(by)\(before); results: \(journal.path)")
    }

    func ended(_ record: FleetRecord) {
        if isQuiet { return }
        state.withLock { state in
            state.counts.add(record.gate)
            let now = Terminal.now()
            let interval = isTerminal ? Self.interval.terminal : Self.interval.pipe
            guard now - max(state.reportedAt, startedAt) >= interval else { return }
            state.reportedAt = now
            state.marks.append((now, state.counts.all))
            state.marks.removeAll { now - $0.at > Self.window }
            let text = Self.text(state.counts, total: total, rate: rate(state, now))
            if isTerminal {
                let width = max(10, Terminal.width(Terminal.errors) - 1)
                Terminal.write("\r\u{1B}[K" + text.shown(limit: width), to: Terminal.errors)
            } else {
                Terminal.complain(text)
            }
        }
    }

    func clear() {
        if isTerminal, !isQuiet { Terminal.write("\r\u{1B}[K", to: Terminal.errors) }
    }

    /// The last line: a summary of the results.
    func end(_ journal: Journal, left: Int) {
        let counts = journal.counts
        var text =
            "\(counted(counts.all, "issuer")) checked: \(counts.open) open, \(counts.closed) closed, \(counts.inconclusive) inconclusive"
        if left > 0 { text += "; \(left) left: run the command again to continue" }
        if !isQuiet {
            let seconds = Terminal.now() - startedAt
            let judged = counts.all - doneBefore
            if judged > 0 {
                text += " (\(judged) in \(Self.duration(seconds)), \(Self.rate(Double(judged) / max(seconds, 0.001))))"
            }
        }
        Terminal.print("\(text). Run \(journal.head.run), results: \(journal.path)")
    }

    /// Issuers per second, over the last 30 seconds.
    private func rate(_ state: State, _ now: Double) -> Double {
        let first = state.marks.first.map { ($0.at, $0.done) } ?? (startedAt, doneBefore)
        let (at, done) = state.marks.count > 1 ? first : (startedAt, doneBefore)
        return Double(state.counts.all - done) / max(now - at, 0.001)
    }

    static func text(_ counts: Journal.Counts, total: Int, rate: Double) -> String {
        let left = rate > 0 ? duration(Double(total - counts.all) / rate) : "?"
        return
            "\(counts.all) of \(total) · \(self.rate(rate)) · \(left) left · \(counts.closed) closed, \(counts.inconclusive) inconclusive"
    }

    private static func rate(_ number: Double) -> String {
        number >= 10 ? "\(Int(number.rounded()))/s" : "\((number * 10).rounded() / 10)/s"
    }

    /// `45 s`, `12 min`, `3 h 20 min`.
    static func duration(_ seconds: Double) -> String {
        let whole = Int(min(max(seconds, 0), 1e9).rounded(.up))
        if whole < 120 { return "\(whole) s" }
        let minutes = (whole + 59) / 60
        return minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
    }

}
