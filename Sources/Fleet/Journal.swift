package import Conformance
internal import Console
internal import JSONTree
internal import Profiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The results of one shard, a line per issuer, which also record the issuers that are done.
///
/// A line is written by one call, so a killed process leaves at most one incomplete line. The next start removes that line and
/// checks its issuer again. Only one process at a time may lock the file.
package final class Journal {
    /// The first line, which describes the file.
    package struct Head: Sendable, Hashable {
        package var run: String
        package var shard: Shard
        /// Issuers of the shard.
        var issuers: Int
        /// A digest of the list and the options, which must stay the same.
        var list: String

        package init(run: String, shard: Shard, issuers: Int, list: String) {
            self.run = run
            self.shard = shard
            self.issuers = issuers
            self.list = list
        }

        package var line: String {
            JSON.object([
                "type": "shard", "version": .integer(Int64(FleetRecord.version)), "run": .string(run),
                "shard": .string("\(shard)"), "issuers": .integer(Int64(issuers)), "list": .string(list),
            ])
            .serialized()
        }

        init?(_ json: JSON) {
            guard json["type"]?.stringValue == "shard", let run = json["run"]?.stringValue,
                let shard = json["shard"]?.stringValue.flatMap({ Shard($0) }),
                let issuers = json["issuers"]?.integerValue, let list = json["list"]?.stringValue
            else { return nil }
            self.init(run: run, shard: shard, issuers: Int(issuers), list: list)
        }
    }

    /// Seconds between two syncs to disk.
    private static let syncInterval = 1.0

    package let path: String
    package let head: Head
    /// The gates of the issuers that are done.
    package private(set) var counts = Counts()
    private let file: OpenFile
    private var lastSync = 0.0

    /// Closed and unlocked with its last owner.
    private final class OpenFile {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    /// The number of open, closed and inconclusive gates.
    package struct Counts: Sendable, Hashable {
        package var open = 0
        package var closed = 0
        package var inconclusive = 0

        package init() {}

        package var all: Int { open + closed + inconclusive }

        package mutating func add(_ gate: Report.Gate) {
            switch gate {
            case .open: open += 1
            case .closed: closed += 1
            case .inconclusive: inconclusive += 1
            }
        }
    }

    /// Locks the file for this process, and waits up to a second.
    ///
    /// A child process that is being started shares the lock of its parent until it calls exec.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno != EWOULDBLOCK && errno != EINTR { return false }
            usleep(50_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Opens the results of an earlier start, or creates the file.
    ///
    /// - Parameters:
    ///   - head: The description of this run; its name comes from the file if `isRunNamed` is false.
    ///   - done: Receives the record of each issuer that is already done.
    /// - Throws: If the file belongs to another run, is locked by another process, or cannot be written.
    package init(
        _ path: String,
        head wanted: Head,
        isRunNamed: Bool,
        done: (FleetRecord) -> Void
    ) throws {
        self.path = path
        try Files.prepareFolder(of: path)
        try Files.demandRegular(path)
        let descriptor = open(Files.place(path), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o666)
        guard descriptor >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
        file = OpenFile(descriptor)
        guard Self.lock(descriptor) else {
            let reason = SystemError.last
            throw FileError(
                path: path,
                reason: reason.number == EWOULDBLOCK
                    ? "another process is writing to this file: choose another file with --out, or wait until it ends"
                    : reason.reason
            )
        }
        var earlier = Counts()
        var found: Head?
        var whole = 0
        try ResultLines.read(descriptor, path: path) { line, bytes, isWhole in
            guard isWhole else { return }
            whole += bytes
            switch line {
            case .shard(let head): found = found ?? head
            case .result(let record):
                earlier.add(record.gate)
                done(record)
            case .unreadable(let number):
                throw FileError(
                    path: path,
                    reason: "line \(number) is not a batch result: choose another file with --out"
                )
            }
        }
        // Text after the last line feed is an incomplete line of a killed process.
        guard ftruncate(descriptor, off_t(whole)) == 0 else {
            throw FileError(path: path, reason: SystemError.last.reason)
        }
        var head = wanted
        if let found {
            if !isRunNamed { head.run = found.run }
            if let difference = Self.difference(found, head) { throw FileError(path: path, reason: difference) }
        } else if earlier.all > 0 {
            throw FileError(
                path: path,
                reason: "it contains results but no description of the run: choose another file with --out"
            )
        }
        self.head = head
        counts = earlier
        if found == nil { try write(head.line) }
    }

    deinit {
        fdatasync(file.descriptor)
    }

    private static func difference(_ found: Head, _ wanted: Head) -> String? {
        let end = ": choose another file with --out, or remove this one"
        if found.run != wanted.run { return "it contains the run “\(found.run)”, not “\(wanted.run)”" + end }
        if found.shard != wanted.shard {
            return "it contains shard \(found.shard), not \(wanted.shard)" + end
        }
        if found.list != wanted.list { return "it contains results of another list or other options" + end }
        return nil
    }

    /// Adds a result.
    package func add(_ record: FleetRecord) throws {
        try write(record.line)
        counts.add(record.gate)
        let now = Terminal.now()
        if now - lastSync > Self.syncInterval {
            fdatasync(file.descriptor)
            lastSync = now
        }
    }

    private func write(_ line: String) throws(FileError) {
        do throws(SystemError) {
            try Bytes.write(Array((line + "\n").utf8), to: file.descriptor)
        } catch {
            throw FileError(path: path, reason: error.reason)
        }
    }
}

/// The lines of a results file, one in memory at a time.
package enum ResultLines {
    package enum Line: Sendable {
        case shard(Journal.Head)
        case result(FleetRecord)
        /// Counted from 1.
        case unreadable(Int)
    }

    /// The maximum length in bytes; a result has a few thousand.
    private static let longest = 4 << 20

    /// Reads a file from its beginning.
    ///
    /// - Parameter body: Receives each non-empty line, its length in bytes with the line end, and whether it has a line end.
    package static func read(
        _ descriptor: Int32,
        path: String,
        _ body: (Line, Int, Bool) throws -> Void
    ) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest: [UInt8] = []
        var number = 0
        var place = off_t(0)
        while true {
            let count = buffer.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, place) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
            if count == 0 { break }
            place += off_t(count)
            var start = 0
            for end in 0..<count where buffer[end] == 10 {
                rest += buffer[start..<end]
                start = end + 1
                number += 1
                try body(line(rest, number), rest.count + 1, true)
                rest.removeAll(keepingCapacity: true)
            }
            rest += buffer[start..<count]
            guard rest.count <= longest else {
                throw FileError(path: path, reason: "line \(number + 1) is longer than any batch result")
            }
        }
        if !rest.isEmpty { try body(line(rest, number + 1), rest.count, false) }
    }

    /// Reads a file without an incomplete last line.
    package static func read(file path: String, _ body: (Line, Int) throws -> Void) throws {
        let descriptor = try Files.openRegular(path)
        defer { close(descriptor) }
        try read(descriptor, path: path) { line, bytes, isWhole in
            if isWhole { try body(line, bytes) }
        }
    }

    static func line(_ bytes: [UInt8], _ number: Int) -> Line {
        guard let json = try? JSONDocument.parse(bytes).root else { return .unreadable(number) }
        if let record = FleetRecord(json) { return .result(record) }
        if let head = Journal.Head(json) { return .shard(head) }
        return .unreadable(number)
    }
}
