internal import JOSE
internal import JSONTree
internal import Serving
internal import SignIn
internal import Transport
internal import YAMLTree

/// What the program runs on.
package enum Doctor {
    package struct Diagnosis: Sendable {
        package var lines: [String]
        /// What will not do; empty when all is well.
        package var complaints: [String]
    }

    /// The versions of the libraries that this process really runs with.
    package static func diagnosis() -> Diagnosis {
        let libraries = LibraryVersions.current
        var complaints: [String] = []
        if !libraries.isOpenSSL {
            complaints.append(
                "libcurl is built on \(libraries.tls), not on OpenSSL: certificate facts cannot be had. On Debian: "
                    + "apt-get install libcurl4-openssl-dev, and build again"
            )
        }
        let optional = [("zlib", libraries.zlib), ("brotli", libraries.brotli), ("nghttp2", libraries.nghttp2)]
        return Diagnosis(
            lines: [
                Tool.nameAndVersion,
                "libcurl   \(libraries.curl), TLS by \(libraries.tls)",
                "OpenSSL   \(OpenSSLVersion.text)",
                "jansson   \(JSONLibrary.version)",
                "libxml2   \(HTMLLibrary.version)",
                "libyaml   \(YAMLLibrary.version)",
                "libevent  \(EventLibrary.version)",
            ] + optional.map { name, version in CatalogueText.padded(name, 10) + (version ?? "not built in") },
            complaints: complaints
        )
    }
}
