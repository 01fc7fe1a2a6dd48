package import Conformance
internal import Profiles

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// File access of the commands.
package enum Files {
    /// Writes the whole file or nothing; creates missing folders.
    package static func write(_ text: String, to path: String) throws(FileError) {
        try write(Array(text.utf8), to: path)
    }

    /// Writes the whole file or nothing; a device, a pipe and a stream of the process (`/dev/stdout`) directly.
    ///
    /// A link to a regular file is rejected, because the author of a checkout may have made it: `report.json ->
    /// ../.git/config`. Links of folders are followed.
    package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try write(to: path) { sink throws(SystemError) in try sink(bytes) }
    }

    /// Receives the next bytes of a file.
    package typealias Sink = (_ bytes: [UInt8]) throws(SystemError) -> Void

    /// The same for content that `body` passes on piece by piece.
    package static func write(
        to path: String,
        _ body: (Sink) throws(SystemError) -> Void
    ) throws(FileError) {
        if let own = ProcessContext.current.descriptor(named: path) {
            try perform(at: path) { () throws(SystemError) in
                try body { bytes throws(SystemError) in try Bytes.write(bytes, to: own) }
            }
        } else if isReplaced(path) {
            try replace(path, body)
        } else {
            let descriptor = open(place(path), O_WRONLY | O_CLOEXEC | O_NOCTTY)
            let error = SystemError.last
            defer { if descriptor >= 0 { close(descriptor) } }
            if let problem = problem(ofLink: path, descriptor) { throw FileError(path: path, reason: problem) }
            guard descriptor >= 0 else { throw FileError(path: path, reason: error.reason) }
            try perform(at: path) { () throws(SystemError) in
                try body { bytes throws(SystemError) in try Bytes.write(bytes, to: descriptor) }
            }
        }
    }

    /// Whether a new file at the path replaces nothing but a regular file.
    private static func isReplaced(_ path: String) -> Bool { !exists(path) || isPlainFile(path) }

    /// Why a link is not written through; `nil` for anything else, and for a link to a device or a pipe.
    ///
    /// - Parameter descriptor: The opened file, which the link may no longer lead to; negative if it is not open.
    private static func problem(ofLink path: String, _ descriptor: Int32 = -1) -> String? {
        var status = stat()
        if isReplaced(path) && descriptor < 0 { return nil }
        let isThere = (descriptor < 0 ? stat(place(path), &status) : fstat(descriptor, &status)) == 0
        if isThere, status.st_mode & S_IFMT != S_IFREG { return nil }
        return "is a symbolic link to \(isThere ? "a regular file" : "nothing"): name the file itself"
    }

    /// Throws if a path names anything but a regular file or a new one, so that a link is not written through.
    package static func demandRegular(_ path: String) throws(FileError) {
        if isReplaced(path) { return }
        throw FileError(path: path, reason: isFolder(path) ? SystemError(EISDIR).reason : "is not a regular file")
    }

    private static func replace(
        _ path: String,
        mode: mode_t? = nil,
        _ body: (Sink) throws(SystemError) -> Void
    ) throws(FileError) {
        let part = try unfinished(path, mode: mode, body)
        guard rename(place(part), place(path)) == 0 else {
            let reason = SystemError.last
            unlink(place(part))
            throw FileError(path: path, reason: reason.reason)
        }
    }

    /// Writes the whole file or nothing, readable only by its owner (mode 600), even if it replaces a file with another mode.
    ///
    /// - Throws: ``FileError``, also if the path is not a regular file.
    package static func writePrivately(_ bytes: [UInt8], to path: String) throws(FileError) {
        if exists(path), !isPlainFile(path) {
            throw FileError(path: path, reason: "is not a regular file; secrets are written only to regular files")
        }
        try replace(path, mode: 0o600) { sink throws(SystemError) in try sink(bytes) }
    }

    /// The permissions of a file, such as `0o600`, after following links; `nil` if there is none.
    package static func permissions(of path: String) -> Int? { mode(of: path).map { Int($0) } }

    /// Verifies that a file can be written later: creates its folder, and a temporary file in it.
    package static func prepare(_ path: String) throws(FileError) {
        if isFolder(path) { throw FileError(path: path, reason: "is a folder: specify a file in it") }
        if let own = ProcessContext.current.descriptor(named: path) {
            if fcntl(own, F_GETFL) < 0 { throw FileError(path: path, reason: SystemError.last.reason) }
        } else if let problem = problem(ofLink: path) {
            throw FileError(path: path, reason: problem)
        } else if isReplaced(path) {
            unlink(place(try unfinished(path)))
        }
    }

    /// A file that is written piece by piece and moved to its path when complete.
    package struct Unfinished {
        private let path: String
        private let part: String
        private let descriptor: Int32

        /// One that discards its content.
        package init() {
            path = ""
            part = ""
            descriptor = -1
        }

        package init(_ path: String) throws(FileError) {
            try Files.demandRegular(path)
            self.path = path
            part = try Files.unfinished(path)
            descriptor = open(Files.place(part), O_WRONLY | O_APPEND | O_CLOEXEC)
            guard descriptor >= 0 else { throw FileError(path: path, reason: SystemError.last.reason) }
        }

        package func write(_ bytes: [UInt8]) throws(FileError) {
            guard descriptor >= 0 else { return }
            do throws(SystemError) { try Bytes.write(bytes, to: descriptor) } catch {
                throw FileError(path: path, reason: error.reason)
            }
        }

        package func finish() throws(FileError) {
            guard descriptor >= 0 else { return }
            guard close(descriptor) == 0, rename(Files.place(part), Files.place(path)) == 0 else {
                throw FileError(path: path, reason: SystemError.last.reason)
            }
        }

        package func discard() {
            if descriptor >= 0 { unlink(Files.place(part)) }
        }
    }

    /// Creates the folder of a file.
    package static func prepareFolder(of path: String) throws(FileError) {
        try makeFolder(folder(of: path), for: path)
    }

    /// Writes a temporary file beside the final one, so that an interrupted run never leaves a partial file.
    private static func unfinished(
        _ path: String,
        mode: mode_t? = nil,
        _ body: (Sink) throws(SystemError) -> Void = { _ in }
    ) throws(FileError) -> String {
        let folder = folder(of: path)
        try makeFolder(folder, for: path)
        // A read-only file is not replaced either.
        if exists(path), access(place(path), W_OK) != 0 { throw FileError(path: path, reason: SystemError.last.reason) }
        let part = path + ".\(UInt32.random(in: 0...UInt32.max)).part"
        do {
            try fill(part, O_EXCL, mode: mode ?? self.mode(of: path) ?? 0o666, body)
        } catch  where error.number == EACCES {
            throw FileError(path: path, reason: "permission denied: cannot create a file in \(folder)")
        } catch {
            unlink(place(part))
            throw FileError(path: path, reason: error.reason)
        }
        return part
    }

    private static func fill(
        _ path: String,
        _ flag: Int32,
        mode: mode_t = 0o666,
        _ body: (Sink) throws(SystemError) -> Void
    ) throws(SystemError) {
        let descriptor = open(place(path), O_WRONLY | O_CREAT | O_CLOEXEC | flag, mode)
        guard descriptor >= 0 else { throw .last }
        do throws(SystemError) {
            try body { bytes throws(SystemError) in try Bytes.write(bytes, to: descriptor) }
        } catch {
            close(descriptor)
            throw error
        }
        // Some file systems report a full disk only here.
        guard close(descriptor) == 0 else { throw .last }
    }

    private static func makeFolder(_ folder: String, for path: String) throws(FileError) {
        if isFolder(folder) { return }
        let above = self.folder(of: folder)
        if above != folder { try makeFolder(above, for: path) }
        if mkdir(place(folder), 0o777) == 0 { return }
        let error = SystemError.last
        // Another process may have created it in the meantime.
        if isFolder(folder) { return }
        let isFile = error.number == EEXIST || error.number == ENOTDIR
        let reason = isFile ? SystemError(ENOTDIR).reason : error.reason
        throw FileError(
            path: path,
            reason: isFile ? "\(reason): \(folder)" : "cannot create the folder \(folder): \(reason)"
        )
    }

    /// `a/b` of `a/b/c`, `.` of a name alone, `/` of a file in the root.
    package static func folder(of path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true).dropLast().joined(separator: "/")
        if path.hasPrefix("/") { parts = "/" + parts }
        return parts.isEmpty ? "." : parts
    }

    static func perform<Result>(
        at path: String,
        _ body: () throws(SystemError) -> Result
    ) throws(FileError) -> Result {
        do throws(SystemError) { return try body() } catch { throw FileError(path: path, reason: error.reason) }
    }

    package static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(place(path), &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// A regular file: no folder, pipe, device or link.
    package static func isPlainFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(place(path), &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(place(path), &status) == 0
    }

    /// Appends to a file that other processes write to, or creates it.
    ///
    /// - Parameter most: The maximum size in bytes; `nil` for no limit.
    package static func append(_ text: String, to path: String, most: Int? = nil) throws(FileError) {
        var status = stat()
        let size = stat(place(path), &status) == 0 ? Int(status.st_size) : 0
        let bytes = Array(text.utf8)
        if let most, size + bytes.count > most {
            throw FileError(path: path, reason: "it would have \(size + bytes.count) bytes; the limit is \(most)")
        }
        try perform(at: path) { () throws(SystemError) in
            try fill(path, O_APPEND) { sink throws(SystemError) in try sink(bytes) }
        }
    }

    /// The path of a file as another file refers to it.
    package static func naming(_ path: String, in file: String) -> String {
        RelativePath.naming(path, in: file, workingFolder: workingFolder)
    }

    /// The working folder: absolute, or `.` if the system does not report it.
    package static var workingFolder: String { ProcessContext.current.folder }

    /// The path for a system call; messages name the path as the user wrote it.
    package static func place(_ path: String) -> String { ProcessContext.current.place(path) }

    private static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(place(path), &status) == 0 ? status.st_mode & 0o777 : nil
    }
}
