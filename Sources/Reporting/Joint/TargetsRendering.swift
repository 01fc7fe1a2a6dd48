package import Conformance

/// Renders several targets in one format, each when it ends, so that no report of a target has to be kept.
///
/// The whole text is the head, the parts in order, and the tail. A single target is its part alone.
package struct TargetsRendering: Sendable {
    private var renderer: any TargetsRenderer

    /// - Parameters:
    ///   - targets: The number of targets, at least one.
    ///   - reports: The number of their reports: one for each target and platform.
    package init(_ format: ReportFormat, _ options: ReportOptions, targets: Int, reports: Int) {
        guard targets > 1 else {
            renderer = TargetsParts { target in
                var options = options
                options.user = target.user
                return format.render(target.report, options: options)
            }
            return
        }
        renderer =
            switch format {
            case .text: TargetsTextReport(options)
            case .junit: JUnitReport.Targets()
            case .markdown: TargetsMarkdownReport()
            case .json: JSONReport.Targets(reports: reports)
            // The others do not support several targets: see ``ReportFormat/supportsTargets``.
            case .github, .sarif, .codeQuality, .tap, .ctrf, .openmetrics, .badge, .html, .har:
                TargetsParts { format.render($0.report, options: options) }
            }
    }

    /// A text that consists only of parts.
    package init(parts: @escaping @Sendable (JointReport) -> String) {
        renderer = TargetsParts { parts($0.report) }
    }

    /// The part of the next target.
    package mutating func part(_ target: TargetsReport.Target) -> String { renderer.part(target) }

    /// The text before and after all parts.
    ///
    /// - Parameter targets: The targets whose parts were rendered.
    package func frame(_ targets: TargetsReport) -> (head: String, tail: String) { renderer.frame(targets) }
}

/// A format for several targets.
protocol TargetsRenderer: Sendable {
    mutating func part(_ target: TargetsReport.Target) -> String
    func frame(_ targets: TargetsReport) -> (head: String, tail: String)
}

private struct TargetsParts: TargetsRenderer {
    let text: @Sendable (TargetsReport.Target) -> String

    func part(_ target: TargetsReport.Target) -> String { text(target) }
    func frame(_ targets: TargetsReport) -> (head: String, tail: String) { ("", "") }
}
