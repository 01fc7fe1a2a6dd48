import Conformance
import JSONTree

/// In what two answers that should be the same differ.
enum Differences {
    /// A finding for each member of the discovery document that is not the same in both.
    ///
    /// - Parameters:
    ///   - first: The document as it was first given.
    ///   - second: The document as it was given otherwise.
    ///   - change: How the message goes on after the member's name.
    static func between(_ first: Metadata, _ second: Metadata, _ change: String) -> [Finding] {
        let names = first.object.names + second.object.names.filter { !first.object.has($0) }
        return names.filter { first[$0] != second[$0] }
            .map { name in
                Finding(
                    "\(name.quoted) \(change)",
                    at: JSONPointer(tokens: [name]).description.shown(),
                    expected: first[name].map { $0.serialized().shown() } ?? "no such member",
                    found: second[name].map { $0.serialized().shown() } ?? "no such member",
                    fix: "Let all servers of the provider publish the same \(name.quoted).",
                    exchange: second.exchange
                )
            }
    }

    /// A finding when the two sets do not hold the same keys, in whatever order.
    ///
    /// - Parameters:
    ///   - first: The set as it was first given.
    ///   - second: The set as it was given otherwise.
    ///   - place: How the message begins.
    static func between(_ first: KeySet, _ second: KeySet, _ place: String) -> [Finding] {
        let (before, after) = (Set(first.elements), Set(second.elements))
        let lost = first.elements.filter { !after.contains($0) }
        let gained = second.elements.filter { !before.contains($0) }
        guard !lost.isEmpty || !gained.isEmpty else { return [] }
        return [
            Finding(
                "\(place) \(lost.count) keys went and \(gained.count) came",
                at: "/keys",
                expected: first.keys.map { $0.kid ?? "no kid" }.written,
                found: second.keys.map { $0.kid ?? "no kid" }.written,
                fix: "Let all servers of the provider publish the same keys, from one store.",
                exchange: second.exchange
            )
        ]
    }
}
