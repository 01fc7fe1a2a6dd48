package import Conformance
internal import Console
internal import JSONTree
internal import Profiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The results of one shard, a line an issuer, which say as well what is done.
///
/// A line is written by one call, so a process that is killed leaves whole lines and at most one that is cut off; that one is taken
/// away by the next start, and its issuer is judged again. One process at a time holds the file.
package final class Journal {
    /// What the file is of; the first line.
    package struct Head: Sendable, Hashable {
        package var run: String
        package var shard: Shard
        /// Issuers of the shard.
        package var issuers: Int
        /// What the list and the options come to: with others the results would be of something else.
        package var list: String

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

    /// Seconds between two times that what was written is made safe against a power failure.
    private static let syncInterval = 1.0

    package let path: String
    package let head: Head
    /// How the gates of the issuers stand that are done.
    package private(set) var counts = Counts()
    private let file: OpenFile
    private var lastSync = 0.0

    /// Closed, and with that let go of, with its last owner.
    private final class OpenFile {
        let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }
    }

    /// How many gates are open, closed and undecided.
    package struct Counts: Sendable, Hashable {
        package var open = 0
        package var closed = 0
        package var undecided = 0

        package init() {}

        package var all: Int { open + closed + undecided }

        package mutating func add(_ gate: Report.Gate) {
            switch gate {
            case .open: open += 1
            case .closed: closed += 1
            case .undecided: undecided += 1
            }
        }
    }

    /// Takes the file for this process, and waits a second for one that is about to end: a process that is being started holds what
    /// its parent had open until it becomes another program.
    private static func lock(_ descriptor: Int32) -> Bool {
        for _ in 0..<20 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
            if errno != EWOULDBLOCK && errno != EINTR { return false }
            usleep(50_000)
        }
        return flock(descriptor, LOCK_EX | LOCK_NB) == 0
    }

    /// Opens the results of an earlier start, or makes the file.
    ///
    /// - Parameters:
    ///   - head: What is to be judged; its run is that of the file where `isRunNamed` is false.
    ///   - done: Is handed the record of each issuer that an earlier start has judged.
    /// - Throws: That the file is of something else, is held by another process, or cannot be written.
    package init(
        _ path: String,
        head wanted: Head,
        isRunNamed: Bool,
        done: (FleetRecord) -> Void
    ) throws {
        self.path = path
        try Files.prepareFolder(of: path)
        let descriptor = open(Files.place(path), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
        file = OpenFile(descriptor)
        guard Self.lock(descriptor) else {
            let reason = SystemError.last
            throw FileError(
                path: path,
                reason: reason.number == EWOULDBLOCK
                    ? "another process writes its results there: name another file with --out, or wait for its end"
                    : reason.reason
            )
        }
        var earlier = Counts()
        var found: Head?
        var whole = 0
        try ResultLines.read(descriptor, path: path) { line, octets, isWhole in
            guard isWhole else { return }
            whole += octets
            switch line {
            case .shard(let head): found = found ?? head
            case .result(let record):
                earlier.add(record.gate)
                done(record)
            case .unreadable(let number):
                throw FileError(
                    path: path,
                    reason: "line \(number) is no result of a fleet: name another file with --out"
                )
            }
        }
        // What follows the last line feed is the beginning of a line whose writer was killed.
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
                reason: "it has results and does not say of what: name another file with --out"
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
        let end = ": name another file with --out, or take this one away"
        if found.run != wanted.run { return "it holds the run “\(found.run)”, and “\(wanted.run)” is asked for" + end }
        if found.shard != wanted.shard {
            return "it holds shard \(found.shard), and \(wanted.shard) is asked for" + end
        }
        if found.list != wanted.list { return "it holds results of another list or of other options" + end }
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
            try Octets.write(Array((line + "\n").utf8), to: file.descriptor)
        } catch {
            throw FileError(path: path, reason: error.reason)
        }
    }
}

/// The lines of a file of results, one in memory at a time.
package enum ResultLines {
    package enum Line: Sendable {
        case shard(Journal.Head)
        case result(FleetRecord)
        /// Counted from 1.
        case unreadable(Int)
    }

    /// Octets; a result has a few thousand.
    private static let longest = 4 << 20

    /// Reads a file from its beginning.
    ///
    /// - Parameter body: Is handed each line that is not empty, how many octets it has with its end, and whether it has one.
    package static func read(
        _ descriptor: Int32,
        path: String,
        _ body: (Line, Int, Bool) throws -> Void
    ) throws {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        var rest: [UInt8] = []
        var number = 0
        var place = off_t(0)
        while true {
            let count = room.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, place) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
            if count == 0 { break }
            place += off_t(count)
            var start = 0
            for end in 0..<count where room[end] == 10 {
                rest += room[start..<end]
                start = end + 1
                number += 1
                try body(line(rest, number), rest.count + 1, true)
                rest.removeAll(keepingCapacity: true)
            }
            rest += room[start..<count]
            guard rest.count <= longest else {
                throw FileError(path: path, reason: "line \(number + 1) is longer than any result of a fleet")
            }
        }
        if !rest.isEmpty { try body(line(rest, number + 1), rest.count, false) }
    }

    /// Reads a file; the line that was cut off at its end is left out.
    package static func read(file path: String, _ body: (Line, Int) throws -> Void) throws {
        let descriptor = open(Files.place(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
        defer { close(descriptor) }
        try read(descriptor, path: path) { line, octets, isWhole in
            if isWhole { try body(line, octets) }
        }
    }

    static func line(_ octets: [UInt8], _ number: Int) -> Line {
        guard let json = try? JSONDocument.parse(octets).root else { return .unreadable(number) }
        if let record = FleetRecord(json) { return .result(record) }
        if let head = Journal.Head(json) { return .shard(head) }
        return .unreadable(number)
    }
}
