import Conformance
import JSONTree

extension Fault {
    /// Faults of the key set for some agents, and at one of several addresses.
    static let keysEverywhere: [Fault] = [
        .wall(of: .keys, "keys.agents.are-treated-alike", "who has no name is kept out"),
        .challenge(of: .keys, "keys.agents.are-treated-alike", "browsers are given a riddle"),
        .elsewhere(of: .keys, "keys.addresses.serve-the-same-keys", "the second server has a key of its own") {
            answer in
            let own = JSON.object(KeySample.ec).serialized()
            answer.text = answer.text.replacing("\"keys\":[", with: "\"keys\":[\(own),")
        },
        .elsewhere(
            of: .keys,
            "keys.addresses.serve-the-same-keys",
            variant: "status",
            "the second server has no keys"
        ) { answer in
            answer.status = 404
        },
    ]
}
