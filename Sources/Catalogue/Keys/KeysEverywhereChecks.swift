import Conformance

/// Every client gets the same key set, from every address.
enum KeysEverywhereChecks {
    static let agentsAreAlike = KeySetResponseChecks.document.isServedToEveryAgent(
        "The provider serves the key set to every user agent",
        why:
            "Relying parties fetch the keys from servers. Bot protection that blocks them prevents signature verification."
    )

    static let addressesAgree = KeySetResponseChecks.document.isTheSameAtEveryAddress(
        "keys",
        "Every address of the host of jwks_uri serves the same keys",
        Citation(.experience, "", "servers of one provider answered with different key sets"),
        why:
            "After a key change, one server still serves the old keys, and signature verification fails intermittently.",
        reads: Refetched.keysElsewhere,
        between: { Differences.between($0, $1, "The key set differs at this address") }
    )

    static let headIsAnswered = KeySetResponseChecks.document.isServedByHEAD(
        "The provider serves the key set for HEAD too"
    )

    static let all: [Check] = [agentsAreAlike, headIsAnswered, addressesAgree]
}
