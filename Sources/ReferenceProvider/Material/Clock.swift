import FoundationEssentials

/// The time of this machine.
enum Clock {
    /// Seconds since 1970.
    static func now() -> Double { Date().timeIntervalSince1970 }
}
