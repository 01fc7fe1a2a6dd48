import Conformance

enum MarkdownReport { static func render(_ report: Report) -> String { "" } }
