/// The user's passkey, in browsers with virtual authenticators.
extension BrowserSession {
    /// Gives the browser an authenticator with a passkey, whose owner is there and says yes to whatever page asks.
    ///
    /// - Parameter count: Its signature counter; the next signature has one more.
    package func take(_ passkey: BrowserPasskey, count: UInt32) async throws(BrowserFailure) {
        try await window.take(passkey, count: count)
    }

    /// The signature counter of the passkey as it is now; `nil` where the browser has none.
    package func passkeyCount() async -> UInt32? { await window.passkeyCount() }
}
