import Catalogue
import Conformance
import Profiles
import ReferenceProvider

/// How many errors each fault of the reference provider leads to, in the profile of its persona.
///
/// The matrix shows that a fault trips what it names and nothing else, so that this can be counted without a provider.
enum FaultErrors {
    struct Count: Sendable, CustomStringConvertible {
        let fault: String
        /// The checks that fail as errors, the fault's own first.
        let errors: [CheckID]
        /// Those of them that name the fault's own check among what excuses them, although it weighs as much.
        let excused: [CheckID]

        var description: String { "\(fault): \(errors.map(\.rawValue).joined(separator: ", "))" }
    }

    static func all() throws -> [Count] {
        let library = ProfileLibrary { path throws(ConfigurationError) in
            throw ConfigurationError(file: path, "no such file")
        }
        let checks = Dictionary(uniqueKeysWithValues: Catalogue.all.map { ($0.id, $0) })
        var profiles: [String: Profile] = [:]
        return try Fault.all.map { fault in
            let name = fault.persona.profile
            let profile = try profiles[name] ?? library.profile(name)
            profiles[name] = profile
            let errors = ([fault.trips] + fault.also)
                .filter { id in
                    checks[id].map { profile.weight(of: $0).level == .error } ?? false
                }
            return Count(
                fault: fault.id,
                errors: errors,
                excused: errors.filter { id in
                    id != fault.trips && errors.contains(fault.trips)
                        && checks[id]?.excusedBy.contains(fault.trips) == true
                }
            )
        }
    }

    /// The number that so many of a hundred do not exceed.
    static func percentile(_ share: Int, of counts: [Count]) -> Int {
        let sorted = counts.map(\.errors.count).sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, (sorted.count * share + 99) / 100 - 1)]
    }

    /// A row for each number of errors, and the sentence about them.
    static func page(_ counts: [Count]) -> [String] {
        let numbers = Dictionary(grouping: counts, by: \.errors.count).mapValues(\.count)
        var lines = [
            "## How many errors a fault leads to", "",
            "A fault of the reference provider is one mistake. So many errors does it lead to, in the profile of the persona that has",
            "it; none where the mistake is a warning or a notice. At most \(percentile(90, of: counts)) in nine of ten.",
            "",
            "| errors | faults |", "| ---: | ---: |",
        ]
        lines += numbers.keys.sorted().map { "| \($0) | \(numbers[$0] ?? 0) |" }
        return lines
    }
}
