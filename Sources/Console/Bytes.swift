internal import Conformance

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An error of a system call.
package struct SystemError: Error, Equatable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// The error of the last call.
    package static var last: SystemError { SystemError(errno) }

    /// A clause that follows the file name.
    package var reason: String {
        switch number {
        case ENOENT: FileError.missing
        case EACCES, EPERM: "permission denied"
        case ENOSPC: "no space left on the device"
        case EROFS: "the file system is read-only"
        case EISDIR: "is a folder, not a file"
        case ENOTDIR: "a file exists where a folder is needed"
        default: String(cString: strerror(number)).lowercased()
        }
    }
}

/// Reads and writes bytes of an open file.
package enum Bytes {
    /// The first bytes, up to that number; the default is everything up to the end of the file.
    package static func read(from descriptor: Int32, atMost most: Int = .max) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, 1 << 16))
        while bytes.count < most {
            let count = try some(of: descriptor, into: &buffer)
            if count == 0 { break }
            bytes += buffer[..<min(count, most - bytes.count)]
        }
        return bytes
    }

    /// The same for a pipe; `nil` if it stays open without a byte for that number of seconds.
    package static func read(
        fromPipe descriptor: Int32,
        atMost most: Int,
        timeLimit: Double
    ) throws(SystemError) -> [UInt8]? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(most, 1 << 16))
        while bytes.count < most {
            var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&waited, 1, Int32(timeLimit * 1000))
            if ready == 0 { return nil }
            if ready < 0 {
                if errno == EINTR { continue }
                throw .last
            }
            let count = try some(of: descriptor, into: &buffer)
            if count == 0 { break }
            bytes += buffer[..<min(count, most - bytes.count)]
        }
        return bytes
    }

    /// The text before the next line feed, which is consumed; `nil` if the file ends before one.
    package static func line(from descriptor: Int32) throws(SystemError) -> [UInt8]? {
        var line: [UInt8] = []
        // One byte at a time, because other readers need the rest.
        var byte: [UInt8] = [0]
        while try some(of: descriptor, into: &byte) == 1 {
            if byte[0] == UInt8(ascii: "\n") { return line }
            line += byte
        }
        return nil
    }

    /// Reads the available bytes that fit; 0 at the end of the file.
    private static func some(of descriptor: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
        while true {
            let count = buffer.withUnsafeMutableBytes { readFile(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno != EINTR { throw .last }
        }
    }

    /// Writes all bytes.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeFile(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .last }
            rest = rest.dropFirst(count)
        }
    }
}

// System calls that share their names with `Bytes`.

private func readFile(_ file: Int32, _ place: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, place, count)
}

private func writeFile(_ file: Int32, _ place: UnsafeRawPointer?, _ count: Int) -> Int { write(file, place, count) }
