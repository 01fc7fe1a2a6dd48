import Conformance
import JSONTree
import Transport

/// A TLS connection to the host of every endpoint, made only where no other request of the run makes one.
extension Collection {
    /// A host, and the metadata members that contain a URL on it.
    private struct NamedHost {
        var place: HostPlace
        var members: [String]
    }

    /// The https hosts of the issuer and of every endpoint, in the order of the document.
    private func namedHosts(_ provider: Provider) -> [NamedHost] {
        var hosts: [NamedHost] = []
        func add(_ member: String, _ address: String) {
            guard let place = HostPlace(address) else { return }
            if let index = hosts.firstIndex(where: { $0.place == place }) {
                hosts[index].members.append(member)
            } else {
                hosts.append(NamedHost(place: place, members: [member]))
            }
        }
        add("issuer", plan.target.issuer)
        for member in provider.metadata?.members ?? [] where Self.isEndpoint(member.name) {
            if let address = member.value.stringValue { add(member.name, address) }
        }
        return hosts
    }

    private static func isEndpoint(_ member: String) -> Bool {
        member.hasSuffix("_endpoint") || member == "jwks_uri" || member == "check_session_iframe"
    }

    /// Requests the first page of hosts that nothing else in the run reaches.
    ///
    /// - Parameter atTheEnd: False before the scenarios: hosts that these will most likely reach are left to them.
    func reachHosts(_ provider: Provider, atTheEnd: Bool) async {
        guard plan.needs.contains(.hosts), provider.metadata != nil, http.client.leavesProcess else { return }
        var expected: [String] = []
        if !atTheEnd {
            expected.append("issuer")
            if plan.needs.contains(.keys) { expected.append("jwks_uri") }
            if !plan.scenarios.isEmpty {
                expected += ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"]
            }
        }
        var places: [HostPlace] = []
        for host in namedHosts(provider) where !host.members.contains(where: expected.contains) {
            if await http.recorder.host(host.place) == nil { places.append(host.place) }
        }
        await withTaskGroup { group in
            for place in places {
                group.addTask {
                    let request = HTTPRequest(url: place.origin)
                    _ = await http.send(request, step: "TLS of \(place.host)", lane: Lanes.hosts, content: .document)
                }
            }
        }
    }

    func hostObservations(_ provider: Provider) async -> [HostObservation] {
        var observations: [HostObservation] = []
        for host in namedHosts(provider) {
            let entry = await http.recorder.host(host.place)
            observations.append(
                HostObservation(
                    host: host.place.host,
                    port: host.place.port,
                    members: host.members,
                    tls: http.client.leavesProcess
                        ? entry?.facts(reading: read) ?? .absent("no request of this run reached it")
                        : .notAttempted(Route.noTLSInProcess),
                    strictTransportSecurity: entry?.strictTransportSecurity,
                    hasAnswered: entry?.hasAnswered ?? false
                )
            )
        }
        return observations
    }

    private func read(_ chain: [[UInt8]]) -> CertificateReadings.Chain {
        options.certificates.reading(chain, authorityFile: options.transport.certificateAuthorityFile)
    }
}
