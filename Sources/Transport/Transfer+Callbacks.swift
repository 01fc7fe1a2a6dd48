import CLibcurl
import COpenSSL
import CShims

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Callbacks of libcurl during a transfer. No Swift error crosses into C: a short count or a code stops the transfer.
extension Transfer {
    /// Registers the callbacks with this transfer, unretained, as their user data: it outlives its easy handle.
    func setCallbacks() {
        let me = Unmanaged.passUnretained(self).toOpaque()
        preflight_curl_set_write_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, me in
            guard let transfer = Transfer.from(me), let bytes else { return 0 }
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            preflight_handshake_received_data(transfer.easy)
            return transfer.takeHeaderLine(line) ? line.count : 0
        }
        preflight_curl_set_pointer(easy, CURLOPT_HEADERDATA, me)
        preflight_curl_set_write_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, me in
            guard let transfer = Transfer.from(me), let bytes else { return 0 }
            let piece = UnsafeRawBufferPointer(start: bytes, count: size * count)
            preflight_handshake_received_data(transfer.easy)
            return transfer.collector.takeBody(piece) ? piece.count : 0
        }
        preflight_curl_set_pointer(easy, CURLOPT_WRITEDATA, me)
        preflight_curl_set_open_socket_callback(easy) { me, _, address in
            guard let transfer = Transfer.from(me), let address else { return CURL_SOCKET_BAD }
            return transfer.openSocket(address)
        }
        preflight_curl_set_pointer(easy, CURLOPT_OPENSOCKETDATA, me)
        preflight_curl_set_send_callback(easy) { me, _, _, _, _ in
            guard let transfer = Transfer.from(me), transfer.maySend() else { return CURL_PREREQFUNC_ABORT }
            return CURL_PREREQFUNC_OK
        }
        preflight_curl_set_pointer(easy, CURLOPT_PREREQDATA, me)
        preflight_curl_set_tls_context_callback(easy) { _, context, me in
            guard let transfer = Transfer.from(me), let context else { return CURLE_SSL_CONNECT_ERROR }
            return transfer.watchHandshake(OpaquePointer(context))
        }
        preflight_curl_set_pointer(easy, CURLOPT_SSL_CTX_DATA, me)
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        pointer.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    private func takeHeaderLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // While a response arrives the connection certainly exists, whichever transfer opened it.
        if collector.response == nil, url.scheme == "https" {
            handshake = HandshakeRecord(preflight_handshake_of_transfer(easy)) ?? handshake
        }
        let isWithinLimit = collector.takeHeaderLine(Array(bytes))
        // libcurl fails at a coding that it does not know, and clients read such a body as it is.
        if collector.response?.contentEncoding.map(Self.isUnknown) == true {
            preflight_curl_set_long(easy, CURLOPT_HTTP_CONTENT_DECODING, 0)
        }
        return isWithinLimit
    }

    private static func isUnknown(_ codings: String) -> Bool {
        let known: Set = ["gzip", "x-gzip", "deflate", "br", "zstd", "identity", "none"]
        return !codings.lowercased().split(separator: ",").allSatisfy { known.contains($0.trimmingSpaces) }
    }

    /// Gives the context the client's trust and begins to record.
    private func watchHandshake(_ context: OpaquePointer) -> CURLcode {
        switch trust.store() {
        case .success(let trust):
            handshake = HandshakeRecord(preflight_handshake_watch(context, trust.store))
            return handshake == nil ? CURLE_OUT_OF_MEMORY : CURLE_OK
        case .failure(let failure):
            trustFailure = failure
            return CURLE_SSL_CACERT_BADFILE
        }
    }

    /// Checks the resolved address that libcurl is about to connect to.
    private func openSocket(_ target: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        if !usesProxy {
            let bytes = Self.addressBytes(target)
            if let rule = AddressPolicy.rule(against: bytes) {
                guard configuration.addressPolicy.allowsAnyAddress(for: url.host) else {
                    refusedAddress = (Self.text(of: bytes), rule)
                    return CURL_SOCKET_BAD
                }
                privateHosts?.note(url)
            }
        }
        // Closed on exec, so that a program started meanwhile does not inherit the connection.
        #if canImport(Glibc)
        return socket(
            target.pointee.family,
            target.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue),
            target.pointee.protocol
        )
        #else
        return socket(target.pointee.family, target.pointee.socktype, target.pointee.protocol)
        #endif
    }

    /// The 4 or 16 bytes of the address; empty for another family.
    private static func addressBytes(_ target: UnsafeMutablePointer<curl_sockaddr>) -> [UInt8] {
        let place = UnsafeRawPointer(target).advanced(by: MemoryLayout<curl_sockaddr>.offset(of: \.addr) ?? 0)
        switch target.pointee.family {
        case AF_INET where target.pointee.addrlen >= UInt32(MemoryLayout<sockaddr_in>.size):
            return withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6 where target.pointee.addrlen >= UInt32(MemoryLayout<sockaddr_in6>.size):
            return withUnsafeBytes(of: place.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
        default: return []
        }
    }

    static func text(of address: [UInt8]) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else { return "an unknown address" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
