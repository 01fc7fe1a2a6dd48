import FoundationEssentials

/// The system time.
enum Clock {
    /// Seconds since 1970.
    static func now() -> Double { Date().timeIntervalSince1970 }
}
