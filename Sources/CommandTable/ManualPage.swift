extension [Command] {
    /// The manual page of the last command of the path: section 1, in the macros of man(7).
    ///
    /// - Parameter source: The program with its version, for the footer.
    package func manualPage(source: String) -> String {
        guard let command = last else { return "" }
        let name = map(\.name).joined(separator: "-")
        var lines = [
            ".TH \(name.uppercased().roffQuoted) 1 \"\" \(source.roffQuoted) \"User Commands\"", ".nh", ".ad l",
        ]
        lines += [".SH NAME", "\(name.roff) \\- \(command.summary.asClause.roff)", ".SH SYNOPSIS", usage.roff]
        if !command.text.isEmpty {
            lines.append(".SH DESCRIPTION")
            lines += command.text.flatMap { [".PP", $0.roff] }
        }
        lines += (command.argumentParts + command.sections)
            .flatMap { part in
                [".SH \(part.title.roffQuoted)"] + part.paragraphs.flatMap { [".PP", $0.roff] }
                    + part.terms.flatMap { [".TP", ".B \($0.term.roffQuoted)", $0.meaning.roff] }
            }
        lines.append(".SH EXAMPLES")
        for example in command.examples {
            lines += [".PP", ".nf", example.line.roff, ".fi"]
            if !example.comment.isEmpty { lines += [".RS", example.comment.roff, ".RE"] }
        }
        let related = (count > 1 ? [dropLast().map(\.name)] : []) + command.shown.map { map(\.name) + [$0.name] }
        lines += [".SH SEE ALSO", related.map { "\($0.joined(separator: "-").roff)(1)" }.joined(separator: ", ")]
        return lines.joined(separator: "\n") + "\n"
    }
}

extension String {
    /// Escaped for roff; a dot or an apostrophe at the beginning of a line would be a request.
    fileprivate var roff: String {
        let text = replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return hasPrefix(".") || hasPrefix("'") ? "\\&" + text : text
    }

    fileprivate var roffQuoted: String { "\"\(roff.replacing("\"", with: "\\(dq"))\"" }
}
