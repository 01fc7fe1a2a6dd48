package import Conformance
package import Profiles

/// Several targets in one file; each overrides common values.
extension ConfigurationReader {
    /// A configuration for each target, or one for a file without targets.
    ///
    /// Only the selected targets are read; the variables of others need not be set.
    /// - Parameters:
    ///   - bytes: The file, in UTF-8.
    ///   - file: Its name, for messages.
    ///   - targets: The names of the selected targets; empty for all.
    ///   - issuer: The issuer from the command line, which overrides the file's.
    ///   - profile: The profile from the command line, which overrides the file's.
    ///   - checks: The identifiers of all checks, for waivers.
    package func readAll(
        _ bytes: some Collection<UInt8>,
        file: String,
        targets names: [String] = [],
        issuer: String? = nil,
        profile: String? = nil,
        checks: [CheckID]
    ) throws(ConfigurationError) -> [Configuration] {
        let document = try StrictYAML.document(bytes, file: file, hasVariables: true)
        let parts = try document.parts(under: Keys.targets.name, noun: "target") {
            Keys.isSecret($0[...], in: Keys.all)
        }
        guard let parts else {
            guard names.isEmpty else {
                throw ConfigurationError(
                    file: "--target",
                    "\(file) has no targets: omit the option, or add  targets: { … }"
                )
            }
            return [try configuration(document, issuer, profile, checks)]
        }
        let chosen = try Self.chosen(names, of: parts, file: file)
        guard issuer == nil || chosen.count == 1 else {
            throw ConfigurationError(
                file: Tool.name,
                "an issuer on the command line applies to one target: select it with --target (\(file) has "
                    + "\(chosen.map(\.name).joined(separator: ", ")))"
            )
        }
        guard chosen.count <= Self.mostTargets else {
            throw ConfigurationError(
                file: file,
                "the file has \(chosen.count) targets, and a run accepts at most \(Self.mostTargets): "
                    + "select some with --target, or list the issuers for  \(Tool.name) fleet"
            )
        }
        var configurations: [Configuration] = []
        var failures: [(target: String, problems: [Problem])] = []
        for part in chosen {
            do {
                var one = try configuration(part.document, issuer, profile, checks)
                one.name = part.name
                configurations.append(one)
            } catch {
                failures.append((part.name, error.problems))
            }
        }
        if !failures.isEmpty { throw Self.joined(failures, of: chosen.count) }
        return configurations
    }

    /// A run keeps the configuration of each target, about 20 KB, but no report.
    package static let mostTargets = 5_000

    private static func chosen(
        _ names: [String],
        of parts: [StrictYAML.Document.Part],
        file: String
    ) throws(ConfigurationError) -> [StrictYAML.Document.Part] {
        if names.isEmpty { return parts }
        let known = parts.map(\.name)
        let unknown = names.filter { !known.contains($0) }
        guard unknown.isEmpty else {
            throw ConfigurationError(
                unknown.map { name in
                    let hint = NearestWord.hint(for: name, among: known)
                    return Problem(file: "--target", message: "\(file) has no target “\(name)”\(hint)")
                }
            )
        }
        return parts.filter { names.contains($0.name) }
    }

    /// The problems of the targets, without duplicates, with the targets that have them unless all do.
    private static func joined(_ failures: [(target: String, problems: [Problem])], of count: Int) -> ConfigurationError
    {
        var reported: [(problem: Problem, targets: [String])] = []
        for (target, problems) in failures {
            for problem in problems {
                if let place = reported.firstIndex(where: { $0.problem == problem }) {
                    reported[place].targets.append(target)
                } else {
                    reported.append((problem, [target]))
                }
            }
        }
        let problems = reported.map { problem, targets in
            var problem = problem
            if targets.count < count { problem.message += " (target \(targets.joined(separator: ", ")))" }
            return problem
        }
        return ConfigurationError(problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) })
    }

    package static func severalTargets(_ names: [String], file: String) -> ConfigurationError {
        ConfigurationError(
            file: "--target",
            "\(file) has \(names.count) targets: select one of \(names.joined(separator: ", "))"
        )
    }
}
