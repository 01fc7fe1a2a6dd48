#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An address to listen on.
struct SocketAddress: Sendable {
    /// A `sockaddr` of the system.
    let bytes: [UInt8]

    /// Resolves a host to its first address; `localhost` may be 127.0.0.1 or ::1.
    ///
    /// Local names are in a file of the system; other names may need the network.
    static func resolve(_ host: String, port: Int) throws(ServingError) -> SocketAddress {
        guard let port = UInt16(exactly: port) else {
            throw .address(place: place(host, port), reason: "a port must be a number from 0 to 65535")
        }
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, String(port), &hints, &found)
        defer { if let found { freeaddrinfo(found) } }
        guard result == 0, let first = found?.pointee, let address = first.ai_addr else {
            let reason = String(cString: gai_strerror(result))
            throw .address(place: place(host, Int(port)), reason: reason)
        }
        return SocketAddress(bytes: Array(UnsafeRawBufferPointer(start: address, count: Int(first.ai_addrlen))))
    }

    /// As in a URL: an IPv6 address in brackets.
    static func place(_ host: String, _ port: Int) -> String {
        host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result? {
        bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { addresses in
                addresses.baseAddress.map { body($0, socklen_t(bytes.count)) }
            }
        }
    }

    /// The local numeric address (`127.0.0.1`, `::1`) and port of a socket.
    static func bound(to socket: Int32) -> (host: String, port: Int) {
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutableBytes(of: &address) { storage in
            storage.withMemoryRebound(to: sockaddr.self) { addresses in
                guard getsockname(socket, addresses.baseAddress, &length) == 0, let address = addresses.baseAddress
                else { return }
                let flags = NI_NUMERICHOST | NI_NUMERICSERV
                getnameinfo(address, length, &host, socklen_t(NI_MAXHOST), &port, socklen_t(NI_MAXSERV), flags)
            }
        }
        return (text(host), Int(text(port)) ?? 0)
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
