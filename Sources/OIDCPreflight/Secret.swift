internal import Conformance

/// Secret text: it prints as its length, and no report contains it.
public struct Secret: Sendable, Hashable, ExpressibleByStringLiteral {
    let wrapped: Conformance.Secret

    /// Creates a secret from a text.
    public init(_ text: String) {
        wrapped = Conformance.Secret(text)
    }

    /// Only for test accounts; read real secrets from the environment or a file.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only its length.
    public var description: String { wrapped.description }
    /// Only its length.
    public var debugDescription: String { wrapped.description }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
