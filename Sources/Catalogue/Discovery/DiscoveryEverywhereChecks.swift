import Conformance

/// That the discovery document is the same whoever asks, and wherever.
enum DiscoveryEverywhereChecks {
    static let agentsAreAlike = Check(
        "discovery.agents.are-treated-alike",
        "The discovery document is given to every user agent",
        .risk,
        .signIn,
        Citation(.experience, "", "bot protection that answers 403 or a page to what is no browser"),
        why: "Relying parties ask from servers, often without a User-Agent: a wall for robots keeps their users out.",
        reads: Refetched.agents(.discovery),
        exempt: AgentRule.unlessGivenToSomebody
    ) { agents, _ in
        AgentRule.findings(agents, .discovery)
    }

    static let addressesAgree = Check(
        "discovery.addresses.serve-the-same-document",
        "Every address of the issuer's host serves the same discovery document",
        .risk,
        .signIn,
        Citation(.experience, "", "servers of one provider answered with different metadata"),
        why: "Sign-in fails for those whom the name service sends to the other address, and for nobody who looks.",
        reads: Refetched.discoveryElsewhere,
        excusedBy: ["discovery.response.is-the-same-again", "transport.answers.are-no-server-errors"]
    ) { elsewhere, _ in
        guard let other = elsewhere.other else { return [AddressRule.noDocument(elsewhere, "the discovery document")] }
        return Differences.between(elsewhere.first, other, "is another at this address")
    }

    static let all: [Check] = [agentsAreAlike, addressesAgree]
}

/// The rule that it makes no difference which address of a host is asked.
enum AddressRule {
    static func noDocument<Parsed>(_ elsewhere: Refetched.Elsewhere<Parsed>, _ name: String) -> Finding {
        let status = elsewhere.exchange.response?.status ?? 0
        return Finding(
            "\(name) is not served at this address",
            at: "status",
            expected: "the same answer as at the host's other addresses",
            found: (200...299).contains(status) ? "no JSON object" : "HTTP status \(status)",
            fix: "Bring the server at \(elsewhere.address.address) up to date, or take its address out of the DNS.",
            exchange: elsewhere.exchange.id
        )
    }
}
