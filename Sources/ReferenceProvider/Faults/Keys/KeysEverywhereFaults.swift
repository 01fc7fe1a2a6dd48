import Conformance
import JSONTree

extension Fault {
    /// Faults of the key set for some user agents, or at one of several addresses.
    static let keysEverywhere: [Fault] = [
        .wall(of: .keys, "keys.agents.are-treated-alike", "requests for the key set without User-Agent get status 403"),
        .challenge(
            of: .keys,
            "keys.agents.are-treated-alike",
            "browsers that request the key set get a challenge page"
        ),
        .headless(of: .keys, "keys.head.is-answered", "a HEAD request for the key set gets status 405"),
        .elsewhere(of: .keys, "keys.addresses.serve-the-same-keys", "the second address serves an additional key") {
            answer in
            let own = JSON.object(KeySample.ec).serialized()
            answer.text = answer.text.replacing("\"keys\":[", with: "\"keys\":[\(own),")
        },
        .elsewhere(
            of: .keys,
            "keys.addresses.serve-the-same-keys",
            variant: "status",
            "the second address has no key set"
        ) { answer in
            answer.status = 404
        },
    ]
}
