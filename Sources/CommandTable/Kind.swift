/// Parses a word of the command line, and completes it in a shell.
package struct Kind<Value: Sendable>: Sendable {
    /// The placeholder in help, as in `--config FILE`.
    let placeholder: String
    /// All accepted words, if they are few enough for help.
    let words: [String]
    let completion: Completion
    package let read: @Sendable (String) -> Result<Value, Refusal>

    package init(
        _ placeholder: String,
        words: [String] = [],
        completion: Completion = .nothing,
        read: @escaping @Sendable (String) -> Result<Value, Refusal>
    ) {
        self.placeholder = placeholder
        self.words = words
        self.completion = completion
        self.read = read
    }
}

/// Why a word is invalid.
package enum Refusal: Error, Sendable, Hashable {
    case empty
    /// It is not one of the accepted words.
    case unlisted
    /// A clause that follows the option's name; for an operand, a sentence.
    case because(String)
}

extension Kind where Value == String {
    /// Any non-empty text.
    package static func text(_ placeholder: String, completion: Completion = .nothing) -> Self {
        Kind(placeholder, completion: completion) { $0.isEmpty ? .failure(.empty) : .success($0) }
    }

    package static func file(_ placeholder: String = "FILE") -> Self { text(placeholder, completion: .files) }
}

extension Kind where Value: CaseIterable & RawRepresentable<String> {
    /// One word of a closed list.
    package static func word(_ placeholder: String) -> Self {
        let words = Value.allCases.map(\.rawValue)
        return Kind(
            placeholder,
            words: words,
            completion: .words { Value.allCases.map { Candidate($0.rawValue) } },
            read: { word in
                if let value = Value(rawValue: word) { return .success(value) }
                return .failure(word.isEmpty ? .empty : .unlisted)
            }
        )
    }
}

extension Kind where Value == Int {
    /// A whole number.
    ///
    /// - Parameter alternative: The alternative to a number outside the range.
    package static func integer(
        _ placeholder: String = "NUMBER",
        in range: ClosedRange<Int>,
        alternative: String = ""
    ) -> Self {
        let bounds =
            range.upperBound == Int.max
            ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
        return Kind(placeholder) { word in
            if let number = Int(word), range.contains(number) { return .success(number) }
            if word.isEmpty { return .failure(.empty) }
            let reason = "\(word.quoted) is not an integer \(bounds)"
            return .failure(.because(Int(word) == nil ? reason : reason + alternative))
        }
    }
}

extension Kind where Value == Double {
    /// A number with or without decimals.
    ///
    /// - Parameter isAboveZero: Whether zero is rejected.
    package static func decimal(_ placeholder: String, isAboveZero: Bool) -> Self {
        Kind(placeholder) { word in
            if let number = Double(word), number.isFinite, isAboveZero ? number > 0 : number >= 0 {
                return .success(number)
            }
            if word.isEmpty { return .failure(.empty) }
            let bounds = isAboveZero ? "positive" : "non-negative"
            return .failure(.because("\(word.quoted) is not a \(bounds) number of \(placeholder.lowercased())"))
        }
    }
}

/// The candidates that a shell offers for an unfinished word.
package struct Completion: Sendable {
    /// Called only while a shell completes: the list may be long.
    let candidates: @Sendable () -> [Candidate]
    let takesFiles: Bool
    let takesFolders: Bool
    /// Several words, separated by commas.
    let isList: Bool

    static let nothing = Completion()
    package static let files = Completion(takesFiles: true)
    package static let folders = Completion(takesFolders: true)

    package static func words(_ candidates: @escaping @Sendable () -> [Candidate]) -> Completion {
        Completion(candidates: candidates)
    }

    package init(
        candidates: @escaping @Sendable () -> [Candidate] = { [] },
        takesFiles: Bool = false,
        takesFolders: Bool = false,
        isList: Bool = false
    ) {
        self.candidates = candidates
        self.takesFiles = takesFiles
        self.takesFolders = takesFolders
        self.isList = isList
    }
}

/// A word that a shell offers.
///
/// A file follows one that ends with `=`.
package struct Candidate: Sendable, Hashable {
    package let text: String
    /// Empty if the word needs no explanation.
    let summary: String

    package init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }
}

extension [String] {
    /// `a, b or c`.
    func listed(_ conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}

extension String {
    /// In quotation marks, on one line.
    var quoted: String { "“\(presentable)”" }

    /// On one line: the input may contain control characters, or be long, such as a key typed by mistake.
    var presentable: String {
        let scalars = unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars)) + (unicodeScalars.count > 60 ? "…" : "")
    }
}
