/// What a command line asks for.
package enum Request: Sendable {
    case run(Command, Invocation)
    /// The page of the last of these, which the others lead to.
    case help([Command])
    case version
}

/// Everything that is wrong with a command line.
package struct UsageError: Error, Sendable {
    /// Whole sentences without a full stop; never empty.
    package let problems: [String]
    package let path: [Command]

    /// The problems, a line each, the usage line, and where more is told.
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
    /// `--name value`, `--name=value`, options after operands, and `--`, after which nothing is an option. Names are
    /// never shortened, so that a new option breaks no script. An option that counts once is not given twice.
    ///
    /// - Parameters:
    ///   - environment: The value of a variable; an empty one counts as none.
    ///   - nearest: Finds what a mistyped word was meant to be.
    /// - Throws: All mistakes at once, unless help or the version is asked for.
    package func read(
        _ words: [String],
        environment: (String) -> String? = { _ in nil },
        nearest: @escaping NearestWord
    ) throws(UsageError) -> Request {
        var scan = Scan(words, self, nearest: nearest)
        if scan.isNamingCommands, !scan.problems.isEmpty {
            throw UsageError(problems: scan.problems, path: scan.path)
        }
        // Whoever asks for help need not have the rest right.
        if scan.wantsHelp { return .help(scan.path) }
        if scan.wantsVersion { return .version }
        let values = scan.complete(environment)
        scan.weigh(values)
        guard scan.problems.isEmpty else { throw UsageError(problems: scan.problems, path: scan.path) }
        guard scan.command.run != nil else { return .help(scan.path) }
        let invocation = Invocation(words: values)
        let objections = scan.command.objections(invocation)
        guard objections.isEmpty else { throw UsageError(problems: objections, path: scan.path) }
        return .run(scan.command, invocation)
    }
}

extension Scan {
    /// The words of every argument of the command: those given, that of its variable, or none.
    fileprivate mutating func complete(_ environment: (String) -> String?) -> [String: [String]] {
        var values = given
        var words = operands[...]
        for operand in command.operands {
            values[operand.name] = Array(operand.isRepeatable ? words : words.prefix(1))
            words = words.dropFirst(operand.isRepeatable ? words.count : 1)
        }
        for argument in command.options + Command.general where values[argument.name] == nil {
            values[argument.name] = []
            if let variable = argument.environment, let word = environment(variable), !word.isEmpty {
                values[argument.name] = [word]
                judge(word, for: argument, called: variable)
            }
        }
        return values
    }

    /// Notes what is missing and what is too many.
    fileprivate mutating func weigh(_ values: [String: [String]]) {
        var missing = command.arguments.filter { argument in
            argument.isRequired && values[argument.name, default: []].isEmpty && pending?.name != argument.name
                && !meant.contains(argument.name) && !(hasDoubtfulWords && argument.form == .operand)
        }
        let hasRoom = command.operands.contains(where: \.isRepeatable)
        var spare = hasRoom ? [] : Array(operands.dropFirst(command.operands.count))
        // A word out of place is probably the value of the one option that is missing.
        if missing.count == 1, let option = missing.first, option.form == .option,
            let stray = (spare + refused.map(\.word)).first(where: { option.mistake($0) == nil })
        {
            if let problem = refused.first(where: { $0.word == stray })?.problem { problems.remove(at: problem) }
            spare.removeAll { $0 == stray }
            missing = []
            let form = "\(option.name) \(stray.presentable)"
            problems.append("\(stray.quoted) belongs to an option: did you mean \(form)?")
        }
        let places = command.operands.map(\.placeholder)
        let room = places.isEmpty ? "no operand" : "\(places.enumerated("and")) alone"
        let owner = path.dropFirst().map(\.name).joined(separator: " ")
        problems += spare.map { "\($0.quoted) is one word too many: \(owner) takes \(room)" }
        problems += missing.map { argument in
            let name = argument.form == .operand ? argument.name : "\(argument.name) \(argument.placeholder)"
            return "\(name) is missing: \(argument.help.asClause)"
        }
    }
}

extension String {
    /// The text as the end of a sentence: without a capital at its beginning and a full stop at its end.
    var asClause: String {
        let text = hasSuffix(".") ? String(dropLast()) : self
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
