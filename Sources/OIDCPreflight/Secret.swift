internal import Conformance

/// Text that must not be seen: it prints as its length, and no report holds it.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    let kept: Conformance.Secret

    /// Keeps a text secret.
    public init(_ text: String) {
        kept = Conformance.Secret(text)
    }

    /// For a test's own accounts; what guards anything real comes from the environment or a file.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// How long it is, and nothing else.
    public var description: String { kept.description }
    /// How long it is, and nothing else.
    public var debugDescription: String { kept.description }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
