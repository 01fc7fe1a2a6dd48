/// Why a browser could not be used, in words for a user.
package struct BrowserFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether a key or a button may have been pressed all the same, so that nothing is pressed in its place.
    var mayHaveHappened = false

    package init(_ description: String) {
        self.description = description
    }
}
