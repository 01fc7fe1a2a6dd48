import Synchronization

/// The sign-ins of one user at one issuer in all runs of a process, for other platforms or targets: accounts lock by user, not
/// by run.
package final class EarlierSignIns: Sendable {
    private struct State {
        var sent: [Double] = []
        var rejection: StopReason?
    }

    private let state = Mutex(State())

    package init() {}

    /// The times at which the password was sent, by the clock of the runs.
    var sent: [Double] { state.withLock(\.sent) }

    /// The reason why the credentials were rejected; `nil` if they were not.
    var rejection: StopReason? { state.withLock(\.rejection) }

    func note(sent time: Double) { state.withLock { $0.sent.append(time) } }

    func note(rejection reason: StopReason) { state.withLock { $0.rejection = reason } }
}
