internal import Conformance
internal import Synchronization

/// Tells how far a run has come: one line that changes on a terminal, plain lines in a pipe.
final class ProgressLine: Sendable {
    private struct State {
        var running: [String] = []
        var done = 0
        var total = 0
        var checks = 0
    }

    private let isTerminal = Terminal.isTerminal(Terminal.errors)
    private let isQuiet: Bool
    private let state = Mutex(State())

    init(isQuiet: Bool) {
        self.isQuiet = isQuiet
    }

    func handle(_ progress: Progress) {
        if isQuiet { return }
        if isTerminal {
            state.withLock { state in
                update(&state, progress)
                draw(state)
            }
        } else {
            tell(progress)
        }
    }

    /// Takes the changing line away before anything else is printed.
    func clear() {
        if isTerminal, !isQuiet { Terminal.write("\r\u{1B}[K", to: Terminal.errors) }
    }

    private func update(_ state: inout State, _ progress: Progress) {
        switch progress {
        case .planned(let checks, let scenarios, _):
            state.checks = checks
            state.total = scenarios + 2
        case .began(let step):
            state.running.append(step)
        case .ended(let step, _):
            state.running.removeAll { $0 == step }
            state.done += 1
        case .waitingForIssuer(let left, let reason):
            state.running = ["waiting for the issuer, \(Int(left)) s left: \(reason)"]
        }
    }

    private func draw(_ state: State) {
        let steps = state.running.joined(separator: ", ")
        let text = "\(state.checks) checks · step \(state.done)/\(max(state.total, state.done)) · \(steps)"
        let width = max(10, Terminal.width(Terminal.errors) - 1)
        Terminal.write("\r\u{1B}[K" + text.shown(limit: width), to: Terminal.errors)
    }

    private func tell(_ progress: Progress) {
        switch progress {
        case .planned(let checks, let scenarios, let signIns):
            Terminal.complain("\(checks) checks, \(scenarios) scenarios, up to \(signIns) sign-ins")
        case .began: break
        case .ended(let step, let outcome):
            Terminal.complain("\(step): \(outcome)".shown(limit: 300))
        case .waitingForIssuer(let left, let reason):
            Terminal.complain("waiting for the issuer, \(Int(left)) s left: \(reason)".shown(limit: 300))
        }
    }
}
