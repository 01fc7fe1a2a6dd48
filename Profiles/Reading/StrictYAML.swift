internal import YAMLTree

/// A YAML file read strictly: every key must be known, every value must have the right type, and all problems are reported at once.
///
/// Readers read the keys that they know; an unread key is a problem. So a reader reads every key that it knows, even
/// unneeded ones, before it gives up on a mapping.
package struct StrictYAML {
    /// Collects the problems of one file; shared by all its mappings.
    package final class Reader {
        package let file: String
        private var problems: [Problem] = []
        private let root: Node
        /// The values of `${NAME}`; `nil` if variables are not replaced.
        fileprivate let variables: Variables?

        fileprivate init(file: String, root: YAML, variables: Variables?) {
            self.file = file
            self.root = Node(root, path: "")
            self.variables = variables
        }

        package func report(_ message: String, at place: Place) {
            problems.append(Problem(file, place, message))
        }

        /// Throws the problems found so far and every unread key, in the order of the file and without duplicates.
        package func finish() throws(ConfigurationError) {
            var seen: Set<Problem> = []
            // An unknown key comes before the missing keys of its mapping, which have the same place.
            let found = (root.keyProblems(in: file) + problems).filter { seen.insert($0).inserted }
            if !found.isEmpty { throw ConfigurationError(ofOneFile: found) }
        }

        /// The place of each value in the file, by the keys that lead to it: `sign_in.username`.
        package var places: [String: Place] { root.places }

        fileprivate var value: Value { Value(node: root, reader: self) }
    }

    /// Line and column, counted from 1.
    package struct Place: Sendable, Hashable {
        package let line: Int
        package let column: Int

        fileprivate init(_ place: YAML.Place) {
            line = place.line
            column = place.column
        }
    }

    /// Parses a file in UTF-8 whose root is a mapping.
    package static func parse(
        _ bytes: some Collection<UInt8>,
        file: String
    ) throws(ConfigurationError) -> Mapping {
        try mapping(tree(bytes, file: file), file: file)
    }

    /// Parses a text, as `parse` of its UTF-8 bytes does.
    package static func parse(_ text: String, file: String) throws(ConfigurationError) -> Mapping {
        try parse(text.utf8, file: file)
    }

    /// The tree of a file in UTF-8.
    ///
    /// - Parameter hasVariables: Whether `${NAME}` is a variable, so that messages explain mistakes with it.
    static func tree(
        _ bytes: some Collection<UInt8>,
        file: String,
        hasVariables: Bool = false
    ) throws(ConfigurationError) -> YAML {
        do throws(YAMLError) {
            return try YAML.parse(bytes)
        } catch {
            let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            let line = lines.dropFirst(error.place.line - 1).first.map { String(decoding: $0, as: UTF8.self) } ?? ""
            throw ConfigurationError([
                problem(
                    of: error,
                    in: line,
                    file: file,
                    containsVariable: hasVariables && line.contains("${")
                )
            ])
        }
    }

    /// The root mapping of a tree.
    ///
    /// - Parameter variables: The values of `${NAME}`; `nil` if variables are not replaced.
    static func mapping(
        _ tree: YAML,
        file: String,
        variables: Variables? = nil
    ) throws(ConfigurationError) -> Mapping {
        let reader = Reader(file: file, root: tree, variables: variables)
        if let mapping = reader.value.mapping() { return mapping }
        try reader.finish()
        throw ConfigurationError(file: file, "the file must contain a mapping of keys to values")
    }

    /// - Parameter line: The line of the error.
    private static func problem(
        of error: YAMLError,
        in line: String,
        file: String,
        containsVariable: Bool
    ) -> Problem {
        let place = Place(error.place)
        let character = line.dropFirst(place.column - 1).first
        switch error.reason {
        case .empty: return Problem(file: file, message: "the file is empty")
        // The file may be anything that a stranger named, so its text is not quoted before its keys are known.
        case .duplicateKey(_, let first): return Problem(file, place, "duplicate key; first at \(first)")
        case .foreignTag: return Problem(file, place, "the tag is not supported: remove it")
        case .misplacedTag: return Problem(file, place, "the tag does not fit its value: remove it")
        case .endlessAlias(_, let anchor):
            return Problem(file, place, "an alias is inside the value that it refers to, which begins at \(anchor)")
        case .syntax, .unknownAlias:
            // YAML parses a brace inside braces as its own.
            var hint = containsVariable ? "; inside { } and [ ], put a variable in quotes: \"${NAME}\"" : ""
            if character == "\t" { hint += "; indent with spaces, not tabs" }
            // At the start of a line, a percent sign begins a directive.
            if let character, "@`%".contains(character), place.column > 1 {
                hint += "; put a value that begins with this character in quotes"
            }
            return Problem(file, place, "invalid YAML: \(error.reason)\(hint)\(lineBefore(error, before: line))")
        default: return Problem(file, place, "\(error.reason)")
        }
    }

    /// A hint that the parser notices some mistakes one line too late; empty for others.
    private static func lineBefore(_ error: YAMLError, before line: String) -> String {
        guard case .syntax(let problem) = error.reason, error.place.line > 1 else { return "" }
        let beginning = line.prefix(error.place.column - 1)
        if problem.hasPrefix("did not find expected") {
            let isLate = problem.contains("','") || beginning.allSatisfy(\.isWhitespace)
            return isLate ? ". The mistake is often on the line before." : ""
        }
        // A second colon of one line is the mistake itself.
        guard problem.hasPrefix("mapping values are not allowed"), !beginning.contains(": ") else { return "" }
        return ". Check the indentation, and the space after the colon, here and on the line before."
    }
}

extension Problem {
    fileprivate init(_ file: String, _ place: StrictYAML.Place, _ message: String) {
        self.init(file: file, line: place.line, column: place.column, message: message)
    }
}

/// A node of the tree, and the keys that readers have read.
private final class Node {
    let yaml: YAML
    let path: String
    /// Whether a reader has opened the mapping.
    var isOpen = false
    /// Whether any key is known here.
    var takesAnyKey = false
    /// The keys that were read, in the order of reading, with repetitions.
    var asked: [String] = []
    /// The required keys that are missing.
    var missing: [String] = []
    lazy var elements: [Node] = (yaml.sequence ?? []).enumerated().map { Node($1, path: "\(path)[\($0)]") }
    /// By keys that are scalars.
    lazy var members: [Member] = (yaml.mapping ?? [])
        .compactMap { entry in
            guard let key = entry.key.scalar?.text else { return nil }
            let value = Node(entry.value, path: path.isEmpty ? key : "\(path).\(key)")
            return Member(key: key, place: StrictYAML.Place(entry.key.place), value: value)
        }

    struct Member {
        let key: String
        let place: StrictYAML.Place
        let value: Node
    }

    init(_ yaml: YAML, path: String) {
        self.yaml = yaml
        self.path = path
    }

    /// The places of the values in this mapping and in nested ones, by path.
    var places: [String: StrictYAML.Place] {
        members.reduce(into: [:]) { places, member in
            places[member.value.path] = member.place
            places.merge(member.value.places) { first, _ in first }
        }
    }

    private var unknown: [Member] { takesAnyKey ? [] : members.filter { !asked.contains($0.key) } }

    /// The keys that were read, each once.
    private var known: [String] { asked.reduce(into: []) { keys, key in if !keys.contains(key) { keys.append(key) } } }

    /// The keys that unknown ones are misspellings of.
    var misspelt: [String] {
        let unknown = unknown
        let known = unknown.isEmpty ? [] : known
        return unknown.compactMap { shortened($0.key, among: known) ?? NearestWord.of($0.key, among: known) }
    }

    /// The known key for one that repeats the name of its mapping: `id` for `client_id` in `client`.
    private func shortened(_ key: String, among known: [String]) -> String? {
        guard let owner = path.split(separator: ".").last, key.hasPrefix(owner + "_") else { return nil }
        return known.first { $0 == key.dropFirst(owner.count + 1) }
    }

    /// The unread keys and the missing required keys, here and in nested mappings that were opened.
    ///
    /// A missing key is not reported beside its own misspelling.
    func keyProblems(in file: String) -> [Problem] {
        if yaml.sequence != nil { return elements.flatMap { $0.keyProblems(in: file) } }
        guard isOpen else { return [] }
        let unknown = unknown
        let known = unknown.isEmpty ? [] : self.known
        let misspelt = misspelt
        // A file without any known key is another file, of which nothing is quoted.
        if path.isEmpty, !unknown.isEmpty, unknown.count == members.count, misspelt.isEmpty {
            let list = known.count <= NearestWord.mostListed ? "; known here: \(known.joined(separator: ", "))" : ""
            return [Problem(file: file, message: "the file has none of the keys that are read from it\(list)")]
        }
        let unknownKeys = unknown.map { member in
            let owner = path.isEmpty ? "" : " in “\(path)”"
            let hint =
                shortened(member.key, among: known).map { "; did you mean “\($0)”?" }
                ?? NearestWord.hint(for: member.key, among: known)
            return Problem(file, member.place, "unknown key “\(member.key)”\(owner)\(hint)")
        }
        let missingKeys = missing.filter { !misspelt.contains($0) }
            .map { key in
                let name = path.isEmpty ? key : "\(path).\(key)"
                return Problem(file, StrictYAML.Place(yaml.place), "“\(name)” is missing")
            }
        return unknownKeys + missingKeys + members.flatMap { $0.value.keyProblems(in: file) }
    }
}

extension StrictYAML {
    /// A value of the file, with its place.
    package struct Value {
        private let node: Node
        package let reader: Reader

        fileprivate init(node: Node, reader: Reader) {
            self.node = node
            self.reader = reader
        }

        /// The keys that lead here, for messages: `sign_in.steps`.
        package var path: String { node.path }

        package var place: Place { Place(node.yaml.place) }

        /// Reports a problem with the value, and the variable that it comes from.
        ///
        /// The value of a variable with a secret's name is not shown, because messages are logged.
        package func report(_ message: String) {
            let names = (variableText?.references ?? []).map(\.name)
            let text =
                if let secret = names.first(where: Variables.isSecret) {
                    "the value of the variable \(secret) is invalid for \(name); it is not shown because the variable may be a secret"
                } else if names.isEmpty {
                    message
                } else {
                    "\(message); the value comes from ${\(names.joined(separator: "} and ${"))}"
                }
            reader.report(text, at: place)
        }

        /// True for a text, a number, a truth value or a date, and not for a list or mapping.
        package var isScalar: Bool { node.yaml.scalar != nil }

        package var isList: Bool { node.yaml.sequence != nil }

        package var isMapping: Bool { node.yaml.mapping != nil }

        /// The scalar's text as written, with its variables; `nil` if it has none.
        private var variableText: VariableText? {
            guard reader.variables != nil, let scalar = node.yaml.scalar else { return nil }
            return (try? VariableText(scalar.text)).flatMap { $0.references.isEmpty ? nil : $0 }
        }

        package var containsVariable: Bool { variableText != nil }

        /// The variable that is the whole value; a secret may be written in no other way.
        package var variable: VariableText.Reference? { variableText?.only }

        /// The text of a scalar, variables replaced; `nil` for a list or mapping.
        ///
        /// - Throws: An error if a variable cannot be replaced; the problem has been reported then.
        private func text() throws(Reported) -> String? {
            guard let scalar = node.yaml.scalar else { return nil }
            guard let variables = reader.variables, scalar.text.contains("${") else { return scalar.text }
            do throws(VariableText.Mistake) {
                var text = ""
                for part in try VariableText(scalar.text).parts {
                    switch part {
                    case .text(let plain): text += plain
                    case .variable(let reference): text += try variables.text(of: reference)
                    }
                }
                return text
            } catch {
                reader.report("\(name): \(error.reason)", at: place)
                throw Reported()
            }
        }

        /// The value is wrong, and the problem has been reported.
        private struct Reported: Error {}

        /// The text, converted; `nil`, reported once, if it cannot be converted.
        private func read<Result>(as what: String, _ reading: (String) -> Result?) -> Result? {
            do throws(Reported) {
                if let text = try text(), let result = reading(text) { return result }
            } catch {
                return nil
            }
            report("\(name) must be \(what), not \(quoted)")
            return nil
        }

        /// The text of a scalar without quotes, for readers that distinguish `5` from `"5"`.
        package var plainText: String? {
            guard let scalar = node.yaml.scalar, !scalar.isText else { return nil }
            return try? text()
        }

        /// A string; numbers, truth values and dates are strings as written.
        package func string() -> String? {
            read(as: "a string") { isNull ? nil : $0 }
        }

        /// A non-negative number.
        package func number() -> Double? {
            read(as: "a non-negative number") { text in
                Double(text).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
            }
        }

        /// A duration in seconds, written as `1.1s`, `250ms` or a plain number of seconds.
        package func duration() -> Double? { read(as: "a duration such as 1.1s or 250ms", Self.seconds) }

        private static func seconds(_ text: String) -> Double? {
            let units = [("ms", 0.001), ("s", 1.0), ("", 1.0)]
            let (unit, factor) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
            // Double alone would read "nan", "0x10" and "1e3" as well.
            let digits = text.dropLast(unit.count)
            guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let number = Double(digits)
            else { return nil }
            return number * factor
        }

        package func boolean() -> Bool? {
            read(as: "true or false") { ["true": true, "false": false][$0] }
        }

        /// A YAML null; a variable whose value is such a word is a string.
        private var isNull: Bool { node.yaml.isNull }

        package func list() -> [Value]? {
            guard isList else {
                report("\(name) must be a list, not \(kind); write it as [ … ]")
                return nil
            }
            return node.elements.map { Value(node: $0, reader: reader) }
        }

        package func strings() -> [String]? {
            list().map { values in values.compactMap { $0.string() } }
        }

        package func mapping() -> Mapping? {
            guard let entries = node.yaml.mapping else {
                report("\(name) must be a mapping of keys to values, not \(kind)")
                return nil
            }
            for entry in entries where entry.key.scalar == nil {
                reader.report("a key must be a string", at: Place(entry.key.place))
            }
            node.isOpen = true
            return Mapping(node: node, reader: reader)
        }

        private var name: String { path.isEmpty ? "the file" : "“\(path)”" }

        /// The kind of the value, without its text: the file may be another one, or the value a secret at the wrong place.
        private var kind: String {
            guard let scalar = node.yaml.scalar else { return isMapping ? "a mapping" : "a list" }
            if isNull || scalar.text.isEmpty { return "an empty value" }
            if scalar.isText { return "a string" }
            if ["true", "false"].contains(scalar.text) { return "true or false" }
            return Double(scalar.text).map { $0 < 0 ? "a negative number" : "a number" } ?? "a string"
        }

        /// The kind of the value, and its text in a configuration, where users look for it.
        private var quoted: String {
            guard reader.variables != nil, let text = try? text(), !text.isEmpty else { return kind }
            return "“\(text.prefix(40))”"
        }
    }

    /// A mapping of the file; keys that are never read by name are problems.
    package struct Mapping {
        private let node: Node
        package let reader: Reader

        fileprivate init(node: Node, reader: Reader) {
            self.node = node
            self.reader = reader
        }

        package var place: Place { Place(node.yaml.place) }

        /// The value of an optional key.
        package subscript(key: String) -> Value? {
            node.asked.append(key)
            return node.members.first { $0.key == key }.map { Value(node: $0.value, reader: reader) }
        }

        /// The value of a former key: it is neither reported as unknown nor suggested for a misspelling.
        func former(_ key: String) -> Value? {
            node.members.contains { $0.key == key } ? self[key] : nil
        }

        /// The value of a required key.
        package func required(_ key: String) -> Value? {
            if let value = self[key] { return value }
            node.missing.append(key)
            return nil
        }

        /// Whether an unknown key is the misspelling of a key, which is reported by itself.
        ///
        /// Ask after all keys of the mapping are read: the others are unknown.
        package func isMisspelt(_ key: String) -> Bool { node.misspelt.contains(key) }

        /// All keys and values, in the order of the file; only the given keys are known.
        package func pairs(known keys: [String]) -> [(key: String, value: Value)] {
            node.asked += keys
            return all
        }

        /// All keys and values, in the order of the file; any key is known.
        package var pairs: [(key: String, value: Value)] {
            node.takesAnyKey = true
            return all
        }

        private var all: [(key: String, value: Value)] {
            node.members.map { ($0.key, Value(node: $0.value, reader: reader)) }
        }
    }
}
