#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The authorities that are trusted by default: the system's, unless a variable says otherwise.
///
/// `CURL_CA_BUNDLE` and, where that is not set, `SSL_CERT_FILE` and `SSL_CERT_DIR` take the system's place, as they do in
/// curl; an empty variable counts as none.
package struct SystemAuthorities: Sendable, Hashable {
    /// A file or a folder, and the variable that names it.
    package struct Place: Sendable, Hashable {
        package let variable: String
        package let path: String
    }

    package var file: Place?
    /// One folder, or several with colons between them.
    package var folder: Place?

    /// The variables of this process.
    package static var fromEnvironment: SystemAuthorities {
        if let bundle = place("CURL_CA_BUNDLE") { return SystemAuthorities(file: bundle) }
        return SystemAuthorities(file: place("SSL_CERT_FILE"), folder: place("SSL_CERT_DIR"))
    }

    /// The paths of the trusted authorities: Debian and Alpine, Fedora, SUSE, then BSD.
    package static let knownPlaces = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// The folder or file of the system's authorities, where no variable takes its place; `nil` where there is none.
    package static var systemPlace: String? { TrustStore.systemPlace() }

    private static func place(_ variable: String) -> Place? {
        guard let path = getenv(variable).map({ String(cString: $0) }), !path.isEmpty else { return nil }
        return Place(variable: variable, path: path)
    }
}
