import COpenSSL

/// The TLS identity of a server: a certificate chain and the key of the first certificate.
///
/// Several servers can share it; session tickets are then valid for all of them.
package final class ServerIdentity: Sendable {
    package enum Version: Sendable, Hashable, Comparable {
        case tls10
        case tls11
        case tls12
        case tls13

        fileprivate var number: Int32 {
            switch self {
            case .tls10: TLS1_VERSION
            case .tls11: TLS1_1_VERSION
            case .tls12: TLS1_2_VERSION
            case .tls13: TLS1_3_VERSION
            }
        }
    }

    // Safe, because only the initialiser changes it; OpenSSL counts the references of a context, and locks its shared
    // parts.
    nonisolated(unsafe) private let context: OpaquePointer

    /// Reads certificates and key; they may be expired or for another name.
    ///
    /// - Parameters:
    ///   - chain: Certificates in DER, the server's own first; sent unchanged and in full.
    ///   - privateKey: The key of the first, in DER (PKCS #8, or the key's own form).
    ///   - versions: The supported versions. TLS 1.0 and 1.1 need algorithms that OpenSSL rejects as too weak by default, so
    ///     only they set security level 0.
    package init(
        chain: [[UInt8]],
        privateKey: [UInt8],
        versions: ClosedRange<Version> = .tls12 ... .tls13
    ) throws(ServingError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_server_method()) else { throw Self.failure("no context") }
        do throws(ServingError) {
            try Self.fill(context, chain, privateKey, versions)
        } catch {
            SSL_CTX_free(context)
            throw error
        }
        self.context = context
    }

    deinit { SSL_CTX_free(context) }

    /// A new TLS object for a connection; the caller frees it.
    func makeConnection() -> OpaquePointer? { SSL_new(context) }

    private static func fill(
        _ context: OpaquePointer,
        _ chain: [[UInt8]],
        _ privateKey: [UInt8],
        _ versions: ClosedRange<Version>
    ) throws(ServingError) {
        for (index, der) in chain.enumerated() {
            let certificate = try certificate(der)
            defer { X509_free(certificate) }
            // SSL_CTX_add1_chain_cert is a macro; like SSL_CTX_use_certificate, it retains a reference.
            let isAccepted =
                index == 0
                ? SSL_CTX_use_certificate(context, certificate)
                : Int32(SSL_CTX_ctrl(context, SSL_CTRL_CHAIN_CERT, 1, UnsafeMutableRawPointer(certificate)))
            guard isAccepted == 1 else { throw failure("certificate \(index + 1) is not accepted") }
        }
        let key = privateKey.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_AutoPrivateKey(nil, &position, bytes.count)
        }
        defer { EVP_PKEY_free(key) }
        guard let key, SSL_CTX_use_PrivateKey(context, key) == 1, SSL_CTX_check_private_key(context) == 1 else {
            throw failure("the key does not match the first certificate")
        }
        // The chain is sent unchanged, without completion by OpenSSL.
        _ = SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(SSL_MODE_NO_AUTO_CHAIN), nil)
        guard SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(versions.lowerBound.number), nil) == 1,
            SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(versions.upperBound.number), nil) == 1
        else { throw failure("the versions are not accepted") }
        if versions.lowerBound < .tls12 { SSL_CTX_set_security_level(context, 0) }
        // A client may close without close_notify, because HTTP states its lengths.
        // SSL_OP_IGNORE_UNEXPECTED_EOF, whose macro Swift does not import.
        SSL_CTX_set_options(context, 1 << 7)
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, selected, length, offered, count, _ in
                guard let offered else { return SSL_TLSEXT_ERR_NOACK }
                let names = UnsafeBufferPointer(start: offered, count: Int(count))
                guard let range = ServerIdentity.http11(in: names) else { return SSL_TLSEXT_ERR_NOACK }
                // OpenSSL copies the name from the client's list.
                selected?.pointee = offered + range.lowerBound
                length?.pointee = UInt8(range.count)
                return SSL_TLSEXT_ERR_OK
            },
            nil
        )
    }

    /// The position of `http/1.1` in the list of a client; a length byte precedes each name (RFC 7301 section 3.1).
    ///
    /// A client that offers only other protocols gets no selection.
    private static func http11(in offered: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        var position = 0
        while position < offered.count {
            let name = position + 1..<position + 1 + Int(offered[position])
            guard name.upperBound <= offered.count else { return nil }
            if offered[name].elementsEqual("http/1.1".utf8) { return name }
            position = name.upperBound
        }
        return nil
    }

    private static func certificate(_ der: [UInt8]) throws(ServingError) -> OpaquePointer {
        let certificate = der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return d2i_X509(nil, &position, bytes.count)
        }
        guard let certificate else { throw failure("a certificate is not X.509 in DER") }
        return certificate
    }

    /// The error, with the message of OpenSSL if there is one.
    private static func failure(_ text: String) -> ServingError {
        let code = ERR_get_error()
        ERR_clear_error()
        guard code != 0, let words = ERR_reason_error_string(code) else { return .identity(reason: text) }
        return .identity(reason: "\(text) (\(String(cString: words)))")
    }
}
