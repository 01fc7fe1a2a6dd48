#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Texts in the order in which they were added; those that do not fit into 1 MiB of memory are in a temporary file.
///
/// The file has no name, so that it never outlives the process. If the system does not provide one, all texts stay in memory.
package struct Spool: Sendable {
    private static let mostInMemory = 1 << 20

    private var file: TemporaryFile?
    /// The lengths in bytes of the texts in the file.
    private var lengths: [Int] = []
    private var recent: [String] = []
    private var recentBytes = 0

    package init() {}

    package mutating func add(_ text: String) {
        if text.isEmpty { return }
        recent.append(text)
        recentBytes += text.utf8.count
        if recentBytes > Self.mostInMemory { moveToFile() }
    }

    private mutating func moveToFile() {
        guard let file = file ?? TemporaryFile(), file.append(Array(recent.joined().utf8)) else { return }
        self.file = file
        lengths += recent.map(\.utf8.count)
        recent = []
        recentBytes = 0
    }

    /// Passes on every text.
    ///
    /// - Throws: If the file cannot be read, or what `body` throws.
    package func forEach(_ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        var place = 0
        for length in lengths {
            guard let bytes = try file?.bytes(at: place, count: length) else { break }
            try body(String(decoding: bytes, as: UTF8.self))
            place += length
        }
        for text in recent { try body(text) }
    }
}

/// A file without a name, readable only by this process.
private final class TemporaryFile: Sendable {
    private let descriptor: Int32

    /// `nil` if the system does not provide one.
    init?() {
        let folder = ProcessContext.current.variable("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var path = Array("\(folder)/oidc-preflight-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(path)
    }

    deinit { close(descriptor) }

    /// Returns whether all bytes were written; otherwise the file is as long as before.
    func append(_ bytes: [UInt8]) -> Bool {
        let end = lseek(descriptor, 0, SEEK_END)
        do throws(SystemError) {
            try Bytes.write(bytes, to: descriptor)
            return true
        } catch {
            ftruncate(descriptor, end)
            return false
        }
    }

    func bytes(at place: Int, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let more = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress.map { $0 + filled }, count - filled, off_t(place + filled))
            }
            if more < 0, errno == EINTR { continue }
            guard more > 0 else { throw more < 0 ? .last : SystemError(EIO) }
            filled += more
        }
        return bytes
    }
}
