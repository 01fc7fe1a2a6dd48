import Conformance

/// The parts of a finding as the terminal shows them.
///
/// Found and expected are values or sentences, without a sign which. So neither is in quotation marks: a sentence is
/// no quotation, and a JSON value can be pasted unchanged.
extension Finding {
    /// The found value; `nil` if the sentence already says it.
    func shownFound(limit: Int = 500) -> String? {
        guard let found, found != "no such member", found != "missing" else { return nil }
        return Self.plain(found, limit)
    }

    /// The expected value; `nil` if it is only the name of the member, header or claim.
    func shownExpected(limit: Int = 500) -> String? {
        guard let expected, expected != lastName else { return nil }
        return Self.plain(expected, limit)
    }

    /// The place in the document; `nil` for a whole document.
    var place: String? {
        pointer.flatMap { $0.isEmpty ? nil : $0.shown() }
    }

    /// The place, unless the sentence names it.
    var unreportedPlace: String? {
        lastName.map { (message.shown() + (subjectText ?? "").shown()).contains($0) } == false ? place : nil
    }

    /// The message, then its subject, so that a long list of subjects does not hide the message.
    func sentence(limit: Int) -> String {
        message.shown(limit: limit) + (firstSubject.map { " (\($0))" } ?? "")
    }

    /// The first sentence of the message, then the subject.
    func firstSentence(limit: Int) -> String {
        message.shown(limit: limit).firstSentence + (firstSubject.map { " (\($0))" } ?? "")
    }

    /// The first affected flow, key or host, and the number of others.
    var firstSubject: String? {
        let others = subjects.count - 1 + subjectsLeft
        return subjects.first.map { subject in
            let noun = Self.isPlace(subject) ? (others == 1 ? " place" : " places") : ""
            return subject.shown(limit: 120) + (others > 0 ? ", and \(others) more\(noun)" : "")
        }
    }

    /// Whether a subject is a flow or an endpoint; others are keys, hosts and addresses.
    private static func isPlace(_ subject: String) -> Bool {
        subject.hasPrefix("response_type ") || subject.hasSuffix(" endpoint")
    }

    /// The last part of the place: the member, header or claim.
    private var lastName: String? {
        pointer?.shown().split(separator: "/").last.map(String.init)
    }

    /// The text unchanged; in quotation marks only if it is empty or has spaces at its ends.
    private static func plain(_ text: String, _ limit: Int) -> String {
        let isHidden = text.isEmpty || text.first == " " || text.last == " "
        let shown = text.shown(limit: limit)
        return isHidden ? "\"\(shown)\"" : shown
    }
}

extension String {
    /// The text up to the end of its first sentence.
    var firstSentence: String {
        let end = ranges(of: ". ").first { self[$0.upperBound...].first?.isUppercase == true }
        return end.map { String(self[..<$0.lowerBound]) + "." } ?? self
    }

    /// The text with a full stop, unless it already has the end of a sentence.
    var asSentence: String {
        guard let last, !".!?…".contains(last) else { return self }
        return self + "."
    }
}

extension TextLayout {
    /// If a check has more findings than this, only the first few are printed.
    private static let mostFindings = 20

    /// The findings of one check: each as a sentence with its values; a shared fix is printed once.
    ///
    /// - Parameters:
    ///   - few: How many are printed if there are more than `most`.
    ///   - most: Up to how many are all printed.
    mutating func findings(_ findings: [Finding], indent: Int, few: Int = 5, most: Int = mostFindings) {
        let isBrief = most < Self.mostFindings
        let reported = findings.count > most ? Array(findings.prefix(few)) : findings
        for (fix, members) in reported.grouped(by: \.fix) {
            for finding in members {
                paragraph(finding.message.shown(limit: isBrief ? 300 : 1_000), indent: indent)
                if let subject = isBrief ? finding.firstSubject : finding.subjectText?.shown(limit: 1_000) {
                    labelled("with", subject, indent: indent + 2)
                }
                if let place = isBrief ? finding.unreportedPlace : finding.place {
                    labelled("at", place, indent: indent + 2)
                }
                // The expected value says little without the found one; the fix covers that case.
                if !isBrief || finding.shownFound() != nil {
                    values(of: finding, indent: indent + 2, limit: isBrief ? 160 : 500)
                }
            }
            labelled("fix", fix.shown(limit: isBrief ? 300 : 1_000), indent: indent + 2)
            for authority in members.compactMap(\.authority).prefix(1) {
                labelled("because", authority.sentence.shown(limit: isBrief ? 300 : 1_000), indent: indent + 2)
            }
        }
        if reported.count < findings.count {
            paragraph("and \(findings.count - reported.count) more findings of this check", indent: indent)
        }
    }

    /// Found and expected, on one line if both fit.
    private mutating func values(of finding: Finding, indent: Int, limit: Int) {
        let found = finding.shownFound(limit: limit)
        let expected = finding.shownExpected(limit: limit)
        if let found, let expected, indent + 24 + found.count + expected.count <= width {
            labelled("found", "\(found)  (expected: \(expected))", indent: indent)
            return
        }
        if let found { labelled("found", found, indent: indent) }
        if let expected { labelled("expected", expected, indent: indent) }
    }
}
