internal import Conformance

extension Trial {
    /// A line for each step, and details and fix for a failed one.
    ///
    /// - Parameters:
    ///   - options: The options of `check` for the same configuration; `nil` if they cannot be typed.
    ///   - again: The command that signs in with the same configuration, or that creates one.
    package func text(suggesting options: String?, signingIn again: String = "oidc-preflight try") -> String {
        let width = (signInSteps.map(\.name.count).max() ?? 0) + 2
        var lines = signInSteps.flatMap { signInStep -> [String] in
            let name = "  " + signInStep.name + String(repeating: " ", count: width - signInStep.name.count)
            switch signInStep.state {
            case .ok(let what): return [name + "ok         " + what]
            case .notTried(let why): return [name + "skipped    " + why]
            case .broken(let cause):
                return [name + "FAILED     " + cause.message.shown(limit: 500)]
                    + (cause.words.map { ["    message  " + $0.quoted] } ?? [])
                    + ["    action   " + cause.advice.shown(limit: 500)]
                    + (cause.places.isEmpty ? [] : ["    see      " + cause.places.joined(separator: ", ")])
                    + ["    cause    " + Self.fault(cause)]
                    + (cause.isRefusedPassword
                        ? [] : cause.pages.map { "    page \($0.number)   \($0.sentence)" })
            case .wrong(let findings):
                let reported = findings.prefix(3)
                    .flatMap { ["    " + $0.message.shown(limit: 500), "    action   " + $0.fix.shown(limit: 500)] }
                let more = findings.count > 3 ? ["    and \(counted(findings.count - 3, "finding")) more"] : []
                return [name + "FAILED     " + counted(findings.count, "finding")] + reported + more
                    + ["    cause    provider"]
            }
        }
        lines += ["", summary(options, again)]
        return lines.joined(separator: "\n")
    }

    private static func fault(_ cause: Cause) -> String {
        if !cause.mayBeConfiguration { return "provider" }
        return cause.isUnanswered ? "the network or the provider" : "probably the configuration; possibly the provider"
    }

    private func summary(_ options: String?, _ again: String) -> String {
        let signIn = signInSteps.first { $0.name == Cause.SignInStep.signIn.rawValue }
        var isTried = false
        if case .ok? = signIn?.state { isTried = true }
        let words = ["oidc-preflight check", options ?? ""].filter { !$0.isEmpty }
        let check = "Next, run: \(words.joined(separator: " "))"
        switch exitCode {
        case 0 where isTried: return "An ordinary sign-in works. \(check)"
        case 0:
            var reason = ""
            if case .notTried(let why)? = signIn?.state { reason = ", because \(why)" }
            let isComplete = lacking.isEmpty || again.contains(" init ")
            let next = isComplete ? "Next, run" : "Add \(lacking.joined(separator: ", ")), and run"
            return "All executed steps succeeded; no sign-in took place\(reason). \(next): \(again)"
        case 1 where signInSteps.contains(where: \.isBroken):
            return "An ordinary sign-in fails because of the provider. \(check)"
        case 1 where isTried: return "The sign-in completed, but clients may reject it: see the failed steps. \(check)"
        case 1: return "No sign-in took place, and clients may reject one: see the failed steps. \(check)"
        default: return "Fix the failed step, and run \(again)."
        }
    }
}
