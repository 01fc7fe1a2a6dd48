/// What a run tells about itself while it is on.
package enum Progress: Sendable, Hashable {
    /// How many checks and scenarios the plan holds.
    case planned(checks: Int, scenarios: Int, signIns: Int)
    /// The documents, a scenario or the judging has begun.
    case began(step: String)
    /// It ended; the outcome in a word or two.
    case ended(step: String, outcome: String)
    /// A sign-in waits so many seconds for a one-time code that nobody has used; `nil` when one has been waited for.
    case waitingForCode(seconds: Double?)
    /// The run waits so many seconds before it sends the user's password again; `nil` when that is over.
    case waitingToSignIn(seconds: Double?)
    /// The run decided something that the user would want to know, in a sentence.
    case decided(String)
    /// A person is asked for something, in whole lines; `nil` when they have answered, or are waited for no more.
    case asked(String?)
    case waitingForIssuer(secondsLeft: Double, reason: String)
}

/// Receives progress; called from any task.
package typealias ProgressHandler = @Sendable (Progress) -> Void
