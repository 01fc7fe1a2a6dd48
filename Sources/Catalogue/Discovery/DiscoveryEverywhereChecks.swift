import Conformance
import JSONTree

/// Every client gets the same discovery document, from every address.
enum DiscoveryEverywhereChecks {
    static let agentsAreAlike = DiscoveryResponseChecks.document.isServedToEveryAgent(
        "The provider serves the discovery document to every user agent",
        why:
            "Relying parties fetch the document from servers, often without a User-Agent. Bot protection that blocks them breaks sign-in."
    )

    static let addressesAgree = DiscoveryResponseChecks.document.isTheSameAtEveryAddress(
        "document",
        "Every address of the issuer's host serves the same discovery document",
        Citation(.experience, "", "servers of one provider answered with different metadata"),
        why: "Sign-in fails only for clients that DNS sends to the other address, and is hard to reproduce.",
        reads: Refetched.discoveryElsewhere,
        between: { Differences.between($0, $1, "differs at this address") }
    )

    static let headIsAnswered = DiscoveryResponseChecks.document.isServedByHEAD(
        "The provider serves the discovery document for HEAD too"
    )

    static let forwardedHostIsIgnored = Check(
        "discovery.issuer.does-not-follow-the-request",
        "The discovery document does not change with X-Forwarded-Host and similar headers",
        .risk,
        .safety,
        Citation(.experience, "", "issuer and endpoints taken from a header that every client can send"),
        why:
            "If a cache stores the response to an attacker's X-Forwarded-Host, other clients send their requests to the "
            + "attacker's endpoints.",
        endangers: .allUsers,
        reads: Refetched.agents(.discovery) { $0 == .forwarded },
        exempt: AgentRule.unlessServerError,
        finding: { agents, _ in
            guard let bytes = agents.other.response?.body.bytes,
                let object = (try? JSONDocument.parse(bytes))?.root.objectValue
            else { return nil }
            let named = AgentAnswer.forwardedHosts.lazy.map { field, host in
                (field, object.members.filter { $0.value.stringValue?.contains("//" + host) == true })
            }
            guard let (field, changed) = named.first(where: { !$0.1.isEmpty }), let first = changed.first else {
                return nil
            }
            return Finding(
                "\(changed.map(\.name).joined(separator: ", ")) name the host of the header \(field)",
                at: "/" + first.name,
                expected: "the same document as without the header",
                found: first.value.shown,
                fix: "Set the issuer in the provider's configuration, and read \(field) only from your own proxy.",
                exchange: agents.other.id
            )
        }
    )

    static let all: [Check] = [agentsAreAlike, headIsAnswered, forwardedHostIsIgnored, addressesAgree]
}
