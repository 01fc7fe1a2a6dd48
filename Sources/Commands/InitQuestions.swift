internal import CommandTable
internal import Conformance
internal import Console
internal import Preflight
internal import Profiles

/// The prompts of `init` at a terminal, each with its reason and its default.
struct InitQuestions {
    private let width = min(Terminal.width(Terminal.output), 80)

    func begin() {
        show(
            "Press Return to accept the value in brackets. Ctrl-C cancels; nothing is written before the last question."
        )
    }

    func issuer() throws -> String {
        try ask("Issuer", because: "The provider's issuer, exactly as you will register it.") {
            Configuration.problem(ofIssuer: $0)
        }
    }

    /// A built-in name, its number, or a file.
    func profile() throws -> String {
        let known = ProfileLibrary.builtIn.map(\.name)
        show("")
        show(
            "Where will you register the provider? Each platform adds rules of its own; openid checks only the standard."
        )
        for (index, name) in known.enumerated() {
            Terminal.print("\(index < 9 ? " " : "")\(index + 1)  \(name)")
        }
        let named = { (answer: String) -> String in
            guard let number = Int(answer), known.indices.contains(number - 1) else { return answer }
            return known[number - 1]
        }
        let answer = try ask("Platform", fallback: ProfileLibrary.defaultName) {
            ProfileLibrary.problem(ofName: named($0))
        }
        return named(answer)
    }

    /// Offers the issuer that the document states; the default is to accept one on the same host.
    func takes(otherIssuer other: String, than issuer: String) throws -> Bool {
        guard Configuration.problem(ofIssuer: other) == nil else { return false }
        show("")
        return try confirm(
            "Use \(other.shown(limit: 200))?",
            because:
                "You entered \(issuer.shown(limit: 200)); the document states this one. Clients compare the two exactly.",
            fallback: Target.authority(of: other) == Target.authority(of: issuer)
        )
    }

    /// Prompts for the values of the registered client.
    func answers(_ proposals: TemplateProposals) throws -> TemplateAnswers {
        show(proposals)
        var answers = TemplateAnswers()
        if proposals.needsResource {
            answers.resource = try askOrLeave(
                "Resource",
                because: "The URL of the protected resource, such as an MCP server, for which the host requests tokens."
            )
        }
        answers.clientID = try askOrLeave(
            "Client ID",
            because: "The client ID registered at the provider.",
            fallback: proposals.clientID
        )
        answers.hasSecret = try proposals.hasSecret.map { fallback in
            try confirm(
                "Does it have a secret?",
                because: "A confidential client authenticates with a secret; a public client has none.",
                fallback: fallback
            )
        }
        if answers.hasSecret ?? proposals.takesSecret {
            answers.secretVariable = try variable(
                "Variable for the client secret",
                because: "The secret itself is never stored: the file names an environment variable.",
                fallback: "OIDC_CLIENT_SECRET"
            )
        }
        // The platform only reads documents and verifies tokens; it starts no sign-in.
        guard proposals.signsIn else { return answers }
        // A proposal with placeholders is not a valid URI.
        let isWhole = proposals.redirectURI.map { $0.wholeMatch(of: /[^A-Z]*/) != nil } ?? false
        let form = isWhole ? "" : proposals.redirectURI.map { ", in the form \($0)" } ?? ""
        answers.redirectURI = try askOrLeave(
            "Redirect URI",
            because: "Exactly as it is registered at the provider\(form). It is never fetched.",
            fallback: isWhole ? proposals.redirectURI : nil,
            problem: Configuration.problem(ofRedirectURI:)
        )
        answers.username = try askOrLeave(
            "Test user",
            because: "The name of a test user. A run signs in with it and checks the tokens and all further responses.",
            leaving: "no sign-in"
        )
        answers.leavesOutUser = answers.username == nil
        if answers.username != nil {
            answers.passwordVariable = try variable(
                "Variable for the password",
                because: "The password is not stored either.",
                fallback: "OIDC_PASSWORD"
            )
        }
        return answers
    }

    func confirm(_ question: String, because reason: String, fallback: Bool) throws -> Bool {
        let words = ["y": true, "yes": true, "n": false, "no": false]
        let answer = try ask(question, because: reason, fallback: fallback ? "Y/n" : "y/N", takes: fallback ? "y" : "n")
        {
            words[$0.lowercased()] == nil ? "answer y or n" : nil
        }
        return words[answer.lowercased()] ?? fallback
    }

    // MARK: One question

    private func show(_ proposals: TemplateProposals) {
        let offers = [("flows", proposals.offeredFlows), ("client authentication", proposals.offeredMethods)]
            .filter { !$0.1.isEmpty }
            .map { "\($0.0) \($0.1.joined(separator: ", ").shown(limit: 200))" }
        guard !offers.isEmpty else { return }
        show("")
        show("The discovery document offers \(offers.joined(separator: "; ")).")
    }

    private func variable(_ question: String, because reason: String, fallback: String) throws -> String {
        try ask(question, because: reason, fallback: fallback) { name in
            VariableName.problem(in: name, isSet: Terminal.environment(name) != nil, suggested: fallback)
        }
    }

    /// A value that may be filled in later.
    private func askOrLeave(
        _ question: String,
        because reason: String,
        fallback: String? = nil,
        leaving: String = "fill in later",
        problem: (String) -> String? = { _ in nil }
    ) throws -> String? {
        let answer = try ask(question, because: reason, fallback: fallback ?? leaving, takes: fallback ?? "", problem)
        return answer.isEmpty ? nil : answer
    }

    /// Asks until the answer is valid.
    ///
    /// - Parameters:
    ///   - fallback: The default that is shown; `nil` if a value is required.
    ///   - takes: The value of Return, if it differs from the default that is shown.
    ///   - problem: Why an answer is invalid.
    private func ask(
        _ question: String,
        because reason: String? = nil,
        fallback: String? = nil,
        takes: String? = nil,
        _ problem: (String) -> String?
    ) throws -> String {
        if let reason {
            show("")
            show(reason)
        }
        while true {
            Terminal.prompt("\(question)\(fallback.map { " [\($0)]" } ?? ""): ")
            guard let line = Terminal.line() else {
                Terminal.complain("\nEnd of input: nothing was written.")
                throw ExitCodes.interrupted
            }
            let typed = line.trimmingASCIISpace
            if typed.isEmpty, let answer = takes ?? fallback { return answer }
            if typed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
                show("the answer contains control characters")
            } else if let why = typed.isEmpty ? "a value is required" : problem(typed) {
                show(why)
            } else {
                return typed
            }
        }
    }

    private func show(_ text: String) {
        for line in text.wrapped(to: width) { Terminal.print(line) }
    }
}
