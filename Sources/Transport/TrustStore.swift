import CLibcurl
import COpenSSL
import CShims

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The trusted certificates of a client: the system's and those of a private file, shared by all connections.
///
/// libcurl would parse the system's bundle again for each client and cannot add a file to it.
final class TrustStore {
    let store: OpaquePointer

    /// Reads the system's bundle at libcurl's default location, unless a variable names another, and the private file.
    init(system: SystemAuthorities, certificateAuthorityFile: String?) throws(TransportFailure.Cause.Unreadable) {
        guard let store = X509_STORE_new() else { throw .init(path: "", reason: "memory ran out") }
        self.store = store
        // The same rule as libcurl's: an intermediate certificate that is trusted explicitly ends a chain.
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if let named = system.file, !Self.isSystemBundle(named.path) {
            do throws(TransportFailure.Cause.Unreadable) {
                try Self.load(named.path, into: store)
            } catch {
                throw .init(path: "\(named.path) (\(named.variable))", reason: error.reason)
            }
        } else if system.file != nil || system.folder == nil {
            Self.loadSystemBundle(into: store)
        }
        // A folder is searched only when a chain needs one of its certificates.
        if let named = system.folder { X509_STORE_load_path(store, named.path) }
        ERR_clear_error()
        if let file = certificateAuthorityFile { try Self.load(file, into: store) }
    }

    /// The maximum size of a file in bytes; the system's bundles have a quarter of a megabyte.
    private static let mostBytes = 8 << 20

    private static func load(_ file: String, into store: OpaquePointer) throws(TransportFailure.Cause.Unreadable) {
        // OpenSSL would read a device or a pipe without an end.
        var status = stat()
        if stat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG || status.st_size > mostBytes {
            throw .init(path: file, reason: "not a regular file of at most \(mostBytes >> 20) MiB")
        }
        guard X509_STORE_load_file(store, file) == 1 else {
            let code = ERR_peek_error()
            ERR_clear_error()
            throw .init(path: file, reason: words(code))
        }
    }

    /// Whether a file is the bundle that would be read without it.
    private static func isSystemBundle(_ file: String) -> Bool {
        guard let easy = curl_easy_init() else { return false }
        defer { curl_easy_cleanup(easy) }
        return preflight_curl_get_string(easy, CURLINFO_CAINFO).map { String(cString: $0) } == file
    }

    deinit {
        X509_STORE_free(store)
    }

    private static func loadSystemBundle(into store: OpaquePointer) {
        guard let place = systemPlace() else { return }
        if isFolder(place) { X509_STORE_load_path(store, place) } else { X509_STORE_load_file(store, place) }
    }

    /// The folder or file of the system's authorities; `nil` where there is none.
    ///
    /// Libraries that came from another system know the places of that one: then those of other systems are looked at.
    static func systemPlace() -> String? {
        if let easy = curl_easy_init() {
            defer { curl_easy_cleanup(easy) }
            // Parsing the whole bundle takes OpenSSL longer than many a run; from a directory whose files are named by
            // the hash of their subject it reads only the certificates that a chain needs.
            if let directory = preflight_curl_get_string(easy, CURLINFO_CAPATH), isHashed(directory) {
                return String(cString: directory)
            }
            if let bundle = preflight_curl_get_string(easy, CURLINFO_CAINFO), access(bundle, R_OK) == 0 {
                return String(cString: bundle)
            }
        }
        let openSSL = [X509_get_default_cert_file(), X509_get_default_cert_dir()]
            .compactMap { $0.map { String(cString: $0) } }
        return (openSSL + SystemAuthorities.knownPlaces)
            .first { path in isFolder(path) ? isHashed(path) : access(path, R_OK) == 0 }
    }

    private static func isFolder(_ path: String) -> Bool {
        guard let listing = opendir(path) else { return false }
        closedir(listing)
        return true
    }

    /// Whether a directory has names like `4bfab552.0`, as `openssl rehash` makes them.
    private static func isHashed(_ directory: UnsafePointer<CChar>) -> Bool {
        guard let listing = opendir(directory) else { return false }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { $0.prefix { $0 != 0 } }
            let isHash = name.prefix(8)
                .allSatisfy { byte in
                    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                }
            if name.count == 10, isHash, name.suffix(2).elementsEqual(".0".utf8) { return true }
        }
        return false
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
