package import Browsing

/// The passkey of one user, over all browsers of a run.
///
/// A provider accepts no signature whose counter is not above the last one's (Web Authentication Level 2 section 6.1.1). So the
/// counter moves from one browser to the next, and one browser at a time has the passkey (``BrowserOptions/mostAtOnce``).
package actor Passkey {
    nonisolated let credential: BrowserPasskey
    private(set) var count: UInt32

    /// - Parameter count: The counter of the last signature that was made.
    package init(_ credential: BrowserPasskey, count: UInt32) {
        self.credential = credential
        self.count = count
    }

    /// Records the new counter; false if nothing was signed.
    func came(to count: UInt32) -> Bool {
        guard count > self.count else { return false }
        self.count = count
        return true
    }
}
