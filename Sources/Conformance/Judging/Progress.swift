/// The progress messages of a run.
package enum Progress: Sendable, Hashable {
    /// How many checks and scenarios the plan has.
    case planned(checks: Int, scenarios: Int, signIns: Int)
    /// The documents, a scenario or the evaluation has begun.
    case began(step: String)
    /// It ended; the outcome in a word or two.
    case ended(step: String, outcome: String)
    /// A sign-in waits for an unused one-time code, with the seconds; `nil` when the wait is over.
    case waitingForCode(seconds: Double?)
    /// The run waits so many seconds before it sends the user's password again; `nil` when that is over.
    case waitingToSignIn(seconds: Double?)
    /// The run decided something that the user would want to know, in a sentence.
    case decided(String)
    /// A prompt for the user, in whole lines; `nil` when the user has responded, or the wait is over.
    case asked(String?)
    case waitingForIssuer(secondsLeft: Double, reason: String)
}

/// Receives progress; called from any task.
package typealias ProgressHandler = @Sendable (Progress) -> Void
