package import Conformance
internal import JSONTree

/// Why a file is not a valid JSON report of this program.
package struct ReportFileError: Error, Hashable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A JSON report that was written earlier, for one platform or several.
package enum JSONReportReader {
    /// The digests of all reports in the file, in its order; never empty.
    ///
    /// - Throws: If the file is not JSON, not a report of this program, of another schema version, or lacks a member.
    package static func read(_ bytes: [UInt8]) throws(ReportFileError) -> [ReportDigest] {
        let root: JSON
        do {
            root = try JSONDocument.parse(bytes, valueLimit: JSONDocument.ownValueLimit).root
        } catch {
            throw ReportFileError("is not JSON: \(error.reasonAlone)")
        }
        guard let version = root["schemaVersion"]?.integerValue, root["outcome"] != nil else {
            let isEvidence = root["format"] != nil || root["exchanges"] != nil
            throw ReportFileError(
                isEvidence
                    ? "is saved evidence, not a report; create one with: oidc-preflight judge FILE --report json=REPORT"
                    : "is not a JSON report of oidc-preflight (check --report json=FILE writes one)"
            )
        }
        guard version == Int64(Report.currentSchemaVersion) else {
            throw ReportFileError(
                "is a report of schema version \(version), but this program reads version "
                    + "\(Report.currentSchemaVersion); repeat the run, or use judge on its saved evidence"
            )
        }
        guard root["targets"] == nil else {
            throw ReportFileError(
                "is a report of several targets; compare one target at a time: check --target NAME --report json=FILE"
            )
        }
        guard let reports = root["reports"]?.arrayValue else { return [try report(Place(root, "the report"))] }
        var digests: [ReportDigest] = []
        for (index, tree) in reports.enumerated() { digests.append(try report(Place(tree, "/reports/\(index)"))) }
        if digests.isEmpty { throw ReportFileError("contains no report") }
        return digests
    }

    private static func report(_ place: Place) throws(ReportFileError) -> ReportDigest {
        let answers = try place.member("answers")
        var verdicts: [Field] = []
        for name in ["signIn", "safety", "conformance"] {
            verdicts.append(Field(name, try answers.member(name).text("verdict")))
        }
        var entries: [ReportDigest.Entry] = []
        for tree in try place.elements("entries") { entries.append(try entry(tree)) }
        var causes: [String] = []
        for tree in try place.elements("causes") { causes.append(try tree.text("message")) }
        return ReportDigest(
            issuer: try place.member("target").text("issuer"),
            profile: try place.member("profile").text("name"),
            gate: try place.member("outcome").word("gate"),
            answers: verdicts,
            causes: causes,
            entries: entries
        )
    }

    private static func entry(_ place: Place) throws(ReportFileError) -> ReportDigest.Entry {
        var findings: [Finding] = []
        for tree in try place.elements("findings") {
            var finding = Finding(
                try tree.text("message"),
                at: tree.optional("pointer"),
                expected: tree.optional("expected"),
                found: tree.optional("found"),
                fix: try tree.text("fix")
            )
            finding.subjects = try tree.elements("subjects").compactMap(\.tree.stringValue)
            finding.subjectsLeft = Int(tree.tree["subjectsLeft"]?.integerValue ?? 0)
            if tree.tree["authority"]?.objectValue != nil {
                let authority = try tree.member("authority")
                finding.authority = Finding.Authority(
                    profile: try authority.text("profile"),
                    because: try authority.text("because"),
                    source: try authority.text("source")
                )
            }
            findings.append(finding)
        }
        return ReportDigest.Entry(
            id: CheckID(written: try place.text("id")),
            level: try place.word("level"),
            verdict: try place.text("verdict"),
            reason: place.optional("reason"),
            isWaived: place.tree["waiver"]?.objectValue != nil,
            closes: try place.flag("closesGate") || place.tree["known"] == true,
            findings: findings
        )
    }

    /// A value of the file and its location.
    private struct Place {
        let tree: JSON
        let pointer: String

        init(_ tree: JSON, _ pointer: String) {
            self.tree = tree
            self.pointer = pointer
        }

        func member(_ name: String) throws(ReportFileError) -> Place {
            guard let value = tree[name] else { throw ReportFileError("has no \(name) in \(pointer)") }
            return Place(value, pointer.hasPrefix("/") ? "\(pointer)/\(name)" : "/\(name)")
        }

        func elements(_ name: String) throws(ReportFileError) -> [Place] {
            let list = try member(name)
            guard let values = list.tree.arrayValue else { throw list.foreign("a list") }
            return values.enumerated().map { Place($0.element, "\(list.pointer)/\($0.offset)") }
        }

        func text(_ name: String) throws(ReportFileError) -> String {
            let value = try member(name)
            guard let text = value.tree.stringValue else { throw value.foreign("a string") }
            return text
        }

        func flag(_ name: String) throws(ReportFileError) -> Bool {
            let value = try member(name)
            switch value.tree {
            case .bool(let flag): return flag
            default: throw value.foreign("true or false")
            }
        }

        /// One of the words of a type.
        func word<Word: RawRepresentable<String>>(_ name: String) throws(ReportFileError) -> Word {
            let text = try text(name)
            guard let word = Word(rawValue: text) else {
                throw ReportFileError("has the unknown value \(text.quoted) at \(try member(name).pointer)")
            }
            return word
        }

        func optional(_ name: String) -> String? { tree[name]?.stringValue }

        private func foreign(_ what: String) -> ReportFileError { ReportFileError("has no \(what) at \(pointer)") }
    }
}
