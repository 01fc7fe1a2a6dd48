internal import Conformance
internal import Console
internal import Synchronization

/// Progress of a run on standard error: one changing line on a terminal, a line per phase in a pipe.
final class ProgressLine: Sendable {
    private struct State {
        var running: [String] = []
        /// The reason why a sign-in waits.
        var wait: String?
        var done = 0
        var total = 0
        var checks = 0
        var signIns = 0
        /// The target of the run, if there are several.
        var target = ""
        /// The last line in a pipe, to avoid repetitions.
        var reported = ""
        var reportedOfCodes = false
        /// Whether a prompt is shown, which must not be overwritten.
        var isAsking = false
    }

    private let isTerminal = Terminal.isTerminal(Terminal.errors)
    private let isQuiet: Bool
    private let state = Mutex(State())

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    func handle(_ progress: Progress) {
        state.withLock { state in
            if case .asked(let text) = progress { return ask(text, &state) }
            if isQuiet { return }
            update(&state, progress)
            if isTerminal, !state.isAsking { draw(state) } else if !isTerminal { log(progress, &state) }
        }
    }

    /// Shows a prompt, even with `--quiet`.
    private func ask(_ text: String?, _ state: inout State) {
        if text != nil { clear() }
        state.isAsking = text != nil
        if let text { Terminal.complain(text) }
    }

    /// Starts the run of another target.
    func begin(_ target: String) {
        state.withLock { $0 = State(target: target) }
    }

    /// Removes the changing line before other output.
    func clear() {
        if isTerminal, !isQuiet { Terminal.write("\r\u{1B}[K", to: Terminal.errors) }
    }

    private func update(_ state: inout State, _ progress: Progress) {
        switch progress {
        case .planned(let checks, let scenarios, let signIns):
            state.done = 0
            state.checks = checks
            state.signIns = signIns
            state.total = scenarios + Self.documents
        case .began(let step):
            state.running.append(step)
        case .ended(let step, _):
            state.running.removeAll { $0 == step }
            state.done += 1
        case .waitingForCode(let seconds):
            state.wait = seconds.map { "waiting \(Int($0.rounded(.up))) s for the next one-time code" }
        case .waitingToSignIn(let seconds):
            state.wait = seconds.map { "waiting \(Int($0.rounded(.up))) s before the next sign-in" }
        // The report contains it.
        case .decided, .asked: return
        case .waitingForIssuer(let left, let reason):
            state.running = ["waiting for the issuer, \(Int(left)) s left: \(reason)"]
        }
    }

    /// The discovery document and the key set.
    private static let documents = 2

    private func draw(_ state: State) {
        let steps = ([state.wait].compactMap(\.self) + state.running).joined(separator: ", ")
        let target = state.target.isEmpty ? "" : "\(state.target) · "
        let text = "\(target)\(state.checks) checks · step \(state.done)/\(max(state.total, state.done)) · \(steps)"
        let width = max(10, Terminal.width(Terminal.errors) - 1)
        Terminal.write("\r\u{1B}[K" + LogText.defused(text.shown(limit: width)), to: Terminal.errors)
    }

    /// The phases of a run: waiting, the documents, the scenarios.
    ///
    /// The report contains the result of each step.
    private func log(_ progress: Progress, _ state: inout State) {
        switch progress {
        case .planned(let checks, _, _):
            show("requesting the documents for \(counted(checks, "check"))", &state)
        case .began:
            // The documents are requested before the scenarios.
            let scenarios = state.total - Self.documents
            guard state.done >= Self.documents, scenarios > 0 else { return }
            let signIns = state.signIns == 0 ? "" : ", with about \(counted(state.signIns, "sign-in"))"
            show("running \(counted(scenarios, "scenario"))\(signIns)", &state)
        // `decided` has announced the pauses.
        case .ended, .asked, .waitingForCode(nil), .waitingToSignIn: return
        case .waitingForCode:
            // It recurs during all phases; once is enough.
            if !state.reportedOfCodes {
                Terminal.complain("waiting for the next one-time code: each code is submitted only once")
            }
            state.reportedOfCodes = true
        case .decided(let sentence): Terminal.complain(sentence.shown(limit: 500))
        case .waitingForIssuer(let left, let reason):
            // Only the remaining seconds change with each attempt.
            if state.reported == reason { return }
            Terminal.complain("waiting for the issuer, \(Int(left)) s left: \(reason)".shown(limit: 300))
            state.reported = reason
        }
    }

    private func show(_ text: String, _ state: inout State) {
        if state.reported == text { return }
        Terminal.complain(state.target.isEmpty ? text : "\(state.target): \(text)")
        state.reported = text
    }
}
