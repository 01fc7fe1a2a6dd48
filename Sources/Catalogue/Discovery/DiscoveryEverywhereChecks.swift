import Conformance

/// Every client gets the same discovery document, from every address.
enum DiscoveryEverywhereChecks {
    static let agentsAreAlike = DiscoveryResponseChecks.document.isGivenToEveryAgent(
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

    static let all: [Check] = [agentsAreAlike, addressesAgree]
}
