import JSONTree

/// The result of a check for the evidence; only ``passed`` means that the provider was seen to follow the rule.
package enum Verdict: Sendable, Hashable {
    case passed
    case failed([Finding])
    /// The rule is violated, and the failure of another check is the root cause: it is reported there, once.
    case superseded(by: CheckID)
    /// The rule does not concern this provider or target; the reason says why.
    case notApplicable(String)
    /// The evidence should have been there and could not be had; never a pass.
    case inconclusive(Reason)
    /// The run did not collect this evidence: lower tier, flow not configured, document from a file.
    case notAttempted(Reason)

    @_disfavoredOverload
    package static func inconclusive(_ why: String) -> Verdict { .inconclusive(Reason(why)) }

    @_disfavoredOverload
    package static func notAttempted(_ why: String) -> Verdict { .notAttempted(Reason(why)) }

    package var word: String {
        switch self {
        case .passed: "passed"
        case .failed: "failed"
        case .superseded: "excused"
        case .notApplicable: "notApplicable"
        case .inconclusive: "inconclusive"
        case .notAttempted: "notAttempted"
        }
    }

    /// The reason of every verdict that is neither passed nor failed.
    package var reason: String? {
        switch self {
        case .passed, .failed: nil
        case .superseded(let cause): "skipped, because \(cause) failed"
        case .inconclusive(let why), .notAttempted(let why): why.text
        case .notApplicable(let why): why
        }
    }

    /// The check whose failure is the cause of this one's.
    package var supersede: CheckID? {
        if case .superseded(let cause) = self { cause } else { nil }
    }

    package var findings: [Finding] {
        guard case .failed(let findings) = self else { return [] }
        return findings
    }
}

/// One mistake, its place, and the value that corrects it.
package struct Finding: Sendable, Hashable, Codable {
    /// The observed behaviour, in one sentence with a full stop.
    package var message: String
    /// JSON pointer (`/token_endpoint`), header name, parameter or claim that the finding is about.
    package var pointer: String?
    package var expected: String?
    package var found: String?
    /// The value to register or the member to change.
    package var fix: String
    /// The exchange in which it was seen, an index into the evidence's exchanges.
    package var exchange: Int?
    /// Which of several subjects it is about: flows, keys, hosts; at most ``mostSubjects``.
    package var subjects: [String]
    /// How many more subjects it is about.
    package var subjectsLeft = 0
    /// Whose rule it is, where a profile states it; `nil` where the check's own citation says it.
    package var authority: Authority?

    /// A platform's rule, as its profile states it.
    package struct Authority: Sendable, Hashable, Codable {
        /// The profile's title.
        package var profile: String
        /// The consequence at the platform.
        package var because: String
        /// The source of the rule.
        package var source: String

        package init(profile: String, because: String, source: String) {
            self.profile = profile
            self.because = because
            self.source = source
        }

        /// The rule in a sentence.
        package var sentence: String { "\(profile): \(because) (\(source))" }
        /// The documentation of such rules, and how a profile states them.
        package var link: String { Publication.link(to: "Documentation/Profiles.md#rules") }
    }

    package init(
        _ message: String,
        at pointer: String? = nil,
        expected: String? = nil,
        found: String? = nil,
        fix: String,
        exchange: Int? = nil,
        subject: String? = nil
    ) {
        self.message = ".?!".contains(message.last ?? ".") ? message : message + "."
        self.pointer = pointer
        self.expected = expected
        self.found = found
        self.fix = fix
        self.exchange = exchange
        self.subjects = subject.map { [$0] } ?? []
    }

    /// A provider decides how many subjects there are, and how long their names are.
    package static let mostSubjects = 1_000
    private static let longestSubject = 200

    /// The subjects in one text, eight of them by name; `nil` where there are none.
    package var subjectText: String? {
        let left = max(0, subjects.count - 8) + subjectsLeft
        return subjects.isEmpty
            ? nil : (subjects.prefix(8) + (left > 0 ? ["and \(left) more"] : [])).joined(separator: "; ")
    }

    /// The findings with equal ones merged, of several subjects or repeated, in the order of their first.
    ///
    /// Each subject is named once. Beyond ``mostSubjects`` they are counted.
    package static func merged(_ findings: [Finding]) -> [Finding] {
        var result: [Finding] = []
        var seen: [Set<String>] = []
        var places: [FindingContent: Int] = [:]
        for finding in findings {
            let content = FindingContent(finding)
            let place = places[content] ?? result.count
            if place == result.count {
                places[content] = place
                result.append(finding)
                result[place].subjects = []
                seen.append([])
            }
            for subject in finding.subjects.map({ $0.shown(limit: longestSubject) })
            where seen[place].insert(subject).inserted {
                if result[place].subjects.count < mostSubjects {
                    result[place].subjects.append(subject)
                } else {
                    result[place].subjectsLeft += 1
                }
            }
        }
        return result
    }
}

/// The content of a finding, without its subject and exchange.
///
/// Texts are compared by their bytes: because of the quotation marks, every message would be normalised first.
private struct FindingContent: Hashable {
    private let texts: [Text?]
    private let authority: Finding.Authority?
    private let hasSubject: Bool

    init(_ finding: Finding) {
        texts = [finding.message, finding.pointer, finding.expected, finding.found, finding.fix]
            .map { $0.map(Text.init) }
        authority = finding.authority
        hasSubject = !finding.subjects.isEmpty
    }

    private struct Text: Hashable {
        let text: String

        static func == (one: Text, other: Text) -> Bool { one.text.isIdenticalText(to: other.text) }

        func hash(into hasher: inout Hasher) {
            // A provider's text may have millions of bytes; texts that begin and end alike are compared in full.
            var text = text
            text.withUTF8 { bytes in
                hasher.combine(bytes.count)
                hasher.combine(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.prefix(512))))
                hasher.combine(bytes: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: bytes.suffix(512))))
            }
        }
    }
}

/// `1 check`, `3 checks`.
package func counted(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
}

extension String {
    /// The string in quotation marks, bounded and with control characters made visible: no other provider text enters a
    /// message.
    package var quoted: String { "“\(shown(limit: 200))”" }

    /// The string bounded to `limit` characters, control and bidirectional formatting characters made visible.
    package func shown(limit: Int = 300) -> String {
        var result = ""
        var count = 0
        for scalar in unicodeScalars {
            if count == limit { return result + "…" }
            count += 1
            if scalar.isHarmless {
                result.unicodeScalars.append(scalar)
            } else {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result
    }
}

extension Unicode.Scalar {
    /// Neither a control character nor one that reorders or hides the text around it.
    fileprivate var isHarmless: Bool {
        // Nearly all text is ASCII, and the look-up of a category takes long.
        if isASCII { return (0x20..<0x7F).contains(value) }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
