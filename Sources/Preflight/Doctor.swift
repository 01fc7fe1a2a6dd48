internal import Conformance
internal import JOSE
internal import JSONTree
internal import SQLite
internal import Serving
internal import SignIn
internal import Transport
internal import YAMLTree

/// Diagnosis of libraries and environment.
package enum Doctor {
    package struct Diagnosis: Sendable {
        package var lines: [String]
        /// Problems; empty if there are none.
        package var complaints: [String]
    }

    /// The versions of the loaded libraries, and the environment settings in effect.
    ///
    /// - Parameter installation: Lines about the installation: name and meaning.
    package static func diagnosis(
        _ environment: Environment,
        installation: [(name: String, meaning: String)] = []
    ) -> Diagnosis {
        let libraries = LibraryVersions.current
        var complaints: [String] = []
        if !libraries.isOpenSSL {
            complaints.append(
                "libcurl uses \(libraries.tls), not OpenSSL: certificates cannot be checked. On Debian: "
                    + "apt-get install libcurl4-openssl-dev, and rebuild"
            )
        }
        if let problem = HTMLLibrary.problem {
            complaints.append(
                "libxml2 cannot be used: \(problem.shown(limit: 200)). Sign-in pages and JUnit reports are not available. "
                    + "On Debian: apt-get install libxml2"
            )
        }
        if let problem = Database.problem {
            complaints.append(
                "SQLite cannot be used: \(problem.shown(limit: 200)). Databases of batch runs are not available. On Debian: apt-get install "
                    + "libsqlite3-0"
            )
        }
        let optional = [("zlib", libraries.zlib), ("brotli", libraries.brotli), ("nghttp2", libraries.nghttp2)]
        return Diagnosis(
            lines: [Tool.nameAndVersion]
                + installation.map { CatalogueText.padded($0.name, 10) + $0.meaning.shown(limit: 400) } + [
                    "libcurl   \(libraries.curl), TLS: \(libraries.tls)",
                    "OpenSSL   \(OpenSSLVersion.text)",
                    "jansson   \(JSONLibrary.version)",
                    "libxml2   \(HTMLLibrary.version)",
                    "libyaml   \(YAMLLibrary.version)",
                    "libevent  \(EventLibrary.version)",
                    "SQLite    \(Database.problem == nil ? Database.version : "not found")",
                ] + optional.map { name, version in CatalogueText.padded(name, 10) + (version ?? "not built in") }
                + BrowserLines.all + trust(.fromEnvironment) + proxies(.fromEnvironment),
            complaints: complaints + unreadable(.fromEnvironment, environment) + missing(.fromEnvironment)
        )
    }

    /// The trusted authorities, and the variables that set them.
    private static func trust(_ system: SystemAuthorities) -> [String] {
        let places = [system.file, system.folder].compactMap(\.self)
        let named = places.map { "\($0.path.shown(limit: 200)), from \($0.variable)" }
        return (named.isEmpty ? ["the system's authorities"] : named).map { CatalogueText.padded("trust", 10) + $0 }
    }

    private static func unreadable(_ system: SystemAuthorities, _ environment: Environment) -> [String] {
        guard let file = system.file, let why = environment.problem(ofAuthorities: file.path) else { return [] }
        return ["\(file.variable): \(why); every TLS connection will fail. Correct the variable or unset it"]
    }

    /// Reports that there are no trusted authorities.
    private static func missing(_ system: SystemAuthorities) -> [String] {
        if system.file != nil || system.folder != nil || SystemAuthorities.systemPlace != nil { return [] }
        return [
            "no certificate authorities found in \(SystemAuthorities.knownPlaces.joined(separator: ", ")): TLS connections "
                + "without --ca-file will fail. On Debian: apt-get install ca-certificates; or set SSL_CERT_FILE to a "
                + "file"
        ]
    }

    private static func proxies(_ settings: ProxySettings) -> [String] {
        let stated = [("https", settings.https), ("http", settings.http)]
            .compactMap { scheme, address in address.map { "\($0.withoutUserInfo.shown(limit: 200)) for \(scheme)" } }
        let excluded =
            settings.excluded.isEmpty || stated.isEmpty ? [] : ["not for \(settings.excluded.joined(separator: ", "))"]
        let words = stated.isEmpty ? ["none"] : stated + excluded + ["never for the local machine"]
        return [CatalogueText.padded("proxy", 10) + words.joined(separator: "; ").shown(limit: 400)]
    }
}

extension String {
    /// A proxy address without user name and password.
    fileprivate var withoutUserInfo: String {
        guard let at = lastIndex(of: "@") else { return self }
        let scheme = firstRange(of: "://").map { self[..<$0.upperBound] } ?? ""
        return scheme + "…@" + self[index(after: at)...]
    }
}
