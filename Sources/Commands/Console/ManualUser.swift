internal import Console
internal import Preflight

/// The user at standard input, for manual sign-ins.
enum ManualUser {
    /// - Parameter opens: Whether to open addresses in a browser, if one can be shown.
    static func user(opens: Bool) -> User {
        var open: (@Sendable (String) -> Bool)?
        if opens, Terminal.canShowBrowser { open = { address in Terminal.openAddress(address) } }
        return User(
            isAtTerminal: Terminal.isTerminal(Terminal.input),
            open: open,
            takeLines: Terminal.takeLongLines,
            line: line
        )
    }

    @Sendable
    private static func line(within seconds: Double) async -> User.Answer {
        switch await Terminal.line(within: seconds) {
        case .text(let text): return .text(text)
        case .tooLong: return .tooLong
        case .ended: return .ended
        case .late: return .late
        }
    }
}
