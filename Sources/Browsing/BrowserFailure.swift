/// Why a browser could not be used, in words for a person.
package struct BrowserFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
