import CLibcurl
import COpenSSL
import CShims

/// The trusted certificates of a client: the system's and those of a private file, parsed once for all connections.
///
/// libcurl would parse the system's bundle anew for each client and cannot add a file to it.
final class TrustStore {
    let store: OpaquePointer

    /// Reads the system's bundle where libcurl was told to look for it, and the private file.
    init(certificateAuthorityFile: String?) throws(TransportFailure.Cause.Unreadable) {
        guard let store = X509_STORE_new() else { throw .init(path: "", reason: "memory ran out") }
        self.store = store
        // The same rule as libcurl's: an intermediate certificate that is trusted explicitly ends a chain.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        Self.loadSystemBundle(into: store)
        ERR_clear_error()
        guard let file = certificateAuthorityFile else { return }
        guard X509_STORE_load_file(store, file) == 1 else {
            let code = ERR_peek_error()
            ERR_clear_error()
            throw .init(path: file, reason: Self.words(code))
        }
    }

    deinit {
        X509_STORE_free(store)
    }

    private static func loadSystemBundle(into store: OpaquePointer) {
        if let easy = curl_easy_init() {
            defer { curl_easy_cleanup(easy) }
            if let bundle = preflight_curl_get_string(easy, CURLINFO_CAINFO),
                X509_STORE_load_file(store, bundle) == 1
            {
                return
            }
        }
        X509_STORE_set_default_paths(store)
    }

    private static func words(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "not a file with certificates in PEM"
    }
}

extension TransportFailure.Cause {
    /// Why the private authority's file could not be used.
    struct Unreadable: Error {
        let path: String
        let reason: String
    }
}
