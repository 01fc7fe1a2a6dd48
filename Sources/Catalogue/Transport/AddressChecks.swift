import Conformance
import JSONTree

/// What each address of a host, and each endpoint, shows of the machine behind it.
enum AddressChecks {
    static let allAnswer = Check(
        "transport.addresses.all-answer",
        "Every address of each host answers",
        .risk,
        .signIn,
        Citation(.experience, "", "addresses in the DNS, IPv6 ones above all, behind which nothing answers"),
        why: "Whoever the name service sends to the dead address waits for a time-out, or cannot sign in at all.",
        reads: Refetched.addresses,
        finding: { address, _ in
            guard let failure = address.failures.compactMap({ $0 }).first else { return nil }
            let family = address.address.contains(":") ? "AAAA" : "A"
            return Finding(
                "nothing answers at \(address.address)",
                expected: "an answer, as at the host's other addresses",
                found: failure.shown(),
                fix: "Mend the server at \(address.address), or take its \(family) record out of the DNS of "
                    + "\(address.host.shown())."
            )
        }
    )

    static let clocksAreRight = Check(
        "transport.clock.is-right-at-every-endpoint",
        "The clocks behind all endpoints are right to within five seconds",
        .risk,
        .signIn,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim"),
        why:
            "Tokens are dated by the machine that issues them: with a wrong clock they seem expired, or not valid yet.",
        reads: TransportSlots.datedEndpoints,
        excusedBy: ["discovery.clock.is-within-five-seconds", "discovery.clock.is-within-a-minute"],
        finding: { exchange, _ in
            guard let skew = ClockSkew.of(exchange), abs(skew) >= 5 else { return nil }
            return Finding(
                "the clock behind this endpoint is \(Int(min(abs(skew), 1e9).rounded())) seconds "
                    + (skew > 0 ? "ahead" : "behind"),
                at: "Date",
                expected: "a difference of less than 5 seconds",
                found: exchange.response?.header("Date")?.shown(),
                fix:
                    "Set the clock of the server behind \(exchange.request.url.prefix { $0 != "?" }.description.shown()) by NTP."
            )
        }
    )

    static let all: [Check] = [allAnswer, clocksAreRight]
}

/// What checks of the stage read besides handshakes.
enum TransportSlots {
    /// Of each endpoint that answered in the run, the answer whose `Date` is the most wrong.
    static let datedEndpoints = Slot<Exchange>(
        "Date of each endpoint",
        needs: [.discovery, .keys],
        whenEmpty: "no endpoint but the discovery document answered with a readable Date"
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
