extension Invocation {
    /// The end of another command's line: the given words, then every argument of this command line that the other command
    /// takes too, quoted for a POSIX shell.
    ///
    /// Values from environment variables are left out, because the other command reads the same variables.
    ///
    /// - Parameter isRepeated: Selects arguments of the other command.
    /// - Returns: `nil` if a word has control characters, which no terminal shows.
    package func line(
        of command: Command,
        _ words: [String] = [],
        repeating isRepeated: (Declaration) -> Bool
    ) -> String? {
        let repeated = command.arguments.filter { isRepeated($0) && variables[$0.name] == nil }
            .flatMap { argument in
                self.words[argument.name, default: []]
                    .flatMap { word -> [String] in
                        switch argument.form {
                        case .flag: [argument.name]
                        case .operand: [word]
                        case .option: word.hasPrefix("-") ? ["\(argument.name)=\(word)"] : [argument.name, word]
                        }
                    }
            }
        let quoted = (words + repeated).map(\.shellWord)
        return quoted.contains(nil) ? nil : quoted.compactMap(\.self).joined(separator: " ")
    }
}

extension String {
    /// The text as one word of a POSIX shell; `nil` if it has control characters.
    package var shellWord: String? {
        if unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) { return nil }
        let isPlain = utf8.allSatisfy { byte in
            byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
                || "-._~:/,@%+=".utf8.contains(byte)
        }
        return isPlain && !isEmpty && !hasPrefix("~") ? self : "'" + replacing("'", with: #"'\''"#) + "'"
    }
}
