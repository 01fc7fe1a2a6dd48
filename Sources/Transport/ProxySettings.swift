#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The proxies of the standard environment variables, read as curl reads them; never used for loopback hosts.
package struct ProxySettings: Sendable, Hashable {
    package var https: String?
    package var http: String?
    /// Hosts and domains that are reached directly; `*` means all.
    package var excluded: [String]

    package init(https: String? = nil, http: String? = nil, excluded: [String] = []) {
        self.https = https
        self.http = http
        self.excluded = excluded
    }

    /// The values of `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy`.
    ///
    /// `HTTP_PROXY` in capitals is ignored, as curl ignores it.
    package static var fromEnvironment: ProxySettings {
        let all = variable("all_proxy") ?? variable("ALL_PROXY")
        let excluded = variable("no_proxy") ?? variable("NO_PROXY") ?? ""
        return ProxySettings(
            https: variable("https_proxy") ?? variable("HTTPS_PROXY") ?? all,
            http: variable("http_proxy") ?? all,
            excluded: excluded.split { $0 == "," || $0 == " " }.map { $0.lowercased() }
        )
    }

    /// The proxy for a URL, or nil where it is reached directly.
    func proxy(for url: WebURL) -> String? {
        guard let proxy = url.scheme == "https" ? https : http, !url.isLoopback else { return nil }
        let host = url.host
        let isExcluded = excluded.contains { entry in
            if entry == "*" { return true }
            let domain = entry.hasPrefix(".") ? String(entry.dropFirst()) : entry
            return host == domain || host.hasSuffix("." + domain)
        }
        return isExcluded ? nil : proxy
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}
