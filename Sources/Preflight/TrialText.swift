internal import Conformance

extension Trial {
    /// A line for each rung, and for the one that broke what was seen and what to do.
    package var text: String {
        let width = (rungs.map(\.name.count).max() ?? 0) + 2
        var lines = rungs.flatMap { rung -> [String] in
            let name = "  " + rung.name + String(repeating: " ", count: width - rung.name.count)
            switch rung.state {
            case .holds(let what): return [name + "ok         " + what]
            case .notTried(let why): return [name + "not tried  " + why]
            case .broken(let cause):
                return [name + "BROKEN     " + cause.message.shown(limit: 500)]
                    + (cause.words.map { ["    it says  " + $0.quoted] } ?? [])
                    + ["    do       " + cause.advice.shown(limit: 500)]
                    + (cause.places.isEmpty ? [] : ["    see      " + cause.places.joined(separator: ", ")])
                    + ["    whose    " + Self.whose(cause)]
            case .wrong(let findings):
                let told = findings.prefix(3)
                    .flatMap { ["    " + $0.message.shown(limit: 500), "    do       " + $0.fix.shown(limit: 500)] }
                let more = findings.count > 3 ? ["    and \(counted(findings.count - 3, "finding")) more"] : []
                return [name + "WRONG      " + counted(findings.count, "finding")] + told + more
                    + ["    whose    the provider's"]
            }
        }
        lines += ["", summary]
        return lines.joined(separator: "\n")
    }

    private static func whose(_ cause: Cause) -> String {
        cause.mayBeOurs ? "the configuration's, most often; it may be the provider's" : "the provider's"
    }

    private var summary: String {
        let isTried = rungs.contains { rung in
            if case .holds = rung.state { rung.name == Cause.Rung.signIn.rawValue } else { false }
        }
        switch exitCode {
        case 0 where isTried: return "A sign-in gets through. Now: oidc-preflight check"
        case 0: return "All that could be tried holds; nobody signed in."
        case 1: return "The provider does not let a sign-in through."
        default: return "The first rung that broke is to be mended first: all else stands on it."
        }
    }
}
