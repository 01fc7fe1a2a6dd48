internal import Console
internal import Preflight

/// The user at standard input, for manual sign-ins.
enum ManualUser {
    /// - Parameter opens: Whether to open addresses in a browser, if one can be shown.
    static func person(opens: Bool) -> Person {
        var open: (@Sendable (String) -> Bool)?
        if opens, Terminal.canShowBrowser { open = { address in Terminal.openAddress(address) } }
        return Person(
            isAtTerminal: Terminal.isTerminal(Terminal.input),
            open: open,
            takeLines: Terminal.takeLongLines,
            line: line
        )
    }

    @Sendable
    private static func line(within seconds: Double) async -> Person.Answer {
        switch await Terminal.line(within: seconds) {
        case .text(let text): return .text(text)
        case .tooLong: return .tooLong
        case .ended: return .ended
        case .late: return .late
        }
    }
}
