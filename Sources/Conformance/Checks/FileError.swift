/// Why a file could not be read or written.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var path: String
    package var reason: String

    package init(path: String, reason: String) {
        self.path = path
        self.reason = reason
    }

    /// The reason of a file that does not exist.
    package static let missing = "no such file"

    package var description: String { "\(path): \(reason)" }
}
