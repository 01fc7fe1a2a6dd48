internal import YAMLTree

/// A YAML file read strictly: every key must be known, every value of the right type, and all problems are told at once.
///
/// Readers ask for the values that they know; whatever was not asked for is a problem.
package struct StrictYAML {
    /// Collects the problems of one file; shared by all its mappings.
    package final class Reader {
        package let file: String
        package fileprivate(set) var problems: [Problem] = []

        fileprivate init(file: String) {
            self.file = file
        }

        package func report(_ message: String, at place: Place?) {
            problems.append(Problem(file: file, line: place?.line, column: place?.column, message: message))
        }

        /// Throws what was found so far, in the order of the file.
        package func finish() throws(ConfigurationError) {
            if problems.isEmpty { return }
            throw ConfigurationError(
                problems.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
            )
        }
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

    /// Parses a file whose root is a mapping.
    package static func parse(_ text: String, file: String) throws(ConfigurationError) -> Mapping {
        let node: YAML
        do throws(YAMLError) {
            node = try YAML.parse(text)
        } catch {
            throw ConfigurationError([problem(of: error, file: file)])
        }
        let reader = Reader(file: file)
        guard let mapping = Value(node: node, reader: reader, path: "").mapping() else {
            try reader.finish()
            throw ConfigurationError(file: file, "the file must hold a mapping of keys to values")
        }
        return mapping
    }

    private static func problem(of error: YAMLError, file: String) -> Problem {
        let place = Place(error.place)
        return switch error.reason {
        case .empty: Problem(file: file, message: "the file is empty")
        case .duplicateKey(let key, let first):
            Problem(file, place, "written more than once: \(key); first at \(first)")
        default: Problem(file, place, "not YAML: \(error.reason)")
        }
    }
}

extension Problem {
    fileprivate init(_ file: String, _ place: StrictYAML.Place, _ message: String) {
        self.init(file: file, line: place.line, column: place.column, message: message)
    }
}

extension StrictYAML {
    /// A value of the file, with its place.
    package struct Value {
        private let node: YAML
        package let reader: Reader
        /// The keys that lead here, for messages: `sign_in.steps`.
        package let path: String

        fileprivate init(node: YAML, reader: Reader, path: String) {
            self.node = node
            self.reader = reader
            self.path = path
        }

        package var place: Place? { Place(node.place) }

        package func report(_ message: String) {
            reader.report(message, at: place)
        }

        /// True for a text, a number, a truth value or a date, and not for a list or mapping.
        package var isScalar: Bool { node.scalar != nil }

        package var isList: Bool { node.sequence != nil }

        package var isMapping: Bool { node.mapping != nil }

        /// The text of a scalar without quotes, for readers to whom `5` and `"5"` are not the same.
        package var plainText: String? {
            guard let scalar = node.scalar, !scalar.isText else { return nil }
            return scalar.text
        }

        /// A text; numbers, truth values and dates count as the text they are written as.
        package func string() -> String? {
            guard let scalar = node.scalar, !isNull else {
                report("\(name) must be a text, not \(kind)")
                return nil
            }
            return scalar.text
        }

        /// A number that is not negative.
        package func number() -> Double? {
            guard let scalar = node.scalar, let number = Double(scalar.text), number >= 0, number.isFinite else {
                report("\(name) must be a number that is not negative, not \(kind)")
                return nil
            }
            return number
        }

        /// A time in seconds, written as `1.1s`, `250ms` or a plain number of seconds.
        package func duration() -> Double? {
            let text = node.scalar?.text ?? ""
            let units = [("ms", 0.001), ("s", 1.0), ("", 1.0)]
            let (unit, factor) = units.first { text.hasSuffix($0.0) } ?? ("", 1)
            // Double alone would read "nan", "0x10" and "1e3" as well.
            let digits = text.dropLast(unit.count)
            guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }),
                let number = Double(digits)
            else {
                report("\(name) must be a time such as 1.1s or 250ms, not \(kind)")
                return nil
            }
            return number * factor
        }

        package func boolean() -> Bool? {
            switch node.scalar?.text {
            case "true": return true
            case "false": return false
            default:
                report("\(name) must be true or false, not \(kind)")
                return nil
            }
        }

        /// Nothing, in one of the ways of YAML 1.2 (section 10.3.2).
        private var isNull: Bool {
            guard let text = plainText else { return false }
            return ["", "~", "null", "Null", "NULL"].contains(text)
        }

        package func list() -> [Value]? {
            guard let sequence = node.sequence else {
                report("\(name) must be a list, not \(kind); write it as [ … ]")
                return nil
            }
            return sequence.enumerated().map { Value(node: $1, reader: reader, path: "\(path)[\($0)]") }
        }

        package func strings() -> [String]? {
            list().map { values in values.compactMap { $0.string() } }
        }

        package func mapping() -> Mapping? {
            guard let mapping = node.mapping else {
                report("\(name) must be a mapping of keys to values, not \(kind)")
                return nil
            }
            var entries: [Mapping.Entry] = []
            for entry in mapping {
                guard let text = entry.key.scalar?.text else {
                    reader.report("a key must be a text", at: Place(entry.key.place))
                    continue
                }
                entries.append(
                    Mapping.Entry(
                        key: text,
                        place: Place(entry.key.place),
                        value: Value(node: entry.value, reader: reader, path: path.isEmpty ? text : "\(path).\(text)")
                    )
                )
            }
            return Mapping(reader: reader, path: path, place: place, entries: entries)
        }

        private var name: String { path.isEmpty ? "the file" : "“\(path)”" }

        private var kind: String {
            if node.mapping != nil { return "a mapping" }
            if node.sequence != nil { return "a list" }
            let text = node.scalar?.text ?? ""
            return text.isEmpty ? "nothing" : "“\(text.prefix(40))”"
        }
    }

    /// A mapping of the file; keys are read by name, then the rest is refused.
    package struct Mapping {
        fileprivate struct Entry {
            let key: String
            let place: Place?
            let value: Value
        }

        package let reader: Reader
        package let path: String
        package let place: Place?
        private let entries: [Entry]

        fileprivate init(reader: Reader, path: String, place: Place?, entries: [Entry]) {
            self.reader = reader
            self.path = path
            self.place = place
            self.entries = entries
        }

        /// Reports every key that is not one of these, with the nearest that is.
        package func allow(_ keys: [String]) {
            for entry in entries where !keys.contains(entry.key) {
                let owner = path.isEmpty ? "" : " in “\(path)”"
                reader.report(
                    "unknown key “\(entry.key)”\(owner)" + NearestWord.hint(for: entry.key, among: keys),
                    at: entry.place
                )
            }
        }

        package subscript(key: String) -> Value? {
            entries.first { $0.key == key }?.value
        }

        /// The value of a key that must be there.
        package func required(_ key: String) -> Value? {
            if let value = self[key] { return value }
            reader.report("“\(path.isEmpty ? key : "\(path).\(key)")” is missing", at: place)
            return nil
        }

        /// All keys and values, in the order of the file.
        package var pairs: [(key: String, value: Value)] { entries.map { ($0.key, $0.value) } }
    }
}
