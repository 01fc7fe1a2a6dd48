/// The words of a command line, classified for parsing and for completion.
struct Scan {
    /// The program and the commands named so far.
    private(set) var path: [Command]
    /// The words of each option, by its name; a flag's are empty.
    private(set) var given: [String: [String]] = [:]
    private(set) var operands: [String] = []
    var problems: [String] = []
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false
    /// The option at the end of the words, while its value is missing.
    private(set) var pending: Declaration?
    /// After `--`.
    private(set) var isPastOptions = false
    /// `help` was named, and what follows are commands.
    private(set) var isNamingCommands = false
    /// The probable intended options for unknown ones.
    private(set) var meant: Set<String> = []
    /// The invalid operands, and the indices of their problems.
    private(set) var refused: [(word: String, problem: Int)] = []
    /// Whether a word may be an operand or the value of an unknown option, so that missing operands cannot be determined.
    private(set) var hasDoubtfulWords = false
    /// The command that the first operand probably is a misspelling of, if no command is named.
    private(set) var meantCommand: String?

    private let words: [String]
    private var place = 0
    private let nearest: WordGuess?

    var command: Command { path[path.count - 1] }

    /// - Parameters:
    ///   - isComplete: Whether the words are complete, so that the default subcommand applies.
    ///   - nearest: `nil` if no problems are reported, so that values need no validation.
    init(_ words: [String], _ program: Command, isComplete: Bool = true, nearest: WordGuess?) {
        self.words = words
        self.nearest = nearest
        path = [program]
        while place < words.count {
            let word = words[place]
            place += 1
            guard take(word) else { return }
        }
        if isComplete, !wantsHelp { selectDefaultCommand() }
    }

    /// False if the remaining words cannot be interpreted.
    private mutating func take(_ word: String) -> Bool {
        if isPastOptions || word == "-" || !word.hasPrefix("-") { return takeOperand(word) }
        if word == "--" {
            isPastOptions = true
            return true
        }
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isLong = word.hasPrefix("--")
        let name = isLong ? parts[0] : word
        let value = isLong && parts.count == 2 ? parts[1] : nil
        if command.option(name) == nil { selectDefaultCommand() }
        if let option = command.option(name) { take(option, value) } else { refuse(name, hasValue: value != nil) }
        return true
    }

    private mutating func takeOperand(_ word: String) -> Bool {
        guard !command.subcommands.isEmpty else {
            if word == "help", operands.isEmpty, !isPastOptions {
                wantsHelp = true
                return true
            }
            if let operand = nextOperand { judge(word, for: operand) }
            operands.append(word)
            return true
        }
        if word == "help" {
            isNamingCommands = true
            wantsHelp = true
            return true
        }
        if let next = command.subcommands.first(where: { $0.name == word }) {
            path.append(next)
            return true
        }
        // A word that is not a command is the required operand of the default subcommand.
        if let fallback = command.fallbackCommand, fallback.operands.contains(where: \.isRequired), !isNamingCommands {
            let owner = path.dropFirst().map(\.name)
            // A file is a path or has a suffix, and a mistyped command has neither.
            if !isPastOptions, !word.contains(where: { "./-".contains($0) }) {
                meantCommand = nearest?(word, command.shown.map(\.name))
                    .map { (owner + [$0]).joined(separator: " ") }
            }
            path.append(fallback)
            return takeOperand(word)
        }
        let names = command.shown.map(\.name)
        let problem = path.count > 1 ? "\(command.name) has no command" : "unknown command"
        let hint = self.hint(word) ?? nearest?(word, names).map { "did you mean “\($0)”?" }
        problems.append("\(problem) \(word.quoted); \(hint ?? "known commands: \(names.joined(separator: ", "))")")
        // The meaning of the rest depends on the intended command.
        return false
    }

    private mutating func take(_ option: Declaration, _ attached: String?) {
        if option.name == Command.help.declaration.name { wantsHelp = true }
        if option.name == Command.version.declaration.name { wantsVersion = true }
        if option.form == .flag {
            if let attached { problems.append("\(option.name) takes no value, but was given \(attached.quoted)") }
            given[option.name, default: []].append("")
            return
        }
        guard let value = attached ?? nextValue(of: option) else { return }
        // Neither value is shown: it may be a secret.
        if given[option.name] != nil, !option.isRepeatable {
            problems.append("\(option.name) is given twice but takes one value")
        }
        judge(value, for: option)
        given[option.name, default: []].append(value)
    }

    /// The word after an option.
    ///
    /// A word that looks like an option is treated as one, so that the message names the missing value.
    private mutating func nextValue(of option: Declaration) -> String? {
        guard place < words.count else {
            pending = option
            problems.append("\(option.name) needs a value: \(option.name) \(option.placeholder)")
            return nil
        }
        let next = words[place]
        guard !next.hasPrefix("--"), command.option(next) == nil else {
            let form = "\(option.name)=\(next.presentable)"
            problems.append("\(option.name) needs a value; if the value is \(next.quoted), write \(form)")
            return nil
        }
        place += 1
        return next
    }

    private mutating func refuse(_ name: String, hasValue: Bool) {
        let command = path.dropFirst().map(\.name).joined(separator: " ")
        let problem = "\(command.isEmpty ? "unknown option" : "\(command) has no option") \(name.presentable)"
        let withdrawn = self.command.withdrawn[name]
        let counterpart = hint(name)
        let namesOperand = self.command.operands.contains {
            $0.placeholder.lowercased() == name.withoutDashes.lowercased()
        }
        let guesses = withdrawn == nil && counterpart == nil && !namesOperand ? guesses(name) : []
        meant.formUnion(guesses)
        if let withdrawn {
            problems.append("\(problem): it was removed because \(withdrawn)")
        } else if let counterpart {
            problems.append("\(problem); \(counterpart)")
        } else if !guesses.isEmpty {
            problems.append("\(problem); did you mean \(guesses.listed("or"))?")
        } else if let operand = operand(named: name) {
            problems.append("\(problem): write \(operand.placeholder) without an option name")
        } else {
            problems.append(problem + elsewhere(name))
        }
        // The word after it may be its value.
        let isFlag = self.command.options.contains { $0.form == .flag && guesses.contains($0.name) }
        if !hasValue, !isFlag, place < words.count, !words[place].hasPrefix("-") {
            place += 1
            hasDoubtfulWords = true
        }
    }

    /// The counterpart of a word that another tool has, from the innermost command that names one.
    private func hint(_ word: String) -> String? { path.reversed().lazy.compactMap { $0.hints[word] }.first }

    /// The probable intended options: those that start with the unknown name, or the nearest one.
    private func guesses(_ name: String) -> [String] {
        let known = (command.options + Command.general).map(\.name)
        let bare = name.withoutDashes.lowercased()
        let longer = known.filter { !bare.isEmpty && $0.withoutDashes.hasPrefix(bare) }
        if longer.contains("--" + bare) { return ["--" + bare] }
        return longer.isEmpty ? nearest?(bare, known.map(\.withoutDashes)).map { ["--" + $0] } ?? [] : longer
    }

    /// The probable intended operand for an unknown option.
    private func operand(named name: String) -> Declaration? {
        let words = command.operands.map { $0.placeholder.lowercased() }
        let near = nearest?(name.withoutDashes.lowercased(), words)
        return command.operands.first { $0.placeholder.lowercased() == near }
    }

    /// Which commands have the option.
    private func elsewhere(_ name: String) -> String {
        let owners = path[0].everyCommand()
            .filter { owner in
                !owner.command.isHidden && owner.command.options.contains { $0.names.contains(name) }
            }
            .map { $0.path.dropFirst().joined(separator: " ") }
        if owners.isEmpty { return "" }
        return (path.count > 1 ? "; it is an option of " : "; it must follow a command: ") + owners.listed("or")
    }

    private mutating func selectDefaultCommand() {
        if let fallback = command.fallbackCommand, !isNamingCommands { path.append(fallback) }
    }

    /// The operand that another word would be.
    var nextOperand: Declaration? {
        let places = command.operands
        return operands.count < places.count ? places[operands.count] : places.last { $0.isRepeatable }
    }

    /// Records the problem with a word.
    ///
    /// - Parameter name: The argument's name, or the variable that the value comes from.
    mutating func judge(_ word: String, for argument: Declaration, called name: String? = nil) {
        guard let nearest, let refusal = argument.mistake(word) else { return }
        let name = name ?? argument.name
        let owner = argument.form == .operand ? "" : "\(name): "
        switch refusal {
        case .empty: problems.append("\(name) is empty; if the value comes from a variable, the variable is not set")
        case .because(let reason): problems.append(owner + reason)
        case .unlisted:
            let hint = nearest(word, argument.words).map { "; did you mean “\($0)”?" }
            // A long list is useful only if there is no suggestion.
            let isLong = argument.words.count > 6 && hint != nil
            let list = isLong ? "not a known value" : "not one of \(argument.words.listed("or"))"
            problems.append("\(owner)\(word.quoted) is \(list)\(hint ?? "")")
        }
        if argument.form == .operand { refused.append((word, problems.count - 1)) }
    }
}

/// The probable intended candidate for a mistyped word.
package typealias WordGuess = @Sendable (_ word: String, _ candidates: [String]) -> String?

extension String {
    fileprivate var withoutDashes: String { String(drop { $0 == "-" }) }
}
