internal import Conformance
internal import Console
internal import Synchronization

/// Tells how far a run has come, on standard error: one line that changes on a terminal, one line a phase in a pipe.
final class ProgressLine: Sendable {
    private struct State {
        var running: [String] = []
        /// What a sign-in waits for.
        var wait: String?
        var done = 0
        var total = 0
        var checks = 0
        var signIns = 0
        /// The target whose run it is, where there are several.
        var target = ""
        /// What a pipe was told last, so that nothing is told twice.
        var told = ""
        var toldOfCodes = false
        /// Whether a person is being asked, whose line is not written over.
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
            if isTerminal, !state.isAsking { draw(state) } else if !isTerminal { tell(progress, &state) }
        }
    }

    /// Asks a person, who cannot be asked quietly.
    private func ask(_ text: String?, _ state: inout State) {
        if text != nil { clear() }
        state.isAsking = text != nil
        if let text { Terminal.complain(text) }
    }

    /// Goes on with the run of another target.
    func begin(_ target: String) {
        state.withLock { $0 = State(target: target) }
    }

    /// Takes the changing line away before anything else is printed.
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
        // The report says it.
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

    /// The phases of a run: waiting, the documents, the conversations.
    ///
    /// What came of a step stands in the report.
    private func tell(_ progress: Progress, _ state: inout State) {
        switch progress {
        case .planned(let checks, _, _):
            say("asking for the documents, \(counted(checks, "check")) to judge", &state)
        case .began:
            // A document is never asked for beside a conversation.
            let conversations = state.total - Self.documents
            guard state.done >= Self.documents, conversations > 0 else { return }
            let signIns = state.signIns == 0 ? "" : ", with up to \(counted(state.signIns, "sign-in"))"
            say("holding \(counted(conversations, "conversation"))\(signIns)", &state)
        // A decision has announced the pauses.
        case .ended, .asked, .waitingForCode(nil), .waitingToSignIn: return
        case .waitingForCode:
            // It comes again and again beside the phases, which is no news.
            if !state.toldOfCodes { Terminal.complain("waiting for one-time codes: none is sent twice") }
            state.toldOfCodes = true
        case .decided(let sentence): Terminal.complain(sentence.shown(limit: 500))
        case .waitingForIssuer(let left, let reason):
            // The seconds that are left change with each attempt, which is no news.
            if state.told == reason { return }
            Terminal.complain("waiting for the issuer, \(Int(left)) s left: \(reason)".shown(limit: 300))
            state.told = reason
        }
    }

    private func say(_ text: String, _ state: inout State) {
        if state.told == text { return }
        Terminal.complain(state.target.isEmpty ? text : "\(state.target): \(text)")
        state.told = text
    }
}
