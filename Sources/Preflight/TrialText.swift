internal import Conformance

extension Trial {
    /// A line for each step, and for the one that failed what was seen and what to do.
    package var text: String {
        let width = (rungs.map(\.name.count).max() ?? 0) + 2
        var lines = rungs.flatMap { rung -> [String] in
            let name = "  " + rung.name + String(repeating: " ", count: width - rung.name.count)
            switch rung.state {
            case .holds(let what): return [name + "ok         " + what]
            case .notTried(let why): return [name + "not tried  " + why]
            case .broken(let cause):
                return [name + "FAILED     " + cause.message.shown(limit: 500)]
                    + (cause.words.map { ["    it says  " + $0.quoted] } ?? [])
                    + ["    do       " + cause.advice.shown(limit: 500)]
                    + (cause.places.isEmpty ? [] : ["    see      " + cause.places.joined(separator: ", ")])
                    + ["    fault    " + Self.fault(cause)]
                    + (cause.isRefusedPassword
                        ? [] : cause.pages.map { "    page \($0.number)   \($0.sentence)" })
            case .wrong(let findings):
                let told = findings.prefix(3)
                    .flatMap { ["    " + $0.message.shown(limit: 500), "    do       " + $0.fix.shown(limit: 500)] }
                let more = findings.count > 3 ? ["    and \(counted(findings.count - 3, "finding")) more"] : []
                return [name + "WRONG      " + counted(findings.count, "finding")] + told + more
                    + ["    fault    the provider's"]
            }
        }
        lines += ["", summary]
        return lines.joined(separator: "\n")
    }

    private static func fault(_ cause: Cause) -> String {
        cause.mayBeOurs ? "most often the configuration's; it may be the provider's" : "the provider's"
    }

    private var summary: String {
        let isTried = rungs.contains { rung in
            if case .holds = rung.state { rung.name == Cause.Rung.signIn.rawValue } else { false }
        }
        switch exitCode {
        case 0 where isTried: return "An ordinary sign-in works. Next: oidc-preflight check"
        case 0: return "Everything that could be tried works; nobody signed in."
        case 1: return "An ordinary sign-in fails, and the fault is the provider's."
        default: return "Correct the first step that failed: the steps after it need it."
        }
    }
}
