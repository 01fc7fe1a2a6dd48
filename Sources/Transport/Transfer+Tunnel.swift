import CLibcurl
import CShims

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Connections through a proxy, and those that carry another protocol.
extension Transfer {
    /// The proxy for a request, or nil where its host is reached directly.
    ///
    /// A proxy resolves names by itself, so the address policy applies here only to a host that is an address.
    static func proxy(
        for url: WebURL,
        _ request: HTTPRequest,
        _ configuration: TransportConfiguration
    ) throws(Refused) -> String? {
        // A connection for another protocol is for one that is encrypted.
        let target = request.socket == nil ? url : WebURL("https://\(url.host):\(url.effectivePort)/") ?? url
        guard let proxy = configuration.proxy.proxy(for: target) else { return nil }
        if let address = AddressLookup.bytes(of: url.host), let rule = AddressPolicy.rule(against: address),
            !configuration.addressPolicy.allowsAnyAddress(for: url.host)
        {
            throw Refused(cause: .addressRefused(address: text(of: address), rule: rule))
        }
        if request.socket != nil, proxy.lowercased().hasPrefix("https:") {
            // The bytes of its TLS connection are libcurl's.
            throw Refused(cause: .proxyFailed(reason: "a browser cannot use a proxy that is reached over TLS"))
        }
        return proxy
    }

    /// Gives the connection a second descriptor, which libcurl does not close.
    func keepConnection(in socketHolder: SocketHolder) {
        let own = preflight_curl_get_socket(easy)
        let kept = own < 0 ? -1 : fcntl(own, F_DUPFD_CLOEXEC, 0)
        if kept >= 0 { socketHolder.put(kept) }
    }
}
