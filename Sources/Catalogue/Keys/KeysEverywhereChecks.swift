import Conformance

/// That the key set is the same whoever asks, and wherever.
enum KeysEverywhereChecks {
    static let agentsAreAlike = Check(
        "keys.agents.are-treated-alike",
        "The key set is given to every user agent",
        .risk,
        .signIn,
        Citation(.experience, "", "bot protection that answers 403 or a page to what is no browser"),
        why: "Relying parties fetch the keys from servers: behind a wall for robots no signature can be verified.",
        reads: Refetched.agents(.keys),
        exempt: AgentRule.unlessGivenToSomebody
    ) { agents, _ in
        AgentRule.findings(agents, .keys)
    }

    static let addressesAgree = Check(
        "keys.addresses.serve-the-same-keys",
        "Every address of the host of jwks_uri serves the same keys",
        .risk,
        .signIn,
        Citation(.experience, "", "servers of one provider answered with different key sets"),
        why: "After a change of keys one server still has the old ones: signatures fail for some, now and then.",
        reads: Refetched.keysElsewhere,
        excusedBy: ["keys.response.is-the-same-again", "transport.answers.are-no-server-errors"]
    ) { elsewhere, _ in
        guard let other = elsewhere.other else { return [AddressRule.noDocument(elsewhere, "the key set")] }
        return Differences.between(elsewhere.first, other, "at this address")
    }

    static let all: [Check] = [agentsAreAlike, addressesAgree]
}
