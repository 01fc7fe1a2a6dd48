extension StringProtocol {
    /// Whether the line is a command for the user, which is never wrapped: a shell runs it as it is copied.
    package var isCommand: Bool { hasPrefix("next: ") || hasPrefix("repeat the request: ") }
}
