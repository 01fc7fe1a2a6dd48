/// Whether this machine's clock can be right.
///
/// Certificates and tokens are checked by it, so a run with a wrong clock decides nothing.
package enum MachineClock {
    /// The beginning of the year in which this version was written, 2026-01-01: no clock that shows an earlier time is right.
    package static let earliest = 1_767_225_600.0
    /// Fifty years later.
    static let latest = earliest + 50 * 365.25 * 86_400
    /// How many seconds a clock may be set by during a run: time servers correct small deviations.
    static let tolerance = 60.0

    /// What is wrong with a clock that shows this time, in seconds since 1970; `nil` if nothing shows that.
    package static func fault(showing now: Double) -> ReachedLimit? {
        if now >= earliest, now < latest { return nil }
        let other =
            now < earliest
            ? "\(Tool.nameAndVersion) was written after \(text(earliest))"
            : "certificates of today end long before, and \(Tool.nameAndVersion) was written after \(text(earliest))"
        return fault("it shows \(text(now)), but \(other)")
    }

    /// What is wrong with a clock that was set during a run; `nil` if it was not, or only corrected.
    ///
    /// - Parameters:
    ///   - start: The time that it showed at the beginning of the run, in seconds since 1970.
    ///   - end: The time that it showed at the end.
    ///   - elapsed: The seconds between them, by a clock that cannot be set.
    package static func fault(from start: Double, to end: Double, elapsed: Double) -> ReachedLimit? {
        let expected = start + elapsed
        if abs(end - expected) <= tolerance { return nil }
        return fault("it shows \(text(end)) at the end of the run, but \(text(expected)) was expected")
    }

    private static func fault(_ observation: String) -> ReachedLimit {
        ReachedLimit(
            "This machine's clock is wrong: \(observation)",
            advice: "Set the clock, for example with `timedatectl set-ntp true`, and run the program again."
        )
    }

    /// The time as HTTP writes it; one that no calendar has is bounded.
    private static func text(_ seconds: Double) -> String { HTTPDate.text(min(max(seconds, -1e14), 1e14)) }
}

extension Evidence {
    /// The evidence of a run that decides nothing: the exchanges are kept, and no check reads them.
    package func withheld(because limit: ReachedLimit) -> Evidence {
        let why = Reason(limit.message, .limit)
        var evidence = self
        evidence.discovery = .absent(why)
        evidence.discoveryHops = []
        evidence.published = nil
        evidence.keys = .absent(why)
        evidence.keysHops = []
        evidence.discoveryRefetched = .absent(why)
        evidence.keysRefetched = .absent(why)
        evidence.serverMetadata = nil
        evidence.protectedResource = nil
        evidence.webFinger = nil
        evidence.backChannel = .absent(why)
        evidence.suggestions = []
        evidence.hosts = []
        evidence.refetches = nil
        evidence.runs = []
        evidence.oauth1 = nil
        evidence.limitsReached = [limit]
        return evidence
    }
}
