/// The words of a command line, sorted by what they are: for reading, and for a shell that completes the next one.
struct Scan {
    /// The program and the commands named so far.
    private(set) var path: [Command]
    /// The words of each option, by its name; a flag's are empty.
    private(set) var given: [String: [String]] = [:]
    private(set) var operands: [String] = []
    private(set) var problems: [String] = []
    private(set) var wantsHelp = false
    private(set) var wantsVersion = false
    /// The option that the words end with, while its value is missing.
    private(set) var pending: Declaration?
    /// After `--`.
    private(set) var isPastOptions = false
    /// `help` was named, and what follows are commands.
    private(set) var isNamingCommands = false
    /// The options that unknown ones were probably meant to be.
    private(set) var meant: Set<String> = []
    /// Words that may be operands or belong to an unknown option: nobody can say what is missing.
    private(set) var hasDoubtfulWords = false

    private let words: [String]
    private var place = 0
    let nearest: NearestWord

    var command: Command { path[path.count - 1] }

    /// - Parameter standsAtEnd: Whether the words end here, so that the command that is meant where none is named is
    ///   chosen.
    init(
        _ words: [String],
        _ program: Command,
        standsAtEnd: Bool = true,
        nearest: @escaping NearestWord = { _, _ in nil }
    ) {
        self.words = words
        self.nearest = nearest
        path = [program]
        while place < words.count {
            let word = words[place]
            place += 1
            guard take(word) else { return }
        }
        if standsAtEnd, !wantsHelp { chooseStanding() }
    }

    /// False when nothing can be said of the words that follow.
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
        if command.option(name) == nil { chooseStanding() }
        if let option = command.option(name) { take(option, value) } else { refuse(name, hasValue: value != nil) }
        return true
    }

    private mutating func takeOperand(_ word: String) -> Bool {
        guard !command.subcommands.isEmpty else {
            operands.append(word)
            return true
        }
        if word == "help", !isNamingCommands {
            isNamingCommands = true
            wantsHelp = true
            return true
        }
        if let next = command.subcommands.first(where: { $0.name == word }) {
            path.append(next)
            return true
        }
        let names = command.shown.map(\.name)
        let owner = path.count > 1 ? "\(command.name) has no command “\(word)”" : "no command is called “\(word)”"
        problems.append(owner + hint(nearest(word, names), orList: names))
        // What the rest means depends on the command that was meant.
        return false
    }

    private mutating func take(_ option: Declaration, _ attached: String?) {
        if option.name == Command.help.declaration.name { wantsHelp = true }
        if option.name == Command.version.declaration.name { wantsVersion = true }
        if option.form == .flag {
            if let attached { problems.append("\(option.name) takes no value, but was given “\(attached)”") }
            given[option.name, default: []].append("")
            return
        }
        guard let value = attached ?? nextValue(of: option) else { return }
        if let before = given[option.name]?.last, !option.isRepeatable {
            problems.append("\(option.name) is given twice, “\(before)” and “\(value)”: once is enough")
        }
        given[option.name, default: []].append(value)
    }

    /// The word after an option.
    ///
    /// One that looks like an option is more probably that: a missing value that is told late, as a wrong one, would
    /// mislead.
    private mutating func nextValue(of option: Declaration) -> String? {
        guard place < words.count else {
            pending = option
            problems.append("\(option.name) needs a value: \(option.name) \(option.placeholder)")
            return nil
        }
        let next = words[place]
        guard !next.hasPrefix("--"), command.option(next) == nil else {
            problems.append("\(option.name) needs a value; if “\(next)” is meant, write \(option.name)=\(next)")
            return nil
        }
        place += 1
        return next
    }

    private mutating func refuse(_ name: String, hasValue: Bool) {
        let known = (command.options + Command.general).filter { !$0.isHidden }
        let owner = path.count > 1 ? "\(path.dropFirst().map(\.name).joined(separator: " ")) has" : "there is"
        let guess = guesses(name, among: known.map(\.name))
        meant.formUnion(guess.names)
        if guess.areLonger {
            problems.append("\(name) is written in full: \(guess.names.enumerated("or"))")
        } else if let near = guess.names.first {
            problems.append("\(owner) no option \(name); did you mean \(near)?")
        } else {
            problems.append("\(owner) no option \(name)" + elsewhere(name))
        }
        // The word after it may be its value.
        let isFlag = known.contains { $0.form == .flag && guess.names.contains($0.name) }
        if !hasValue, !isFlag, place < words.count, !words[place].hasPrefix("-") {
            place += 1
            hasDoubtfulWords = true
        }
    }

    /// The options that an unknown one was meant to be: those that it is the beginning of, or the nearest one.
    private func guesses(_ name: String, among known: [String]) -> (names: [String], areLonger: Bool) {
        let bare = name.withoutDashes.lowercased()
        if let same = known.first(where: { $0.withoutDashes == bare }) { return ([same], false) }
        let longer = known.filter { !bare.isEmpty && $0.withoutDashes.hasPrefix(bare) }
        if !longer.isEmpty { return (longer, true) }
        return (nearest(bare, known.map(\.withoutDashes)).map { ["--" + $0] } ?? [], false)
    }

    /// Which commands have the option.
    private func elsewhere(_ name: String) -> String {
        let owners = path[0].everyCommand()
            .filter { owner in
                !owner.command.isHidden && owner.command.options.contains { $0.names.contains(name) && !$0.isHidden }
            }
            .map { $0.path.dropFirst().joined(separator: " ") }
        if owners.isEmpty { return "" }
        return (path.count > 1 ? "; it is one of " : "; it stands after a command: ") + owners.enumerated("or")
    }

    private mutating func chooseStanding() {
        if let standing = command.standingCommand, !isNamingCommands { path.append(standing) }
    }
}

/// The candidate that a mistyped word was probably meant to be.
package typealias NearestWord = @Sendable (_ word: String, _ candidates: [String]) -> String?

func hint(_ nearest: String?, orList words: [String] = []) -> String {
    if let nearest { return "; did you mean “\(nearest)”?" }
    return words.isEmpty ? "" : "; known here: \(words.joined(separator: ", "))"
}

extension String {
    fileprivate var withoutDashes: String { String(drop { $0 == "-" }) }
}
