import Conformance
import JSONTree

extension JSONDocument {
    /// A finding for every member that appears more than once.
    var repetitions: [Finding] {
        duplicates.map { place in
            Finding(
                "\(place.description.quoted) appears more than once",
                at: place.description.shown(),
                expected: "each name once",
                found: "a repetition",
                fix: "Remove all but one of the members \(place.tokens.last?.quoted ?? "")."
            )
        }
    }
}
