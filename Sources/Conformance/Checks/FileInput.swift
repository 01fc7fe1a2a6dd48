/// A kind of file that the tool reads, and its bounds.
///
/// A file without an end, such as `/dev/zero`, or one that the author of a configuration chose, must not exhaust the memory.
package enum FileInput: String, Sendable, CaseIterable {
    case configuration = "a configuration"
    /// Named by a list of issuers.
    case listedConfiguration = "a configuration that a list names"
    case profile = "a profile"
    case secret = "a secret"
    case authorities = "certificate authorities"
    case session = "a saved session"
    case document = "a document"
    case token = "a token"
    case evidence = "evidence"
    case report = "a JSON report"
    case registration = "a registration"
    case list = "a list of issuers"

    /// The maximum size in bytes.
    package var most: Int {
        switch self {
        case .secret: 64 << 10
        case .configuration, .listedConfiguration, .profile, .token, .registration: 1 << 20
        // The maximum body of a response.
        case .document: 2 << 20
        // A session has up to 300 cookies of 4,096 bytes, which base64 extends by a third.
        case .session: 4 << 20
        case .authorities: 8 << 20
        // A report has up to 20 MiB, in which escapes may double the texts.
        case .report: 64 << 20
        // A run receives up to 100 MB, which base64 extends by a third.
        case .evidence, .list: 256 << 20
        }
    }

    /// Where the file may be a named pipe: only a command line names it.
    ///
    /// Elsewhere a stranger may have named it, and a run would wait for a pipe that has no writer.
    package var mayBeNamedPipe: Bool {
        switch self {
        case .configuration, .document, .token, .evidence, .report, .list: true
        case .listedConfiguration, .profile, .secret, .authorities, .session, .registration: false
        }
    }

    /// Where the file may be a pipe that the program was started with, such as `<(…)` of a shell.
    ///
    /// A file of certificate authorities is read several times.
    package var mayBeInheritedPipe: Bool { self != .authorities && self != .session }
}

extension FileInput {
    /// The reason for a file that is too large.
    package var excess: String {
        let (count, unit) = most >= 1 << 20 ? (most >> 20, "MiB") : (most >> 10, "KiB")
        return "is larger than \(count) \(unit), the limit for \(rawValue)"
    }
}
