import Conformance

/// Notes on the run as a whole, taken from the evidence.
enum Notes {
    static func about(_ evidence: Evidence) -> [String] {
        interruption(evidence) + inProcess(evidence) + (evidence.decisions ?? []) + leftOut(evidence)
            + suggestions(evidence)
            + privateAuthority(evidence)
            + serverErrors(evidence) + secondRequests(evidence) + leftClients(evidence) + addresses(evidence)
    }

    /// The endpoints that the flows used besides or instead of those of a discovery document.
    private static func addresses(_ evidence: Evidence) -> [String] {
        guard let addresses = evidence.addresses, !addresses.isEmpty else { return [] }
        let isAlone = evidence.discovery.value == nil
        let listed = addresses.map { known in
            "\(known.member) \(known.address.quoted) (\(known.source.rawValue))"
        }
        return [
            (isAlone
                ? "The flows used endpoints that no discovery document provides: "
                : "These endpoints supplement or override the discovery document: ")
                + listed.joined(separator: ", ") + "."
        ]
    }

    private static func interruption(_ evidence: Evidence) -> [String] {
        evidence.wasInterrupted
            ? ["The run was interrupted. Evidence collected so far was checked; the remaining requests were not sent."]
            : []
    }

    private static func inProcess(_ evidence: Evidence) -> [String] {
        evidence.route?.isInProcess == true
            ? [
                "The application ran in this process, without a network. TLS, host addresses and proxies in front of the server "
                    + "were not checked."
            ]
            : []
    }

    private static func leftOut(_ evidence: Evidence) -> [String] {
        let all = evidence.leftOut ?? []
        return leftOutByHand(all.filter { $0.isByHand == true }) + leftOutByLimit(all.filter { $0.isByHand != true })
    }

    private static func leftOutByHand(_ leftOut: [DroppedScenario]) -> [String] {
        let titles = leftOut.map(\.title).joined(separator: "; ")
        return leftOut.isEmpty ? [] : ["Not tried, because \(DroppedScenario.byHand): \(titles)."]
    }

    private static func leftOutByLimit(_ leftOut: [DroppedScenario]) -> [String] {
        guard let first = leftOut.first else { return [] }
        let titles = leftOut.map(\.title).joined(separator: "; ")
        return ["Not tried, because the limit is \(counted(first.limit, "sign-in")): \(titles)."]
    }

    /// A scenario that met one during parallel requests is repeated alone; the second run counts, and the first is reported.
    private static func serverErrors(_ evidence: Evidence) -> [String] {
        let failed = evidence.exchanges.filter { $0.response?.isServerError == true }
        let count = failed.count
        guard count > 0 else { return [] }
        var steps: [String] = []
        for exchange in failed where !steps.contains(exchange.step) { steps.append(exchange.step) }
        let named = steps.prefix(3).map { $0.shown(limit: 120) }.joined(separator: "; ")
        let more = steps.count > 3 ? "; and \(steps.count - 3) more" : ""
        return [
            "The provider returned a server error or “too many requests” (status 5xx or 429, or the error “server_error”) "
                + (count == 1 ? "once" : "\(count) times")
                + ". A scenario that met one during parallel requests was repeated alone, and the second run counts. "
                + "If the provider cannot handle parallel requests, set network: { concurrency: 1 }. "
                + "Affected: \(named)\(more)."
        ]
    }

    /// Documents that were requested again after a network failure.
    private static func secondRequests(_ evidence: Evidence) -> [String] {
        evidence.exchanges.filter { $0.isSuperseded == true }
            .compactMap { exchange in
                guard let failure = exchange.failure else { return nil }
                let isDocument = ["discovery document", "key set"].contains { exchange.step.hasPrefix($0) }
                return isDocument ? "The document was requested again after this failure: \(failure.message)" : nil
            }
    }

    /// Clients that the run registered and could not delete.
    private static func leftClients(_ evidence: Evidence) -> [String] {
        (evidence.leftClients ?? [])
            .map { client in
                "A client that this run registered may still exist at the provider: "
                    + (client.clientID.map { "client_id \($0.quoted), " } ?? "")
                    + "client_name \(client.name.quoted)"
                    + (client.address.map { ", registration_client_uri \($0.quoted)" } ?? "")
                    + ". It was not deleted because \(client.reason.shown()). Delete it by hand."
            }
    }

    private static func suggestions(_ evidence: Evidence) -> [String] {
        evidence.suggestions.map { suggestion in
            "The document at \(suggestion.address.quoted) states the issuer \(suggestion.issuer.quoted): "
                + "use \(suggestion.issuer.quoted) as the issuer."
        }
    }

    private static func privateAuthority(_ evidence: Evidence) -> [String] {
        let hosts = evidence.hosts.filter { $0.tls.value?.usedPrivateAuthority == true }
            .map { "\($0.host):\($0.port)".quoted }
        guard !hosts.isEmpty else { return [] }
        return [
            "This result depends on the configured CA file: a platform without it rejects the certificate of "
                + "\(hosts.joined(separator: ", "))."
        ]
    }
}
