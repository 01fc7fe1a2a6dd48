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
        let scan = Scan(words, self, nearest: nearest)
        if scan.isNamingCommands, !scan.problems.isEmpty {
            throw UsageError(problems: scan.problems, path: scan.path)
        }
        // Whoever asks for help need not have the rest right.
        if scan.wantsHelp { return .help(scan.path) }
        if scan.wantsVersion { return .version }
        var problems = scan.problems
        var values = scan.given
        let spare = scan.shareOperands(&values)
        problems += scan.problems(spare: spare, of: &values, environment)
        guard problems.isEmpty else { throw UsageError(problems: problems, path: scan.path) }
        guard let run = scan.command.run.map({ _ in scan.command }) else { return .help(scan.path) }
        let invocation = Invocation(words: values)
        let objections = run.objections(invocation)
        guard objections.isEmpty else { throw UsageError(problems: objections, path: scan.path) }
        return .run(run, invocation)
    }
}

extension Scan {
    /// Gives the operands their words, and returns those that are left.
    fileprivate func shareOperands(_ values: inout [String: [String]]) -> [String] {
        var words = operands[...]
        for operand in command.operands {
            values[operand.name] = Array(operand.isRepeatable ? words : words.prefix(1))
            words = operand.isRepeatable ? [] : words.dropFirst()
        }
        return Array(words)
    }

    /// Words too many, wrong words, missing ones; options that were left out get the words of their variables, or none.
    fileprivate func problems(
        spare: [String],
        of values: inout [String: [String]],
        _ environment: (String) -> String?
    ) -> [String] {
        var problems: [String] = []
        var missing: [Declaration] = []
        for argument in command.arguments + Command.general {
            if let variable = argument.environment, values[argument.name] == nil,
                let word = environment(variable), !word.isEmpty
            {
                values[argument.name] = [word]
                if let refusal = argument.mistake(word) { problems.append("\(variable): \(refusal.reason)") }
                continue
            }
            let words = values[argument.name, default: []]
            values[argument.name] = words
            for word in words {
                guard let refusal = argument.mistake(word) else { continue }
                let hint = word.isEmpty ? "" : hint(nearest(word, argument.words))
                problems.append("\(argument.name): \(refusal.reason)\(hint)")
            }
            if argument.isRequired, words.isEmpty, pending?.name != argument.name, !meant.contains(argument.name) {
                missing.append(argument)
            }
        }
        // An operand that stands where none is wanted, while one option is missing: that option's value.
        if spare.count == 1, missing.count == 1, missing[0].form == .option {
            return problems + ["“\(spare[0])” belongs to an option: did you mean \(missing[0].name) \(spare[0])?"]
        }
        let places = command.operands.map(\.placeholder)
        let room = places.isEmpty ? "takes options only" : "takes \(places.enumerated("and")) alone"
        problems += spare.map { "“\($0)” is one word too many: \(command.name) \(room)" }
        if hasDoubtfulWords { missing = missing.filter { $0.form != .operand } }
        return problems
            + missing.map { argument in
                let name = ([argument.names.first] + [argument.placeholder]).compactMap { $0 }.joined(separator: " ")
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
