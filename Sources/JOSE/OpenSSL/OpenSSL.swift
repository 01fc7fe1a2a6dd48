import COpenSSL

/// The version of the linked library, for diagnosis.
package enum OpenSSLVersion {
    /// For example "OpenSSL 3.0.17 1 Jul 2025".
    package static var text: String { OpenSSL_version(OPENSSL_VERSION).map { String(cString: $0) } ?? "OpenSSL" }
}

/// One C object of OpenSSL with exactly one owner, freed when the owner goes.
struct Owned: ~Copyable {
    let pointer: OpaquePointer
    private let free: (OpaquePointer?) -> Void

    /// Takes ownership of a new object; OpenSSL returns none if memory is short or an argument is rejected.
    init(_ pointer: OpaquePointer?, _ free: @escaping (OpaquePointer?) -> Void, _ what: String) throws(JOSEError) {
        guard let pointer else { throw OpenSSLError.take(what) }
        self.pointer = pointer
        self.free = free
    }

    deinit { free(pointer) }
}

/// OpenSSL's error queue, which belongs to the thread and must be emptied before anything else happens on it.
enum OpenSSLError {
    /// Empties the queue into one error that names the first, deepest cause.
    static func take(_ what: String, code: JOSEError.Code = .cryptography) -> JOSEError {
        let first = ERR_get_error()
        ERR_clear_error()
        guard first != 0, let reason = ERR_reason_error_string(first) else { return JOSEError(code, what) }
        return JOSEError(code, "\(what): \(String(cString: reason))")
    }

    /// Empties the queue after an expected failure, such as a signature that does not match.
    static func discard() { ERR_clear_error() }

    /// Throws unless OpenSSL returned one, its sign of success.
    static func check(_ result: Int32, _ what: String, code: JOSEError.Code = .cryptography) throws(JOSEError) {
        guard result == 1 else { throw take(what, code: code) }
    }
}
