import Conformance

/// A part of a job's log that GitLab shows folded.
package enum GitLabSection {
    /// The text between the marks of a section.
    ///
    /// A mark is a carriage return and an escape sequence; text after ``LogText/defused(_:as:)`` contains neither.
    ///
    /// - Parameters:
    ///   - name: Letters, digits, `_`, `.` and `-`; unique in a job.
    ///   - title: The title of the folded section.
    ///   - moment: Seconds since 1970.
    package static func folded(_ text: String, name: String, title: String, at moment: Double) -> String {
        let seconds = Int(min(max(moment.isNaN ? 0 : moment, 0), 1e12))
        let body = LogText.defused(text)
        return "\u{1B}[0Ksection_start:\(seconds):\(name)[collapsed=true]\r\u{1B}[0K\(LogText.defused(title.shown()))\n"
            + body + (body.hasSuffix("\n") ? "" : "\n")
            + "\u{1B}[0Ksection_end:\(seconds):\(name)\r\u{1B}[0K\n"
    }
}
