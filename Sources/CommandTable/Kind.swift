/// How a word of the command line becomes a value, and what a shell offers in its place.
package struct Kind<Value: Sendable>: Sendable {
    /// What stands for the word in help, as in `--config FILE`.
    package let placeholder: String
    /// Every word that is taken, where these are few enough to be listed in help.
    package let words: [String]
    package let completion: Completion
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

/// Why a word will not do.
package enum Refusal: Error, Sendable, Hashable {
    case empty
    /// It is none of the kind's words.
    case unlisted
    /// A clause for what follows the option's name, or a sentence of its own for an operand.
    case because(String)
}

extension Kind where Value == String {
    /// Any words but none at all.
    package static func text(_ placeholder: String, completion: Completion = .nothing) -> Self {
        Kind(placeholder, completion: completion) { $0.isEmpty ? .failure(.empty) : .success($0) }
    }

    package static func file(_ placeholder: String = "FILE") -> Self { text(placeholder, completion: .files) }
}

extension Kind where Value: CaseIterable & RawRepresentable<String> {
    /// One word of a closed list.
    package static func word(
        _ placeholder: String,
        summary: @escaping @Sendable (Value) -> String = { _ in "" }
    ) -> Self {
        let words = Value.allCases.map(\.rawValue)
        return Kind(
            placeholder,
            words: words,
            completion: .words { Value.allCases.map { Candidate($0.rawValue, summary($0)) } },
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
    /// - Parameter remark: What to do instead, told after a number outside the range.
    package static func integer(
        _ placeholder: String = "NUMBER",
        in range: ClosedRange<Int>,
        remark: String = ""
    ) -> Self {
        let bounds =
            range.upperBound == Int.max ? "\(range.lowerBound) up" : "\(range.lowerBound) to \(range.upperBound)"
        return Kind(placeholder) { word in
            if let number = Int(word), range.contains(number) { return .success(number) }
            if word.isEmpty { return .failure(.empty) }
            let reason = "\(word.quoted) is not a number from \(bounds)"
            return .failure(.because(Int(word) == nil ? reason : reason + remark))
        }
    }
}

extension Kind where Value == Double {
    /// A number with or without decimals.
    ///
    /// - Parameter isAboveZero: Zero itself is refused.
    package static func decimal(_ placeholder: String, isAboveZero: Bool) -> Self {
        Kind(placeholder) { word in
            if let number = Double(word), number.isFinite, isAboveZero ? number > 0 : number >= 0 {
                return .success(number)
            }
            if word.isEmpty { return .failure(.empty) }
            let bounds = isAboveZero ? "above 0" : "from 0"
            return .failure(.because("\(word.quoted) is not a number of \(placeholder.lowercased()) \(bounds)"))
        }
    }
}

/// What a shell offers where a word is being typed.
package struct Completion: Sendable {
    /// Asked only while a shell completes: the list may be long.
    package var candidates: @Sendable () -> [Candidate] = { [] }
    package var takesFiles = false
    package var takesFolders = false
    /// Several by commas.
    package var isList = false

    package static let nothing = Completion()
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
/// One that ends with `=` is a beginning, and a file follows it.
package struct Candidate: Sendable, Hashable {
    package var text: String
    /// Empty where the word says enough.
    package var summary: String

    package init(_ text: String, _ summary: String = "") {
        self.text = text
        self.summary = summary
    }
}

extension [String] {
    /// `a, b or c`.
    func enumerated(_ conjunction: String) -> String {
        guard count > 1, let last else { return first ?? "" }
        return dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}

extension String {
    /// In quotation marks, and fit for one line.
    var quoted: String { "“\(presentable)”" }

    /// Fit for one line: what was typed may be long, a key or a token by mistake, or hold control characters.
    var presentable: String {
        let scalars = unicodeScalars.prefix(60).map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars)) + (unicodeScalars.count > 60 ? "…" : "")
    }
}
