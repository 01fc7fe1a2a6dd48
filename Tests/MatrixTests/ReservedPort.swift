import Foundation

/// A port of the loopback address for a server that starts later, reserved for the lifetime of the value.
///
/// The socket stays bound and never listens. The kernel does not assign its port to other sockets, but a server that names the port
/// and sets `SO_REUSEADDR`, as ours do, may bind it (Linux: inet_csk_get_port).
final class ReservedPort: Sendable {
    struct Failure: Error {}

    let number: Int
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var isReusable: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReusable, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(socket, generic, length) == 0 && getsockname(socket, generic, &length) == 0
            }
        }
        number = Int(UInt16(bigEndian: address.sin_port))
        guard isBound else {
            close(descriptor)
            throw Failure()
        }
    }

    deinit {
        close(descriptor)
    }
}
