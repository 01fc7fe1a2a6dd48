/// A command of the program as one value: reading, help, messages, completions and manual pages derive from it.
package struct Command: Sendable {
    package let name: String
    /// What it does, in one sentence.
    package let summary: String
    /// Paragraphs; what the summary has no room for.
    package let text: [String]
    package let examples: [Example]
    /// Options and operands in the order of help.
    package let arguments: [Declaration]
    /// What else help tells, under headings of its own.
    package let sections: [Section]
    package let subcommands: [Command]
    /// The subcommand that is meant where none is named.
    package let standing: String?
    /// Works, and is told nowhere.
    package let isHidden: Bool
    /// Options that an earlier version took, each with the end of the sentence that says what to write now.
    let withdrawn: [String: String]
    /// What is wrong with arguments that are right one by one: a sentence each.
    let objections: @Sendable (Invocation) -> [String]
    /// `nil` where one of the subcommands must be named.
    package let run: (@Sendable (Invocation) async throws -> Void)?

    package init(
        _ name: String,
        _ summary: String,
        text: [String] = [],
        examples: [Example],
        arguments: [any Declared] = [],
        sections: [Section] = [],
        subcommands: [Command] = [],
        standing: String? = nil,
        isHidden: Bool = false,
        withdrawn: [String: String] = [:],
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
        self.standing = standing
        self.isHidden = isHidden
        self.withdrawn = withdrawn
        self.objections = objections
        self.run = run
    }

    /// A command line, and what comes of it.
    package struct Example: Sendable {
        package let line: String
        package let remark: String

        package init(_ line: String, _ remark: String = "") {
            self.line = line
            self.remark = remark
        }
    }

    /// Paragraphs, then terms with their meaning.
    package struct Section: Sendable {
        package let title: String
        package let paragraphs: [String]
        package internal(set) var terms: [(term: String, meaning: String)]

        package init(_ title: String, _ paragraphs: [String] = [], terms: [(term: String, meaning: String)] = []) {
            self.title = title
            self.paragraphs = paragraphs
            self.terms = terms
        }
    }
}

extension Command {
    /// What every command takes.
    static let help: Argument<Bool> = .flag("--help", "-h", group: "GENERAL", "Print this help.")
        .onCommandLineAlone
    static let version: Argument<Bool> = .flag("--version", group: "GENERAL", "Print the version.").onCommandLineAlone
    static let general = [help.declaration, version.declaration]

    var options: [Declaration] { arguments.filter { $0.form != .operand } }
    var operands: [Declaration] { arguments.filter { $0.form == .operand } }

    /// The subcommand that is meant where none is named.
    var standingCommand: Command? { subcommands.first { $0.name == standing } }

    /// The option of that name, here or for every command.
    func option(_ name: String) -> Declaration? {
        (options + Self.general).first { $0.names.contains(name) }
    }

    /// The command and all below it, each with the names that lead to it.
    package func everyCommand(under path: [String] = []) -> [(path: [String], command: Command)] {
        let path = path + [name]
        return [(path, self)] + subcommands.flatMap { $0.everyCommand(under: path) }
    }
}

/// What was typed for one command, and is right.
package struct Invocation: Sendable {
    let words: [String: [String]]
    /// The variables that arguments come from, by the arguments' names.
    package let variables: [String: String]

    /// The value of an argument; a command may ask only for what it declares.
    package subscript<Value>(argument: Argument<Value>) -> Value {
        guard let given = words[argument.declaration.name], case .success(let value) = argument.read(given) else {
            // Reading has refused every word that has no value, so that only a command that does not declare the
            // argument comes here, and it does so at its first run.
            preconditionFailure("a command asks for \(argument.declaration.name), which it does not declare")
        }
        return value
    }
}
