/// A secret text, such as a password, that shows only its length wherever it is printed.
package struct Credential: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    package init(_ text: String) {
        self.text = text
    }

    package var description: String { "secret of \(text.count) characters" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The text itself, for the one place that sends it.
    var revealed: String { text }
}
