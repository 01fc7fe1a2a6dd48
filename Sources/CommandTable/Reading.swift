/// The meaning of a command line.
package enum Request: Sendable {
    case run(Command, Invocation)
    /// The page of the last command of this path.
    case help([Command])
    case version
}

/// All mistakes in a command line.
package struct UsageError: Error, Sendable {
    /// Whole sentences without a full stop; never empty.
    package let problems: [String]
    package let path: [Command]

    /// The problems, a line each, then the usage line and the command for help.
    package var text: String {
        let program = path[0].name
        let command = path.map(\.name).joined(separator: " ")
        let lines = problems.map { "\(program): \($0)" }
        return (lines + ["usage: \(path.usage)", "help:  \(command) --help"]).joined(separator: "\n")
    }
}

extension Command {
    /// Reads the words of a command line after the program's name.
    ///
    /// It accepts `--name value`, `--name=value`, options after operands, and `--`, after which nothing is an option.
    /// Names cannot be abbreviated, so that a new option breaks no script. Only a repeatable option may be given twice.
    ///
    /// Environment variables supply missing arguments: with the prefix `SAMPLE_`, `SAMPLE_FAIL_ON` supplies `--fail-on`.
    /// White space separates several values. 1 or true sets a flag; 0 or false does not.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of the variables' names; empty if none are read.
    ///   - environment: The value of a variable; an empty one counts as none.
    ///   - nearest: Finds what a mistyped word was meant to be.
    /// - Throws: All mistakes at once, unless help or the version is requested.
    package func read(
        _ words: [String],
        prefix: String = "",
        environment: (String) -> String? = { _ in nil },
        nearest: @escaping WordGuess
    ) throws(UsageError) -> Request {
        var scan = Scan(words, self, nearest: nearest)
        if scan.isNamingCommands, !scan.problems.isEmpty {
            throw UsageError(problems: scan.problems, path: scan.path)
        }
        // `--help` works on an otherwise invalid command line.
        if scan.wantsHelp { return .help(scan.path) }
        if scan.wantsVersion { return .version }
        let (values, variables) = scan.complete { argument in
            guard let name = argument.variable(prefix), let value = environment(name), !value.isEmpty else {
                return nil
            }
            return (name, value)
        }
        scan.weigh(values)
        guard scan.problems.isEmpty else { throw UsageError(problems: scan.problems, path: scan.path) }
        guard scan.command.run != nil else { return .help(scan.path) }
        let invocation = Invocation(words: values, variables: variables)
        let objections = scan.command.objections(invocation).map(invocation.sourced)
        guard objections.isEmpty else { throw UsageError(problems: objections, path: scan.path) }
        return .run(scan.command, invocation)
    }
}

extension Scan {
    /// The words of each argument, from the command line, its variable or neither; and the variables used.
    fileprivate mutating func complete(
        _ variable: (Declaration) -> (name: String, value: String)?
    ) -> (values: [String: [String]], variables: [String: String]) {
        var values = given
        var variables: [String: String] = [:]
        var words = operands[...]
        for operand in command.operands {
            values[operand.name] = Array(operand.isRepeatable ? words : words.prefix(1))
            words = words.dropFirst(operand.isRepeatable ? words.count : 1)
        }
        for argument in command.arguments + Command.general where values[argument.name, default: []].isEmpty {
            values[argument.name] = []
            guard let (name, value) = variable(argument) else { continue }
            variables[argument.name] = name
            values[argument.name] = self.words(of: argument, value, called: name)
        }
        return (values, variables)
    }

    /// The words in a variable's value, validated as if they had been typed.
    private mutating func words(of argument: Declaration, _ value: String, called name: String) -> [String] {
        guard argument.form != .flag else {
            switch value.lowercased() {
            case "1", "true": return [""]
            case "0", "false": return []
            default:
                problems.append("\(name): \(value.quoted) is neither 1 nor 0, which turn \(argument.name) on and off")
                return []
            }
        }
        let words = argument.isRepeatable ? value.split(whereSeparator: \.isWhitespace).map(String.init) : [value]
        for word in words { judge(word, for: argument, called: name) }
        return words
    }

    /// Records missing and superfluous arguments.
    fileprivate mutating func weigh(_ values: [String: [String]]) {
        var missing = command.arguments.filter { argument in
            argument.isRequired && values[argument.name, default: []].isEmpty && pending?.name != argument.name
                && !meant.contains(argument.name) && !(hasDoubtfulWords && argument.form == .operand)
        }
        let isRepeatable = command.operands.contains(where: \.isRepeatable)
        var spare = isRepeatable ? [] : Array(operands.dropFirst(command.operands.count))
        // A word out of place is probably the value of the one option that is missing.
        if missing.count == 1, let option = missing.first, option.form == .option,
            let stray = (spare + refused.map(\.word)).first(where: { option.mistake($0) == nil })
        {
            if let problem = refused.first(where: { $0.word == stray })?.problem { problems.remove(at: problem) }
            spare.removeAll { $0 == stray }
            missing = []
            let form = "\(option.name) \(stray.presentable)"
            problems.append("\(stray.quoted) is not an operand; did you mean \(form)?")
        }
        let places = command.operands.map(\.placeholder)
        let limit = places.isEmpty ? "no operands" : "only \(places.listed("and"))"
        let owner = path.dropFirst().map(\.name).joined(separator: " ")
        let takesFile = path.last?.options.contains { $0.name == "--config" } ?? false
        let file = spare.first { takesFile && ($0.hasSuffix(".yaml") || $0.hasSuffix(".yml")) }
        let hint =
            (meantCommand.map { "“\($0)”" } ?? file.map { "--config \($0.presentable)" })
            .map { "; did you mean \($0)?" } ?? ""
        problems += spare.map { "unexpected argument \($0.quoted): \(owner) takes \(limit)\(hint)" }
        problems += missing.map { argument in
            let name = argument.form == .operand ? argument.name : "\(argument.name) \(argument.placeholder)"
            let words = argument.words.isEmpty ? "" : ": \(argument.words.listed("or"))"
            return "\(name) is missing: \(argument.help.asClause)\(words)"
        }
    }
}

extension Invocation {
    /// A sentence about options, with the environment variables that supplied some of them.
    fileprivate func sourced(_ problem: String) -> String {
        let named = variables.filter { name, _ in
            problem.split { !($0.isLetter || $0.isNumber || $0 == "-") }.contains(Substring(name))
        }
        return problem + named.sorted { $0.key < $1.key }.map { " (\($0.key) comes from \($0.value))" }.joined()
    }
}

extension Command {
    /// The variables for options of this command and its subcommands, without duplicates, in alphabetical order.
    package func variables(_ prefix: String) -> [String] {
        Set(everyCommand().flatMap { $0.command.arguments.compactMap { $0.variable(prefix) } }).sorted()
    }

    /// Warnings about variables with the program's prefix that it does not read, such as mistyped ones.
    ///
    /// - Parameters:
    ///   - names: Of all variables that are set.
    ///   - others: The variables that are read elsewhere.
    package func unknownVariables(
        _ names: [String],
        prefix: String,
        besides others: [String],
        nearest: WordGuess
    ) -> [String] {
        let known = others + variables(prefix)
        return names.filter { $0.hasPrefix(prefix) && !known.contains($0) }.sorted()
            .map { name in
                // Without the common prefix, which would make any two names similar.
                let guess = nearest(
                    String(name.dropFirst(prefix.count)),
                    known.map { String($0.dropFirst(prefix.count)) }
                )
                let hint = guess.map { "; did you mean \(prefix)\($0)?" } ?? ": it matches no option"
                return "the environment variable \(name.presentable) is ignored\(hint)"
            }
    }
}

extension String {
    /// The text as the end of a sentence: no initial capital and no full stop.
    var asClause: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
