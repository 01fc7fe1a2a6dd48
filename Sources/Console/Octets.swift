#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What the operating system answered in place of doing what it was asked for.
package struct SystemError: Error, Equatable {
    package let number: Int32

    package init(_ number: Int32) {
        self.number = number
    }

    /// Takes the number that the last call left.
    package static var last: SystemError { SystemError(errno) }

    /// A clause for what follows the file's name.
    package var reason: String {
        switch number {
        case ENOENT: "no such file"
        case EACCES, EPERM: "permission denied"
        case ENOSPC: "no space left on the device"
        case EROFS: "the file system is read-only"
        case EISDIR: "is a folder, not a file"
        case ENOTDIR: "a file stands where a folder is needed"
        default: String(cString: strerror(number)).lowercased()
        }
    }
}

/// Octets in and out of an open file, as they are.
package enum Octets {
    /// Everything up to the end of the file.
    package static func read(from descriptor: Int32) throws(SystemError) -> [UInt8] {
        var octets: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try some(of: descriptor, into: &room)
            if count == 0 { return octets }
            octets += room[..<count]
        }
    }

    /// The first octets, as many as there are up to that number.
    package static func read(from descriptor: Int32, atMost most: Int) throws(SystemError) -> [UInt8] {
        var octets: [UInt8] = []
        var room = [UInt8](repeating: 0, count: most)
        while octets.count < most {
            let count = try some(of: descriptor, into: &room)
            if count == 0 { break }
            octets += room[..<count]
        }
        return Array(octets.prefix(most))
    }

    /// What stands before the next line feed, which is taken too; `nil` where the file ends before one.
    package static func line(from descriptor: Int32) throws(SystemError) -> [UInt8]? {
        var line: [UInt8] = []
        // One at a time: what follows the line is for others.
        var octet: [UInt8] = [0]
        while try some(of: descriptor, into: &octet) == 1 {
            if octet[0] == UInt8(ascii: "\n") { return line }
            line += octet
        }
        return nil
    }

    /// Reads as many as there are and as there is room for; 0 at the end of the file.
    private static func some(of descriptor: Int32, into room: inout [UInt8]) throws(SystemError) -> Int {
        while true {
            let count = room.withUnsafeMutableBytes { readFile(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 { return count }
            if errno != EINTR { throw .last }
        }
    }

    /// Writes all of them, or throws what kept the rest from being written.
    package static func write(_ octets: [UInt8], to descriptor: Int32) throws(SystemError) {
        var rest = octets[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { writeFile(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .last }
            rest = rest.dropFirst(count)
        }
    }
}

// The calls whose names are those of `Octets` too, whichever library brings them.

private func readFile(_ file: Int32, _ place: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(file, place, count)
}

private func writeFile(_ file: Int32, _ place: UnsafeRawPointer?, _ count: Int) -> Int { write(file, place, count) }
