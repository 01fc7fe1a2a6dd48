/// A command of the program as one value: reading, help, messages, completions and manual pages derive from it.
package struct Command: Sendable {
    package let name: String
    /// Its purpose, in one sentence.
    package let summary: String
    /// Further paragraphs.
    package let text: [String]
    let examples: [Example]
    /// Options and operands in the order of help.
    package let arguments: [Declaration]
    /// Further sections of help.
    let sections: [Section]
    package let subcommands: [Command]
    /// The default subcommand.
    let fallback: String?
    /// Works, but is not listed.
    package let isHidden: Bool
    /// Removed options, each with the replacement as the end of a sentence.
    let withdrawn: [String: String]
    /// Options and commands of other tools, each with the counterpart here as a clause; they apply to subcommands as well.
    let hints: [String: String]
    /// Conflicts between arguments that are valid one by one: a sentence each.
    let objections: @Sendable (Invocation) -> [String]
    /// `nil` if a subcommand is required.
    package let run: (@Sendable (Invocation) async throws -> Void)?

    package init(
        _ name: String,
        _ summary: String,
        text: [String] = [],
        examples: [Example],
        arguments: [any Declared] = [],
        sections: [Section] = [],
        subcommands: [Command] = [],
        fallback: String? = nil,
        isHidden: Bool = false,
        withdrawn: [String: String] = [:],
        hints: [String: String] = [:],
        objections: @escaping @Sendable (Invocation) -> [String] = { _ in [] },
        run: (@Sendable (Invocation) async throws -> Void)? = nil
    ) {
        self.name = name
        self.summary = summary
        self.text = text
        self.examples = examples
        self.arguments = arguments.map(\.declaration)
        self.sections = sections
        self.subcommands = subcommands
        self.fallback = fallback
        self.isHidden = isHidden
        self.withdrawn = withdrawn
        self.hints = hints
        self.objections = objections
        self.run = run
    }

    /// A command line, and what it does.
    package struct Example: Sendable {
        let line: String
        let comment: String

        package init(_ line: String, _ comment: String = "") {
            self.line = line
            self.comment = comment
        }
    }

    /// Paragraphs, then terms with their meaning.
    package struct Section: Sendable {
        package let title: String
        let paragraphs: [String]
        var terms: [(term: String, meaning: String)]

        package init(_ title: String, _ paragraphs: [String] = [], terms: [(term: String, meaning: String)] = []) {
            self.title = title
            self.paragraphs = paragraphs
            self.terms = terms
        }
    }
}

extension Command {
    /// Options of every command.
    static let help: Argument<Bool> = .flag("--help", "-h", group: "GENERAL", "Print this help.")
        .onCommandLineAlone
    static let version: Argument<Bool> = .flag("--version", group: "GENERAL", "Print the version.").onCommandLineAlone
    static let general = [help.declaration, version.declaration]

    var options: [Declaration] { arguments.filter { $0.form != .operand } }
    var operands: [Declaration] { arguments.filter { $0.form == .operand } }

    /// The default subcommand.
    var fallbackCommand: Command? { subcommands.first { $0.name == fallback } }

    /// The option with that name, of this command or of every command.
    func option(_ name: String) -> Declaration? {
        (options + Self.general).first { $0.names.contains(name) }
    }

    /// The command and all its subcommands, each with its path.
    package func everyCommand(under path: [String] = []) -> [(path: [String], command: Command)] {
        let path = path + [name]
        return [(path, self)] + subcommands.flatMap { $0.everyCommand(under: path) }
    }
}

/// The valid arguments of one command.
package struct Invocation: Sendable {
    let words: [String: [String]]
    /// The environment variables that supplied arguments, by the arguments' names.
    package let variables: [String: String]

    /// The value of an argument that the command declares.
    package subscript<Value>(argument: Argument<Value>) -> Value {
        guard let given = words[argument.declaration.name], case .success(let value) = argument.read(given) else {
            // Every invalid word was rejected before, so this is a command that does not declare the argument.
            // It fails at its first run.
            preconditionFailure("a command reads \(argument.declaration.name), which it does not declare")
        }
        return value
    }

    /// The value of an argument; `nil` if the command does not declare it.
    package func value<Value>(ifDeclared argument: Argument<Value>) -> Value? {
        words[argument.declaration.name] == nil ? nil : self[argument]
    }
}
