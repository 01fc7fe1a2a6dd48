/// The completions of the last word of an unfinished command line.
package struct Offer: Sendable {
    /// Each is the whole word, including the typed part.
    package private(set) var candidates: [Candidate] = []
    /// Whether files complete the part after the last `=` of the word.
    package private(set) var takesFiles = false
    package private(set) var takesFolders = false

    /// - Parameters:
    ///   - words: Those after the program's name; the last is being typed and may be empty.
    package init(for words: [String], of program: Command) {
        let word = words.last ?? ""
        let scan = Scan(words.dropLast(), program, isComplete: false, nearest: nil)
        if let option = scan.pending {
            offer(option.completion, typed: word, after: "")
        } else if !scan.isPastOptions, word.hasPrefix("--"), let mark = word.firstIndex(of: "=") {
            guard let option = scan.options.first(where: { $0.names.contains(String(word[..<mark])) }) else { return }
            let head = word[...mark]
            offer(option.completion, typed: String(word.dropFirst(head.count)), after: String(head))
        } else if !scan.isPastOptions, word.hasPrefix("-") {
            offerOptions(scan)
        } else if !scan.command.subcommands.isEmpty {
            candidates = scan.command.shown.map { Candidate($0.name, $0.summary) }
            if !scan.isNamingCommands { candidates.append(Candidate("help", "Print the help of a command.")) }
            if let operand = scan.command.fallbackCommand?.operands.first { takesFiles = operand.completion.takesFiles }
        } else if let operand = scan.nextOperand {
            offer(operand.completion, typed: word, after: "")
        }
        // Only options may follow.
        if word.isEmpty, candidates.isEmpty, scan.pending == nil, !takesFiles, !scan.isPastOptions, !scan.wantsHelp {
            offerOptions(scan)
        }
        candidates = candidates.filter { $0.text.hasPrefix(word) }
    }

    private mutating func offer(_ completion: Completion, typed: String, after head: String) {
        takesFiles = completion.takesFiles
        takesFolders = completion.takesFolders
        var head = head
        var offered = completion.candidates()
        if completion.isList {
            let named = typed.split(separator: ",", omittingEmptySubsequences: false).dropLast().map(String.init)
            head += named.map { $0 + "," }.joined()
            offered = offered.filter { !named.contains($0.text) }
        }
        // A file follows `format=`.
        if offered.contains(where: { $0.text.hasSuffix("=") && typed.hasPrefix($0.text) }) {
            takesFiles = true
            offered = []
        }
        candidates = offered.map { Candidate(head + $0.text, $0.summary) }
    }

    private mutating func offerOptions(_ scan: Scan) {
        candidates = scan.options.filter { $0.isRepeatable || scan.given[$0.name] == nil }
            .map { Candidate($0.name, $0.help) }
    }
}

extension Scan {
    /// The options that may come next, including those of the default subcommand.
    fileprivate var options: [Declaration] {
        command.options + (command.fallbackCommand?.options ?? []) + Command.general
    }
}

extension Offer {
    /// For the scripts of ``Shell``: a line per word, with its summary after a tab.
    ///
    /// With `:files` and `:folders` the shell lists these itself.
    package var text: String {
        let words = candidates.map { $0.summary.isEmpty ? $0.text : "\($0.text)\t\($0.summary)" }
        let kinds = [takesFiles ? ":files" : nil, takesFolders ? ":folders" : nil].compactMap { $0 }
        return (kinds + words).map { $0 + "\n" }.joined()
    }
}
