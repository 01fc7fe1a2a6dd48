import Conformance
import JSONTree

/// Checks of the server at each address of a host, and of the clock of each endpoint.
enum AddressChecks {
    static let allAnswer = Check(
        "transport.addresses.all-answer",
        "The provider responds at every address of each host",
        .risk,
        .signIn,
        Citation(.experience, "", "addresses in the DNS, IPv6 ones above all, behind which nothing answers"),
        why: "Clients that connect to the dead address wait for a timeout, or cannot connect at all.",
        reads: Refetched.addresses,
        finding: { address, _ in
            guard let failure = address.failures.compactMap({ $0 }).first else { return nil }
            let family = address.address.contains(":") ? "AAAA" : "A"
            return Finding(
                "The server does not respond at \(address.address).",
                expected: "a response, as at the host's other addresses",
                found: failure.shown(),
                fix:
                    "Repair the server at \(address.address), or remove the \(family) record with this address from the DNS of "
                    + "\(address.host.shown())."
            )
        }
    )

    static let clocksAreRight = Check(
        "transport.clock.is-right-at-every-endpoint",
        "The clocks of all endpoints are accurate to within five seconds",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim"),
        why:
            "Tokens carry the time of the server that issues them; with a wrong clock they look expired or not yet valid.",
        reads: TransportQueries.datedEndpoints,
        supersededBy: ["discovery.clock.is-within-five-seconds", "discovery.clock.is-within-a-minute"],
        finding: { exchange, _ in
            guard let skew = ClockSkew.of(exchange), abs(skew) >= 5 else { return nil }
            return Finding(
                "The clock of this endpoint is \(ProviderTime.apart(min(abs(skew), 1e9))) "
                    + (skew > 0 ? "ahead." : "behind."),
                at: "Date",
                expected: "a difference of less than 5 seconds",
                found: exchange.response?.header("Date")?.shown(),
                fix:
                    "Set the clock of the server at \(exchange.request.url.prefix { $0 != "?" }.description.shown()) by NTP."
            )
        }
    )

    static let all: [Check] = [allAnswer, clocksAreRight]
}

/// Queries of the stage that are not about handshakes.
enum TransportQueries {
    /// For each endpoint that responded in the run, the response whose `Date` differs most.
    static let datedEndpoints = Query<Exchange>(
        "Date of each endpoint",
        needs: [.discovery, .keys],
        whenEmpty: "no endpoint but the discovery document returned a valid Date"
    ) { facts in
        let answers = facts.evidence.exchanges.compactMap { exchange -> (address: String, skew: Double, Exchange)? in
            guard exchange.failure == nil, let skew = ClockSkew.of(exchange) else { return nil }
            return (beforeQuery(exchange.request.url), abs(skew), exchange)
        }
        return endpoints(facts)
            .compactMap { name, address in
                let worst = answers.filter { $0.address == address }.max { $0.skew < $1.skew }?.2
                return worst.map { Sample(.observed($0), label: name, exchange: $0.id) }
            }
    }

    private static func beforeQuery(_ address: String) -> String {
        String(Substring(address.utf8.prefix { $0 != UInt8(ascii: "?") }))
    }

    /// Every member of the metadata that names an endpoint, with its address up to the query.
    private static func endpoints(_ facts: Facts) -> [(String, String)] {
        (facts.metadata.value?.object.members ?? [])
            .compactMap { member in
                guard member.name.hasSuffix("_endpoint") || member.name == "jwks_uri" else { return nil }
                return member.value.stringValue.map { (member.name, beforeQuery($0)) }
            }
    }
}
