internal import Conformance
internal import Console
internal import Preflight
internal import Reporting

/// A report in one format, whose parts are rendered when each target ends.
struct SpooledReport: Sendable {
    /// A target that ended.
    struct Part {
        /// Without references to screenshots.
        let target: TargetsReport.Target
        let screenshotted: TargetsReport.Target
        let clean: (_ text: String, _ isJSON: Bool) -> String

        init(_ conclusion: RedactableReport, _ credentials: Credentials) {
            screenshotted = conclusion.target
            target = screenshotted.withoutScreenshots
            clean = { credentials.removed(from: conclusion.withoutSecrets($0, isJSON: $1), isJSON: $1) }
        }
    }

    /// The end of all targets.
    struct End {
        let targets: TargetsReport
        let credentials: Credentials

        init(_ targets: TargetsReport, _ credentials: Credentials) {
            self.targets = targets
            self.credentials = credentials
        }
    }

    private var rendering: TargetsRendering
    private var parts = Spool()
    private let isJSON: Bool
    private let withScreenshots: Bool

    init(
        _ format: ReportFormat,
        _ options: ReportOptions,
        _ counts: (targets: Int, reports: Int),
        withScreenshots: Bool = false
    ) {
        rendering = TargetsRendering(format, options, targets: counts.targets, reports: counts.reports)
        isJSON = format.isJSON
        self.withScreenshots = withScreenshots
    }

    /// A text that consists only of parts.
    init(parts: @escaping @Sendable (JointReport) -> String) {
        rendering = TargetsRendering(parts: parts)
        isJSON = false
        withScreenshots = false
    }

    mutating func add(_ part: Part) {
        parts.add(part.clean(rendering.part(withScreenshots ? part.screenshotted : part.target), isJSON))
    }

    /// Passes on the whole text piece by piece, without secrets.
    ///
    /// - Throws: What `body` throws, or if the parts cannot be read.
    func forEach(_ end: End, _ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        let frame = rendering.frame(end.targets)
        try body(end.credentials.removed(from: frame.head, isJSON: isJSON))
        try parts.forEach(body)
        try body(end.credentials.removed(from: frame.tail, isJSON: isJSON))
    }

    /// The whole text, for formats of a bounded size.
    func text(_ end: End) -> String {
        var text = ""
        try? forEach(end) { text += $0 }
        return text
    }

    /// Writes the text, with a final line feed.
    ///
    /// - Parameter form: How the text is escaped for logs; `nil` for a text that a log is to interpret.
    func print(_ end: End, as form: LogText.Form? = .text, to descriptor: Int32 = Terminal.output) {
        var isAtLineEnd = true
        do throws(SystemError) {
            try forEach(end) { text in
                if text.isEmpty { return }
                Terminal.write(form.map { LogText.defused(text, as: $0) } ?? text, to: descriptor)
                isAtLineEnd = text.hasSuffix("\n")
            }
        } catch {
            Terminal.complain("The report is incomplete: \(error.reason)")
        }
        if !isAtLineEnd { Terminal.write("\n", to: descriptor) }
    }
}
