internal import Conformance
internal import Console
internal import JSONTree

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Merges the results of shards, of their retries and of other merges.
///
/// A set union: of two records of the same issuer and run, the later one is kept; at the same time, the one with the greater digest.
/// The order, grouping and repetition of the files do not change a single byte of the result.
package enum FleetMerge {
    /// The counts of a merge.
    package struct Sum: Sendable, Hashable {
        package var counts = Journal.Counts()
        /// Issuers without a result, of the shards whose first lines were found.
        package var missing = 0
        /// Shards without any line, according to the others: `run x: 3/8`.
        package var absent: [String] = []
    }

    /// The place of a line, and the order that decides which of two is kept.
    private struct Place {
        let file: Int
        let offset: Int
        let length: Int
        let startedAt: Double
        let digest: String
        let gate: Report.Gate

        func isAfter(_ other: Place) -> Bool { (startedAt, digest) > (other.startedAt, other.digest) }
    }

    /// Merges results files, sorted by run and issuer, without loading all lines into memory.
    ///
    /// - Parameter write: Receives each line with its line feed.
    package static func lines(of files: [String], write: ([UInt8]) throws -> Void) throws -> Sum {
        var heads: Set<String> = []
        var shards: Set<Journal.Head> = []
        var places: [FleetRecord.Identity: Place] = [:]
        for (number, file) in files.enumerated() {
            var offset = 0
            try read(file) { line, bytes in
                defer { offset += bytes }
                switch line {
                case .shard(let head):
                    heads.insert(head.line)
                    shards.insert(head)
                case .result(let record):
                    let place = Place(
                        file: number,
                        offset: offset,
                        length: bytes,
                        startedAt: record.startedAt,
                        digest: Digest.sha256(Array(record.line.utf8)),
                        gate: record.gate
                    )
                    let identity = record.identity
                    if let known = places[identity], !place.isAfter(known) { return }
                    places[identity] = place
                case .unreadable: return
                }
            }
        }
        for head in heads.sorted() { try write(Array((head + "\n").utf8)) }
        var sum = Sum()
        var sources: [Int: Int32] = [:]
        defer { for source in sources.values { close(source) } }
        for (_, place) in places.sorted(by: { $0.key < $1.key }) {
            sum.counts.add(place.gate)
            let source = try sources[place.file] ?? Files.openRegular(files[place.file])
            sources[place.file] = source
            var buffer = [UInt8](repeating: 0, count: place.length)
            let count = buffer.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, off_t(place.offset)) }
            guard count == place.length else {
                throw FileError(path: files[place.file], reason: "the file changed while it was being read")
            }
            try write(buffer)
        }
        let done = Dictionary(grouping: places.keys, by: \.run).mapValues(\.count)
        note(shards, done, &sum)
        return sum
    }

    /// Reads the lines of a file.
    ///
    /// - Throws: If a complete line is not a batch result.
    package static func read(_ file: String, _ body: (ResultLines.Line, Int) throws -> Void) throws {
        try ResultLines.read(file: file) { line, bytes in
            if case .unreadable(let number) = line {
                throw FileError(path: file, reason: "line \(number) is not a batch result")
            }
            try body(line, bytes)
        }
    }

    private static func note(_ shards: Set<Journal.Head>, _ done: [String: Int], _ sum: inout Sum) {
        for (run, heads) in Dictionary(grouping: shards, by: \.run).sorted(by: { $0.key < $1.key }) {
            let promised = Dictionary(heads.map { ($0.shard, $0.issuers) }) { max($0, $1) }
            sum.missing += max(0, promised.values.reduce(0, +) - done[run, default: 0])
            for count in Set(heads.map(\.shard.count)).sorted() {
                let there = Set(heads.filter { $0.shard.count == count }.map(\.shard.index))
                for index in 0..<count where !there.contains(index) {
                    sum.absent.append("run \(run): \(index + 1)/\(count)")
                }
            }
        }
    }
}
