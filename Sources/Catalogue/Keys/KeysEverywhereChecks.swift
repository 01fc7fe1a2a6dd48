import Conformance

/// That the key set is the same whoever asks, and wherever.
enum KeysEverywhereChecks {
    static let agentsAreAlike = KeySetResponseChecks.document.isGivenToEveryAgent(
        "The key set is given to every user agent",
        why: "Relying parties fetch the keys from servers: behind a wall for robots no signature can be verified."
    )

    static let addressesAgree = KeySetResponseChecks.document.isTheSameAtEveryAddress(
        "keys",
        "Every address of the host of jwks_uri serves the same keys",
        Citation(.experience, "", "servers of one provider answered with different key sets"),
        why: "After a change of keys one server still has the old ones: signatures fail for some, now and then.",
        reads: Refetched.keysElsewhere,
        between: { Differences.between($0, $1, "at this address") }
    )

    static let all: [Check] = [agentsAreAlike, addressesAgree]
}
