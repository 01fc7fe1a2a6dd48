import COpenSSL
import CShims

/// One counted reference to what a connection's handshake showed.
final class HandshakeRecord {
    private let handle: OpaquePointer

    /// Takes over a reference from C.
    init?(_ handle: OpaquePointer?) {
        guard let handle else { return nil }
        self.handle = handle
    }

    deinit {
        preflight_handshake_release(handle)
    }

    /// The facts, or nil when it did not come to a certificate.
    func facts(hostMatched: Bool?) -> TLSFacts? {
        guard preflight_handshake_was_verified(handle) != 0 else { return nil }
        let isVerified = preflight_handshake_is_verified(handle) != 0
        return TLSFacts(
            version: preflight_handshake_version(handle).map { String(cString: $0) } ?? "unknown",
            cipher: preflight_handshake_cipher(handle).map { String(cString: $0) } ?? "unknown",
            verification: isVerified ? .verified : .refused(code: code, reason: reason, depth: depth),
            chain: chain,
            hostMatched: isVerified ? hostMatched : nil
        )
    }

    /// Whether the connection was ended because it contained records without end and no response.
    var wasFlooded: Bool { preflight_handshake_was_flooded(handle) != 0 }

    /// Why the chain was rejected, in kinds; nil when it was valid.
    var problem: CertificateProblem? {
        guard preflight_handshake_was_verified(handle) != 0 else { return nil }
        guard preflight_handshake_is_verified(handle) == 0 else { return nil }
        switch Int32(code) {
        case X509_V_ERR_CERT_HAS_EXPIRED: return .expired(depth: depth)
        case X509_V_ERR_CERT_NOT_YET_VALID: return .notYetValid(depth: depth)
        case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return .selfSigned
        case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: return .untrustedRoot
        case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
            let isAlone = preflight_handshake_certificate_count(handle) == 1
            let isSelfIssued = preflight_handshake_leaf_is_self_issued(handle) != 0
            return isAlone && !isSelfIssued ? .intermediateMissing : .unknownAuthority
        default: return .other(code: code, reason: reason, depth: depth)
        }
    }

    private var code: Int { Int(preflight_handshake_error(handle)) }

    private var depth: Int { Int(preflight_handshake_error_depth(handle)) }

    private var reason: String { String(cString: X509_verify_cert_error_string(code)) }

    private var chain: [[UInt8]] {
        (0..<preflight_handshake_certificate_count(handle))
            .compactMap { index in
                var length = 0
                guard let bytes = preflight_handshake_certificate(handle, index, &length) else { return nil }
                return Array(UnsafeBufferPointer(start: bytes, count: length))
            }
    }
}
