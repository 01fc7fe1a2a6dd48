import Catalogue
import Conformance
import Profiles
import ReferenceProvider

/// The number of errors that each fault of the reference provider causes, in the profile of its persona.
///
/// The fault matrix verifies the failed checks of each fault, so no provider is needed to count them.
enum FaultErrors {
    struct Count: Sendable, CustomStringConvertible {
        let fault: String
        /// The checks that fail as errors, the fault's own first.
        let errors: [CheckID]
        /// Those of them that list the fault's own check in `supersededBy`, although both are errors.
        let superseded: [CheckID]

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
                superseded: errors.filter { id in
                    id != fault.trips && errors.contains(fault.trips)
                        && checks[id]?.supersededBy.contains(fault.trips) == true
                }
            )
        }
    }

    /// The smallest number that the given percentage of faults does not exceed.
    static func percentile(_ share: Int, of counts: [Count]) -> Int {
        let sorted = counts.map(\.errors.count).sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, (sorted.count * share + 99) / 100 - 1)]
    }

    /// A table of faults by number of errors, with an introduction.
    static func page(_ counts: [Count]) -> [String] {
        let numbers = Dictionary(grouping: counts, by: \.errors.count).mapValues(\.count)
        var lines = [
            "## Errors per fault", "",
            "A fault of the reference provider is one mistake. The table counts the errors that it causes in the profile of its persona,",
            "and none if the mistake is a warning or a notice. Nine of ten faults cause at most \(percentile(90, of: counts)).",
            "",
            "| errors | faults |", "| ---: | ---: |",
        ]
        lines += numbers.keys.sorted().map { "| \($0) | \(numbers[$0] ?? 0) |" }
        return lines
    }
}
