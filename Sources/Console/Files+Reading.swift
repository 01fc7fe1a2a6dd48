package import Conformance
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

extension Files {
    /// Seconds without a byte after which a pipe is given up.
    private static let pipeTimeLimit = 60.0

    /// The unchanged bytes of a file within the bounds of its kind; `-` is standard input.
    ///
    /// The file is regular, or a pipe where the kind allows one. An inherited pipe (`<(…)`) can be read only once, so its
    /// bytes are kept for the next reader.
    ///
    /// - Parameter timeLimit: Seconds without a byte after which a pipe is given up.
    package static func read(
        _ path: String,
        as input: FileInput,
        timeLimit: Double = pipeTimeLimit
    ) -> Result<[UInt8], FileError> {
        if path == "-" {
            return Result { () throws(SystemError) in try Bytes.read(from: Terminal.input, atMost: input.most + 1) }
                .mapError { FileError(path: "standard input", reason: $0.reason) }
                .flatMap { bounded($0, input, "standard input") }
        }
        return Result { () throws(FileError) in try content(of: path, input, timeLimit) }
    }

    private static func content(
        of path: String,
        _ input: FileInput,
        _ timeLimit: Double
    ) throws(FileError) -> [UInt8] {
        let (descriptor, status) = try opened(path)
        defer { close(descriptor) }
        let limit = input.most + 1
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            if status.st_size > input.most { throw FileError(path: path, reason: input.excess) }
            let bytes = try perform(at: path) { () throws(SystemError) in
                try Bytes.read(from: descriptor, atMost: limit)
            }
            return try bounded(bytes, input, path).get()
        case S_IFIFO:
            // Its own descriptor, because only that one sees that the writer has ended before.
            let inherited = ProcessContext.current.descriptor(named: path)
            guard inherited == nil ? input.mayBeNamedPipe : input.mayBeInheritedPipe else {
                throw FileError(path: path, reason: "is a pipe: \(input.rawValue) must be in a regular file")
            }
            let number = "\(status.st_dev)/\(status.st_ino)"
            if let known = ProcessContext.current.pipes.withLock({ $0[number] }) { return known }
            let bytes = try perform(at: path) { () throws(SystemError) in
                try Bytes.read(fromPipe: inherited ?? descriptor, atMost: limit, timeLimit: timeLimit)
            }
            guard let bytes else {
                throw FileError(path: path, reason: "no program writes to this pipe, or it never ends")
            }
            let whole = try bounded(bytes, input, path).get()
            if inherited != nil { ProcessContext.current.pipes.withLock { $0[number] = whole } }
            return whole
        default: throw FileError(path: path, reason: "is a device, not a file; for standard input write -")
        }
    }

    private static func bounded(_ bytes: [UInt8], _ input: FileInput, _ path: String) -> Result<[UInt8], FileError> {
        bytes.count > input.most ? .failure(FileError(path: path, reason: input.excess)) : .success(bytes)
    }

    /// Opens a file for reading without waiting for the writer of a pipe.
    private static func opened(_ path: String) throws(FileError) -> (descriptor: Int32, status: stat) {
        let descriptor = open(place(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            let reason = SystemError.last.reason
            close(descriptor)
            throw FileError(path: path, reason: reason)
        }
        guard status.st_mode & S_IFMT != S_IFDIR else {
            close(descriptor)
            throw FileError(path: path, reason: SystemError(EISDIR).reason)
        }
        return (descriptor, status)
    }

    /// Opens a regular file for a reader that needs only a part of it in memory.
    package static func openRegular(_ path: String) throws(FileError) -> Int32 {
        let (descriptor, status) = try opened(path)
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw FileError(path: path, reason: "is not a regular file")
        }
        return descriptor
    }

    /// The first bytes of a regular file, or all if there are fewer.
    package static func beginning(of path: String, _ count: Int) throws(FileError) -> [UInt8] {
        let descriptor = try openRegular(path)
        defer { close(descriptor) }
        return try perform(at: path) { () throws(SystemError) in try Bytes.read(from: descriptor, atMost: count) }
    }
}
