/// How a run reached hosts other than by the name service and the system's authorities: from its command line, its
/// configuration or the calling program.
package struct Route: Sendable, Hashable, Codable {
    /// `HOST:PORT:ADDRESS`, as curl's `--resolve` has it.
    package var resolve: [String]
    /// `HOST:PORT:ADDRESS:PORT`, as curl's `--connect-to` has it.
    package var connectTo: [String]
    /// Whether a file of certificate authorities was configured; its path is not recorded.
    var hasAuthorities: Bool
    /// True where an application in the tool's own process answered, and no request was sent over a network; else `nil`.
    package var isInProcess: Bool?

    package init(resolve: [String] = [], connectTo: [String] = [], hasAuthorities: Bool = false) {
        self.resolve = resolve
        self.connectTo = connectTo
        self.hasAuthorities = hasAuthorities
    }

    /// Why nothing is said of TLS where nothing left the process.
    package static let noTLSInProcess = "the application runs in this process, so there is no TLS connection"

    /// Whether hosts were reached as every program reaches them.
    package var isOrdinary: Bool { resolve.isEmpty && connectTo.isEmpty && !hasAuthorities && isInProcess != true }
}

/// What another program needs to reach the hosts of a run as the run did.
package struct ConnectionSettings: Sendable, Hashable {
    package var route: Route
    /// The ID of the only configured client; `nil` for none, or for several.
    package var clientID: String?
    /// `HOST:PORT` of the hosts that the authorities of a file vouch for, and no system's.
    private let privately: Set<String>
    /// Likewise of those that a system's authorities vouch for.
    private let publicly: Set<String>

    /// - Parameter evidence: Also of an earlier version, which has only the certificates.
    package init(_ evidence: Evidence) {
        route = evidence.route ?? Route()
        let clients = Set(evidence.target.allClients.map(\.id))
        clientID = clients.count == 1 ? clients.first : nil
        var privately: Set<String> = []
        var publicly: Set<String> = []
        for host in evidence.hosts {
            guard let tls = host.tls.value, tls.verification == .verified else { continue }
            let place = "\(host.host.lowercased()):\(host.port)"
            if tls.usedPrivateAuthority { privately.insert(place) } else { publicly.insert(place) }
        }
        self.privately = privately
        self.publicly = publicly
    }

    /// Nothing but the name service and the system's authorities.
    package init() {
        route = Route()
        privately = []
        publicly = []
    }

    /// Whether a host is trusted only by the authorities of a file; also true for an unvisited host, if there was such a file.
    package func needsAuthorities(_ host: String, port: Int) -> Bool {
        let place = "\(host.lowercased()):\(port)"
        return privately.contains(place) || (route.hasAuthorities && !publicly.contains(place))
    }
}
