import CLibcurl
import CShims

/// The versions of the C libraries that this process really runs with, for `doctor`.
package struct LibraryVersions: Sendable, Hashable {
    package let curl: String
    /// The TLS library that libcurl was built on, such as `OpenSSL/3.0.17`.
    package let tls: String
    /// Whether that library is OpenSSL, without which there are no certificate facts.
    package let isOpenSSL: Bool
    package let zlib: String?
    package let brotli: String?
    package let nghttp2: String?

    /// Asks the loaded libcurl.
    package static var current: LibraryVersions {
        guard let versions = preflight_curl_versions()?.pointee else {
            return LibraryVersions(
                curl: "unknown",
                tls: "unknown",
                isOpenSSL: false,
                zlib: nil,
                brotli: nil,
                nghttp2: nil
            )
        }
        let tls = text(versions.ssl_version) ?? "none"
        return LibraryVersions(
            curl: text(versions.version) ?? "unknown",
            tls: tls,
            isOpenSSL: tls.hasPrefix("OpenSSL/"),
            zlib: text(versions.libz_version),
            brotli: text(versions.brotli_version),
            nghttp2: text(versions.nghttp2_version)
        )
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
}
