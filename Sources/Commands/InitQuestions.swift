internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// What `init` asks where somebody sits at a terminal: each question with its reason, and with what Return takes.
struct InitQuestions {
    private let width = min(Terminal.width(Terminal.output), 80)

    func begin() {
        say("Return takes what stands in brackets. Ctrl-C ends; nothing is written before the last question.")
    }

    func issuer() throws -> String {
        try ask("Issuer", because: "The provider's issuer, exactly as it is to be registered.") {
            Configuration.problem(ofIssuer: $0)
        }
    }

    /// A built-in name, by its number as well, or a file.
    func profile() throws -> String {
        let known = ProfileLibrary.builtIn.map(\.name)
        say("")
        say(
            "Where is the provider to be registered? Each platform has rules of its own; openid has none but the standard's."
        )
        for (index, name) in known.enumerated() {
            Terminal.print("\(index < 9 ? " " : "")\(index + 1)  \(name)")
        }
        let named = { (answer: String) -> String in
            guard let number = Int(answer), known.indices.contains(number - 1) else { return answer }
            return known[number - 1]
        }
        let answer = try ask("Platform", standing: ProfileLibrary.defaultName) {
            ProfileLibrary.problem(ofName: named($0))
        }
        return named(answer)
    }

    /// What only the user knows of a client that the provider knows.
    func answers(_ proposals: TemplateProposals) throws -> TemplateAnswers {
        tell(proposals)
        var answers = TemplateAnswers()
        answers.clientID = try askOrLeave(
            "Client ID",
            because: "The client as it is registered at the provider.",
            standing: proposals.clientID
        )
        answers.hasSecret = try proposals.hasSecret.map { standing in
            try confirm(
                "Has it a secret?",
                because: "A confidential client proves itself with one; a public client has none.",
                standing: standing
            )
        }
        if answers.hasSecret ?? proposals.takesSecret {
            answers.secretVariable = try variable(
                "Variable of its secret",
                because: "The secret itself is never written down: the file names a variable of the environment.",
                standing: "OIDC_CLIENT_SECRET"
            )
        }
        // The platform reads documents and verifies tokens: it sends nobody to sign in.
        guard proposals.signsIn else { return answers }
        // Without what only the user knows it would be no address.
        let isWhole = proposals.redirectURI.map { $0.wholeMatch(of: /[^A-Z]*/) != nil } ?? false
        let form = isWhole ? "" : proposals.redirectURI.map { ", in the form \($0)" } ?? ""
        answers.redirectURI = try askOrLeave(
            "Redirect URI",
            because: "Exactly as it is registered at the provider\(form). It is never fetched.",
            standing: isWhole ? proposals.redirectURI : nil
        )
        answers.username = try askOrLeave(
            "Test user",
            because: "With the name of a test user a run signs in, and judges all that comes of it.",
            leaving: "nobody signs in"
        )
        answers.leavesOutUser = answers.username == nil
        if answers.username != nil {
            answers.passwordVariable = try variable(
                "Variable of the password",
                because: "The password is not written down either.",
                standing: "OIDC_PASSWORD"
            )
        }
        return answers
    }

    func confirm(_ question: String, because reason: String, standing: Bool) throws -> Bool {
        let words = ["y": true, "yes": true, "n": false, "no": false]
        let answer = try ask(question, because: reason, standing: standing ? "Y/n" : "y/N", takes: standing ? "y" : "n")
        {
            words[$0.lowercased()] == nil ? "answer y or n" : nil
        }
        return words[answer.lowercased()] ?? standing
    }

    // MARK: One question

    private func tell(_ proposals: TemplateProposals) {
        let offers = [("flows", proposals.offeredFlows), ("client authentication", proposals.offeredMethods)]
            .filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.joined(separator: ", ").shown(limit: 200))" }
        guard !offers.isEmpty else { return }
        say("")
        say("The discovery document offers \(offers.joined(separator: "; ")).")
    }

    private func variable(_ question: String, because reason: String, standing: String) throws -> String {
        try ask(question, because: reason, standing: standing) { name in
            name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil
                ? "a variable has letters, digits and underscores, no digit first; the secret itself is not asked for"
                : nil
        }
    }

    /// What may be left to be filled in.
    private func askOrLeave(
        _ question: String,
        because reason: String,
        standing: String? = nil,
        leaving: String = "fill in later"
    ) throws -> String? {
        let answer = try ask(question, because: reason, standing: standing ?? leaving, takes: standing ?? "") { _ in nil
        }
        return answer.isEmpty ? nil : answer
    }

    /// Asks until the answer will do.
    ///
    /// - Parameters:
    ///   - standing: What is shown for Return; `nil` where something must be entered.
    ///   - takes: What Return takes, where that is something else.
    ///   - problem: Why an answer will not do.
    private func ask(
        _ question: String,
        because reason: String? = nil,
        standing: String? = nil,
        takes: String? = nil,
        _ problem: (String) -> String?
    ) throws -> String {
        if let reason {
            say("")
            say(reason)
        }
        while true {
            Terminal.prompt("\(question)\(standing.map { " [\($0)]" } ?? ""): ")
            guard let line = Terminal.line() else {
                Terminal.complain("\nThe input has ended: nothing was written.")
                throw Ending.interrupted
            }
            let typed = line.trimmingASCIISpace
            if typed.isEmpty, let answer = takes ?? standing { return answer }
            if typed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                say("that holds characters that cannot be seen")
            } else if let why = typed.isEmpty ? "an answer is needed here" : problem(typed) {
                say(why)
            } else {
                return typed
            }
        }
    }

    private func say(_ text: String) {
        for line in text.wrapped(to: width) { Terminal.print(line) }
    }
}
