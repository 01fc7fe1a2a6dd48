#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The files and connections that the process may still open.
package enum Descriptors {
    /// Enough for the requests that a run sends at once, its files, and the threads that wait for them.
    private static let needed: Int32 = 32

    /// Exits with a message if there are too few: libraries would trap, or wait for what they could not open.
    ///
    /// Call it before the first `await`, after which Dispatch opens its own.
    package static func require() {
        var opened: [Int32] = []
        while opened.count < needed {
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD, STDERR_FILENO + 1)
            guard descriptor >= 0 else { break }
            opened.append(descriptor)
        }
        for descriptor in opened { close(descriptor) }
        guard opened.count < needed else { return }
        Terminal.complain(
            "The process may open only \(opened.count) more files and connections, and needs \(needed): "
                + "raise the limit, for example with `ulimit -n 256`."
        )
        _exit(ExitCodes.defect.rawValue)
    }
}
