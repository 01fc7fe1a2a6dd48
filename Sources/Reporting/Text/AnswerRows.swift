import Conformance

extension TextLayout {
    /// A platform or target with its three answers and its gate.
    struct AnswerRow {
        let name: String
        let answers: Answers
        let gate: Report.Gate
    }

    /// A line for each with the three answers and the gate; if that is too wide, the answers follow below the name.
    ///
    /// - Parameter isShort: Omits the answers in that case.
    mutating func answers(_ members: [AnswerRow], isShort: Bool) {
        let rows = members.map { member in
            [member.name.shown(limit: 60)] + member.answers.words + [JointWording.verdict(member.gate)]
        }
        let table = [[""] + Answers.headings + ["gate"]] + rows
        let widths = table[0].indices.map { column in table.map { $0[column].count }.max() ?? 0 }
        let inks = [nil] + members.map { VerdictLine.ink($0.gate) }
        guard 2 + widths.reduce(0, +) + 2 * (widths.count - 1) <= width else {
            for (cells, ink) in zip(rows, inks.dropFirst()) {
                check(cells[0], value: nil, verdict: cells[4], ink)
                if isShort { continue }
                let answers = zip(Answers.headings, cells[1...3]).map { "\($0): \($1)" }
                paragraph(answers.joined(separator: ", "), indent: 4)
            }
            return
        }
        for (row, ink) in zip(table, inks) {
            let cells = zip(row, widths).dropLast().map { $0 + String(repeating: " ", count: $1 - $0.count) }
            self.row(cells.joined(separator: "  ") + "  ", verdict: row[4], ink)
        }
    }
}
