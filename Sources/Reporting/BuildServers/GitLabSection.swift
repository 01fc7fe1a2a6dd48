import Conformance

/// A part of a job's log that GitLab shows folded.
///
/// A mark is a carriage return and an escape sequence; text after ``LogText/defused(_:as:)`` contains neither.
package struct GitLabSection {
    /// The line before the text.
    package let start: String
    /// The line after the text.
    package let end: String

    /// - Parameters:
    ///   - name: Letters, digits, `_`, `.` and `-`; unique in a job.
    ///   - title: The title of the folded section.
    ///   - moment: Seconds since 1970.
    package init(name: String, title: String, at moment: Double) {
        let seconds = Int(min(max(moment.isNaN ? 0 : moment, 0), 1e12))
        let title = LogText.defused(title.shown())
        start = "\u{1B}[0Ksection_start:\(seconds):\(name)[collapsed=true]\r\u{1B}[0K\(title)\n"
        end = "\u{1B}[0Ksection_end:\(seconds):\(name)\r\u{1B}[0K\n"
    }
}
