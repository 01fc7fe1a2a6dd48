internal import Conformance
internal import JSONTree
package import Profiles

/// The issuers of a list, in its order, without duplicates.
package struct IssuerList: Sendable {
    /// An issuer with its profile and configuration.
    package struct Entry: Sendable, Hashable {
        package var issuer: String
        /// In the form of `--profile`; `nil` for that of the command line or of the configuration.
        package var profile: String?
        /// A `preflight.yaml`, relative to the working folder; `nil` for none.
        package var configuration: String?
        /// The target of the configuration; `nil` for the only one.
        package var target: String?
        /// Its line, counted from 1.
        package var line: Int

        package init(
            issuer: String,
            profile: String? = nil,
            configuration: String? = nil,
            target: String? = nil,
            line: Int
        ) {
            self.issuer = issuer
            self.profile = profile
            self.configuration = configuration
            self.target = target
            self.line = line
        }

        /// Configuration and target in one; empty for none.
        var configurationName: String { (configuration ?? "") + (target.map { "#\($0)" } ?? "") }

        /// Identifies the entry.
        var key: String {
            [issuer, profile ?? "", configuration ?? "", target ?? ""].joined(separator: "\u{1F}")
        }
    }

    /// The format of a list.
    package enum Form: Sendable, CaseIterable {
        /// A line per issuer, followed by profile and configuration, separated by spaces; `-` means none, `#` begins a comment.
        case text
        /// RFC 4180; the first line names the columns `issuer`, `profile` and `configuration` in any order.
        case csv
        /// A JSON object per line, with the members `issuer`, `profile` and `configuration`.
        case jsonLines
        /// A configuration with `targets`.
        case targets

        /// By the file extension; text for any other.
        package init(file: String) {
            let ending = file.split(separator: "/").last?.split(separator: ".").last.map { $0.lowercased() } ?? ""
            self =
                switch ending {
                case "csv": .csv
                case "jsonl", "ndjson", "json": .jsonLines
                case "yaml", "yml": .targets
                default: .text
                }
        }
    }

    package let file: String
    package var entries: [Entry]
    /// The lines that repeat an earlier one, with the earlier line.
    package var repetitions: [(line: Int, first: Int)] = []

    /// The maximum number of listed mistakes; more are only counted.
    private static let mostProblems = 20
    /// The maximum length of a line in bytes.
    private static let longestLine = 16_384

    /// - Parameter entries: In the order of the file; repetitions are dropped.
    /// - Throws: If there is no entry.
    package init(file: String, entries: [Entry]) throws(ConfigurationError) {
        self.file = file
        self.entries = []
        self.entries.reserveCapacity(entries.count)
        var seen: [String: Int] = Dictionary(minimumCapacity: entries.count)
        for entry in entries {
            let key = entry.key
            if let first = seen[key] {
                repetitions.append((entry.line, first))
            } else {
                seen[key] = entry.line
                self.entries.append(entry)
            }
        }
        if self.entries.isEmpty {
            throw ConfigurationError(
                file: file,
                "the list contains no issuer: write one per line, such as https://idp.example.com"
            )
        }
    }

    /// Reads a list that is not a configuration.
    ///
    /// - Parameters:
    ///   - bytes: The file, in UTF-8.
    ///   - file: Its name, for messages and for the paths of configurations.
    ///   - problem: Why an issuer is invalid; `nil` if it is valid.
    package static func read(
        _ bytes: [UInt8],
        file: String,
        form: Form,
        problem: (String) -> String?
    ) throws(ConfigurationError) -> IssuerList {
        var reading = Reading(file: file)
        switch form {
        case .text, .targets:
            reading.lines(bytes) { text, reading, line throws(Mistake) in try reading.textEntry(text, at: line) }
        case .jsonLines:
            reading.lines(bytes) { text, reading, line throws(Mistake) in try reading.jsonEntry(text, at: line) }
        case .csv: reading.csv(bytes)
        }
        for entry in reading.entries {
            if let why = problem(entry.issuer) { reading.report(why, at: entry.line) }
            for name in JointNames.of(entry.profile) {
                if let why = ProfileLibrary.problem(ofName: name) { reading.report(why, at: entry.line) }
            }
        }
        if !reading.problems.isEmpty { throw ConfigurationError(reading.reported) }
        return try IssuerList(file: file, entries: reading.entries)
    }

    /// A mistake of one line.
    private struct Mistake: Error { let message: String }

    private enum JointNames {
        static func of(_ list: String?) -> [String] {
            (list ?? "").split(separator: ",").map { String($0).trimmingASCIISpace }.filter { !$0.isEmpty }
        }
    }

    /// The entries and problems so far.
    private struct Reading {
        let file: String
        var entries: [Entry] = []
        var problems: [Problem] = []
        private var left = 0

        init(file: String) { self.file = file }

        mutating func report(_ message: String, at line: Int) {
            if problems.count < IssuerList.mostProblems {
                problems.append(Problem(file: file, line: line, message: message))
            } else {
                left += 1
            }
        }

        var reported: [Problem] {
            let all = problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
            return left == 0 ? all : all + [Problem(file: file, message: "and \(left) more errors")]
        }

        /// Reads line by line, with any line end.
        mutating func lines(_ bytes: [UInt8], _ read: (String, Reading, Int) throws(Mistake) -> Entry?) {
            var number = 0
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            for line in bytes.dropFirst(hasMark ? 3 : 0).split(separator: 10, omittingEmptySubsequences: false) {
                number += 1
                do throws(Mistake) {
                    let text = try Self.text(line.last == 13 ? line.dropLast() : line)
                    if let entry = try read(text.trimmingASCIISpace, self, number) { entries.append(entry) }
                } catch {
                    report(error.message, at: number)
                }
            }
        }

        static func text(_ bytes: ArraySlice<UInt8>) throws(Mistake) -> String {
            guard bytes.count <= IssuerList.longestLine else {
                throw Mistake(
                    message:
                        "the line has \(bytes.count) bytes; the limit is \(IssuerList.longestLine)"
                )
            }
            if bytes.contains(0) {
                throw Mistake(
                    message: "the line contains a NUL byte: the list must be a UTF-8 text file with one issuer per line"
                )
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Mistake(message: "the line is not UTF-8: write internationalised host names as punycode")
            }
            return text
        }

        func textEntry(_ text: String, at line: Int) throws(Mistake) -> Entry? {
            if text.isEmpty || text.hasPrefix("#") { return nil }
            let words = text.split { $0 == " " || $0 == "\t" }.map(String.init)
            // A comment may follow an entry; a `#` within an issuer is reported as part of it.
            let end = words.dropFirst().firstIndex { $0.hasPrefix("#") } ?? words.endIndex
            guard end <= 3 else {
                throw Mistake(
                    message:
                        "the line has \(end) words; it may contain issuer, profile and configuration. Separate several profiles "
                        + "with commas and no spaces"
                )
            }
            return entry(words[0], word(words, 1, end), word(words, 2, end), line)
        }

        private func word(_ words: [String], _ place: Int, _ end: Int) -> String? {
            place < end && words[place] != "-" ? words[place] : nil
        }

        func jsonEntry(_ text: String, at line: Int) throws(Mistake) -> Entry? {
            if text.isEmpty { return nil }
            let object: JSONObject?
            do throws(JSONError) {
                object = try JSONDocument.parse(text, depthLimit: 4).root.objectValue
            } catch {
                throw Mistake(message: "the line is not JSON: \(error.reasonAlone)")
            }
            guard let object else {
                throw Mistake(
                    message: "the line is not a JSON object such as {\"issuer\": \"https://idp.example.com\"}"
                )
            }
            let known = ["issuer", "profile", "configuration"]
            for member in object.members where !known.contains(member.name) {
                throw Mistake(
                    message:
                        "unknown member “\(member.name.shown(limit: 60))”\(NearestWord.hint(for: member.name, among: known))"
                )
            }
            for member in object.members where member.value.stringValue == nil && !member.value.isNull {
                throw Mistake(message: "the member “\(member.name)” must be a string, not \(member.value.kind.phrase)")
            }
            guard let issuer = object["issuer"]?.stringValue else {
                throw Mistake(message: "the member “issuer” is missing")
            }
            return entry(issuer, object["profile"]?.stringValue, object["configuration"]?.stringValue, line)
        }

        private func entry(_ issuer: String, _ profile: String?, _ configuration: String?, _ line: Int) -> Entry {
            func filled(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
            return Entry(
                issuer: issuer,
                profile: filled(profile).map { profiles(beside: $0) },
                configuration: filled(configuration).map { RelativePath.beside(file, $0) },
                line: line
            )
        }

        /// Profile files are relative to the list.
        private func profiles(beside list: String) -> String {
            JointNames.of(list).map { ProfileLibrary.isFile($0) ? RelativePath.beside(file, $0) : $0 }
                .joined(separator: ",")
        }

        mutating func csv(_ bytes: [UInt8]) {
            let hasMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            var rows = CSVRows(bytes.dropFirst(hasMark ? 3 : 0))
            guard let header = rows.next() else { return }
            let known = ["issuer", "profile", "configuration"]
            let names = header.fields.map { String(decoding: $0, as: UTF8.self).trimmingASCIISpace.lowercased() }
            guard let issuer = names.firstIndex(of: "issuer") else {
                return report("the first line must name the columns, and it has no column “issuer”", at: header.line)
            }
            for name in names where !known.contains(name) {
                report(
                    "unknown column “\(name.shown(limit: 60))”\(NearestWord.hint(for: name, among: known))",
                    at: header.line
                )
            }
            let profile = names.firstIndex(of: "profile")
            let configuration = names.firstIndex(of: "configuration")
            while let row = rows.next() {
                if row.fields.count == 1, row.fields[0].isEmpty { continue }
                do throws(Mistake) {
                    if let problem = row.problem { throw Mistake(message: problem) }
                    guard row.fields.count == names.count else {
                        throw Mistake(
                            message: "the line has \(row.fields.count) fields, but the first line names \(names.count)"
                        )
                    }
                    var texts: [String] = []
                    for field in row.fields { texts.append(try Self.text(field[...]).trimmingASCIISpace) }
                    entries.append(
                        entry(texts[issuer], profile.map { texts[$0] }, configuration.map { texts[$0] }, row.line)
                    )
                } catch {
                    report(error.message, at: row.line)
                }
            }
        }
    }
}

/// The rows of an RFC 4180 text, which may also end with a line feed alone.
private struct CSVRows {
    struct Row {
        /// Its first line, counted from 1.
        let line: Int
        var fields: [[UInt8]]
        var problem: String?
    }

    private let bytes: ArraySlice<UInt8>
    private var place: Int
    private var line = 1

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        place = bytes.startIndex
    }

    mutating func next() -> Row? {
        guard place < bytes.endIndex else { return nil }
        var row = Row(line: line, fields: [])
        while true {
            row.fields.append(field(&row.problem))
            guard place < bytes.endIndex else { return row }
            let end = bytes[place]
            place += 1
            if end == UInt8(ascii: "\n") {
                line += 1
                return row
            }
        }
    }

    /// Reads up to the comma or line feed that follows, or to the end.
    private mutating func field(_ problem: inout String?) -> [UInt8] {
        var field: [UInt8] = []
        let isQuoted = place < bytes.endIndex && bytes[place] == UInt8(ascii: "\"")
        if isQuoted {
            place += 1
            while place < bytes.endIndex {
                let byte = bytes[place]
                place += 1
                if byte == UInt8(ascii: "\"") {
                    guard place < bytes.endIndex, bytes[place] == byte else { break }
                    place += 1
                }
                if byte == UInt8(ascii: "\n") { line += 1 }
                field.append(byte)
            }
            if bytes[place - 1] != UInt8(ascii: "\"") { problem = "a quotation mark is not closed" }
        }
        while place < bytes.endIndex, bytes[place] != UInt8(ascii: ","), bytes[place] != UInt8(ascii: "\n") {
            if bytes[place] != 13 || place + 1 < bytes.endIndex && bytes[place + 1] != UInt8(ascii: "\n") {
                if isQuoted { problem = "text follows a closing quotation mark" }
                field.append(bytes[place])
            }
            place += 1
        }
        return field
    }
}
