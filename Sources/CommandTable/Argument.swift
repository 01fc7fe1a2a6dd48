/// An option, a flag or an operand, and the type of its value.
///
/// Declared once, as a constant, and shared by all commands that accept it.
package struct Argument<Value: Sendable>: Declared {
    package private(set) var declaration: Declaration
    /// From the words given for it, none included.
    let read: @Sendable ([String]) -> Result<Value, Refusal>
}

/// An argument of any type.
package protocol Declared: Sendable {
    var declaration: Declaration { get }
}

/// The description of an argument for help, messages, completions and manual pages.
package struct Declaration: Sendable {
    package enum Form: Sendable {
        case flag
        case option
        case operand
    }

    package let form: Form
    /// `--help` and `-h`, the long one first; an operand's is its placeholder.
    package let names: [String]
    let placeholder: String
    /// Its purpose, in whole sentences.
    let help: String
    /// Its heading in help; empty for operands.
    package let group: String
    /// The accepted words, if they are a closed list.
    let words: [String]
    /// The default, as help shows it.
    let fallback: String?
    /// Whether an environment variable may supply it when the command line does not.
    fileprivate(set) var readsVariable: Bool
    let isRequired: Bool
    let isRepeatable: Bool
    let completion: Completion
    /// Why a word is invalid.
    let mistake: @Sendable (String) -> Refusal?

    package var name: String { names.first ?? placeholder }

    init<Value>(
        _ form: Form,
        _ names: [String],
        _ kind: Kind<Value>?,
        _ help: String,
        group: String = "",
        fallback: String? = nil,
        isRequired: Bool = false,
        isRepeatable: Bool = false
    ) {
        self.form = form
        self.names = names
        placeholder = kind?.placeholder ?? ""
        self.help = help
        self.group = group
        words = kind?.words ?? []
        self.fallback = fallback
        readsVariable = form != .operand
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
        completion = kind?.completion ?? .nothing
        let read = kind?.read
        mistake = { word in
            if case .failure(let refusal) = read?(word) { return refusal }
            return nil
        }
    }
}

extension Declaration {
    /// `--fail-on` with the prefix `SAMPLE_` is `SAMPLE_FAIL_ON`; `nil` if no variable is read.
    func variable(_ prefix: String) -> String? {
        guard readsVariable, !prefix.isEmpty else { return nil }
        return prefix + name.drop { $0 == "-" }.uppercased().replacing("-", with: "_")
    }
}

extension Argument {
    /// The same argument, without an environment variable: it must be given explicitly each time.
    package var onCommandLineAlone: Self {
        var argument = self
        argument.declaration.readsVariable = false
        return argument
    }

    /// The same operand, which an environment variable may supply.
    package var orVariable: Self {
        var argument = self
        argument.declaration.readsVariable = true
        return argument
    }

    /// An optional option.
    ///
    /// - Parameters:
    ///   - short: Its name with one hyphen.
    ///   - fallback: The default, for help.
    package static func option<Word: Sendable>(
        _ name: String,
        short: String? = nil,
        _ kind: Kind<Word>,
        group: String,
        _ help: String,
        fallback: String? = nil
    ) -> Self where Value == Word? {
        let declaration = Declaration(
            .option,
            [name] + [short].compactMap(\.self),
            kind,
            help,
            group: group,
            fallback: fallback
        )
        return Argument(declaration: declaration, read: kind.readOptional)
    }

    /// An option with a default value.
    ///
    /// - Parameter shown: The default with its unit, for help; `nil` for the value alone.
    package static func option(
        _ name: String,
        _ kind: Kind<Value>,
        group: String,
        default fallback: Value,
        _ help: String,
        shown: String? = nil
    ) -> Self {
        let declaration = Declaration(.option, [name], kind, help, group: group, fallback: shown ?? "\(fallback)")
        return Argument(declaration: declaration) { words in words.last.map(kind.read) ?? .success(fallback) }
    }

    /// A required option.
    package static func required(_ name: String, _ kind: Kind<Value>, group: String, _ help: String) -> Self {
        let declaration = Declaration(.option, [name], kind, help, group: group, isRequired: true)
        return Argument(declaration: declaration, read: kind.readRequired)
    }

    /// An option that may be given several times.
    package static func repeated<Word: Sendable>(
        _ name: String,
        short: String? = nil,
        _ kind: Kind<Word>,
        group: String,
        _ help: String
    ) -> Self where Value == [Word] {
        let names = [name] + [short].compactMap(\.self)
        let declaration = Declaration(.option, names, kind, help, group: group, isRepeatable: true)
        return Argument(declaration: declaration, read: kind.readAll)
    }

    /// An option without a value.
    package static func flag(_ names: String..., group: String, _ help: String) -> Self where Value == Bool {
        let kind: Kind<Bool>? = nil
        return Argument(declaration: Declaration(.flag, names, kind, help, group: group)) { .success(!$0.isEmpty) }
    }

    /// A required operand.
    package static func operand(_ kind: Kind<Value>, _ help: String) -> Self {
        Argument(declaration: Declaration(.operand, [], kind, help, isRequired: true), read: kind.readRequired)
    }

    /// An optional operand.
    package static func operand<Word: Sendable>(
        optional kind: Kind<Word>,
        _ help: String,
        fallback: String? = nil
    ) -> Self where Value == Word? {
        Argument(declaration: Declaration(.operand, [], kind, help, fallback: fallback), read: kind.readOptional)
    }

    /// All remaining operands.
    package static func operands<Word: Sendable>(_ kind: Kind<Word>, _ help: String) -> Self where Value == [Word] {
        Argument(declaration: Declaration(.operand, [], kind, help, isRepeatable: true), read: kind.readAll)
    }
}

extension Kind {
    @Sendable
    fileprivate func readRequired(_ words: [String]) -> Result<Value, Refusal> {
        words.last.map(read) ?? .failure(.empty)
    }

    @Sendable
    fileprivate func readOptional(_ words: [String]) -> Result<Value?, Refusal> {
        words.last.map { read($0).map(Optional.some) } ?? .success(nil)
    }

    @Sendable
    fileprivate func readAll(_ words: [String]) -> Result<[Value], Refusal> {
        Result { () throws(Refusal) in
            var values: [Value] = []
            for word in words { values.append(try read(word).get()) }
            return values
        }
    }
}
