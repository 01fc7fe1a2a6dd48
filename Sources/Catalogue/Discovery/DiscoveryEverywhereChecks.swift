import Conformance

/// That the discovery document is the same whoever asks, and wherever.
enum DiscoveryEverywhereChecks {
    static let agentsAreAlike = DiscoveryResponseChecks.document.isGivenToEveryAgent(
        "The discovery document is given to every user agent",
        why: "Relying parties ask from servers, often without a User-Agent: a wall for robots keeps their users out."
    )

    static let addressesAgree = DiscoveryResponseChecks.document.isTheSameAtEveryAddress(
        "document",
        "Every address of the issuer's host serves the same discovery document",
        Citation(.experience, "", "servers of one provider answered with different metadata"),
        why: "Sign-in fails for those whom the name service sends to the other address, and for nobody who looks.",
        reads: Refetched.discoveryElsewhere,
        between: { Differences.between($0, $1, "is another at this address") }
    )

    static let all: [Check] = [agentsAreAlike, addressesAgree]
}
