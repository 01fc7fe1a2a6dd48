import Conformance

/// What the evidence says about the run as a whole.
enum Notes {
    static func about(_ evidence: Evidence) -> [String] {
        interruption(evidence) + inProcess(evidence) + (evidence.decisions ?? []) + leftOut(evidence)
            + suggestions(evidence)
            + privateAuthority(evidence)
            + serverErrors(evidence) + secondRequests(evidence) + leftClients(evidence) + addresses(evidence)
    }

    /// What the flows ran on beside a discovery document, or in the place of one.
    private static func addresses(_ evidence: Evidence) -> [String] {
        guard let addresses = evidence.addresses, !addresses.isEmpty else { return [] }
        let isAlone = evidence.discovery.value == nil
        let listed = addresses.map { known in
            "\(known.member) \(known.address.quoted) (\(known.source.rawValue))"
        }
        return [
            (isAlone
                ? "The flows ran on addresses that no discovery document states: "
                : "Beside the discovery document, or in the place of what it says, stood: ")
                + listed.joined(separator: ", ") + "."
        ]
    }

    private static func interruption(_ evidence: Evidence) -> [String] {
        evidence.wasInterrupted
            ? ["The run was interrupted: what had been collected until then was judged, the rest was not asked for."]
            : []
    }

    private static func inProcess(_ evidence: Evidence) -> [String] {
        evidence.route?.isInProcess == true
            ? [
                "An application in this process was asked, without a network: nothing is said of TLS, of the hosts' addresses, and of "
                    + "what stands before the server."
            ]
            : []
    }

    private static func leftOut(_ evidence: Evidence) -> [String] {
        let all = evidence.leftOut ?? []
        return leftOutByHand(all.filter { $0.isByHand == true }) + leftOutByLimit(all.filter { $0.isByHand != true })
    }

    private static func leftOutByHand(_ leftOut: [LeftOut]) -> [String] {
        let titles = leftOut.map(\.title).joined(separator: "; ")
        return leftOut.isEmpty ? [] : ["Not tried, because \(LeftOut.byHand): \(titles)."]
    }

    private static func leftOutByLimit(_ leftOut: [LeftOut]) -> [String] {
        guard let first = leftOut.first else { return [] }
        let titles = leftOut.map(\.title).joined(separator: "; ")
        let allowed = first.limit == 1 ? "1 sign-in was" : "\(first.limit) sign-ins were"
        return ["Not tried, because at most \(allowed) allowed: \(titles)."]
    }

    /// A conversation that met one beside others is held again alone; what counts is the second, and the first is told.
    private static func serverErrors(_ evidence: Evidence) -> [String] {
        let failed = evidence.exchanges.filter { $0.response?.isServerError == true }
        let count = failed.count
        guard count > 0 else { return [] }
        var steps: [String] = []
        for exchange in failed where !steps.contains(exchange.step) { steps.append(exchange.step) }
        let named = steps.prefix(3).map { $0.shown(limit: 120) }.joined(separator: "; ")
        let more = steps.count > 3 ? "; and \(steps.count - 3) more" : ""
        return [
            "The provider answered with a server error or “too many requests” (status 5xx or 429, or the error “server_error”) "
                + (count == 1 ? "once" : "\(count) times")
                + ": a conversation that met one beside others was held again alone, and judged by that. It was: \(named)\(more). "
                + "If it cannot take several requests at once, write network: { concurrency: 1 }."
        ]
    }

    /// Documents that were asked for again, because an answer was lost on the way.
    private static func secondRequests(_ evidence: Evidence) -> [String] {
        evidence.exchanges.filter { $0.isSuperseded == true }
            .compactMap { exchange in
                guard let failure = exchange.failure else { return nil }
                let isDocument = ["discovery document", "key set"].contains { exchange.step.hasPrefix($0) }
                return isDocument ? "It was asked for once more after this failure: \(failure.message)" : nil
            }
    }

    /// What the run registered and could not take back.
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
                + "register \(suggestion.issuer.quoted)."
        }
    }

    private static func privateAuthority(_ evidence: Evidence) -> [String] {
        let hosts = evidence.hosts.filter { $0.tls.value?.usedPrivateAuthority == true }
            .map { "\($0.host):\($0.port)".quoted }
        guard !hosts.isEmpty else { return [] }
        return [
            "\(hosts.joined(separator: ", ")) \(hosts.count == 1 ? "is" : "are") trusted by the CA file alone, which no "
                + "platform has."
        ]
    }
}
