// The static Swift libraries that programs link do not include Swift Testing; no program needs this.
#if canImport(Testing)
public import OIDCPreflight
import Testing

extension Preflight {
    /// Runs the checks and expects an open gate.
    ///
    /// Each blocking finding, root cause and missing result becomes an issue of the test at the source location of the call.
    ///
    /// - Returns: The report, for further expectations.
    /// - Throws: An error if an argument is invalid.
    @discardableResult
    public func expectOpenGate(
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) async throws(Mistake) -> Report {
        let report = try await report()
        report.expectOpenGate(fileID: fileID, filePath: filePath, line: line, column: column)
        return report
    }
}

extension Report {
    /// Expects an open gate; each blocking finding becomes an issue of the test.
    public func expectOpenGate(
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        for text in blockers { Issue.record(Comment(rawValue: text), sourceLocation: place) }
    }

    /// The reasons why the gate is not open, most relevant first; empty if it is open.
    var blockers: [String] {
        if gate == .open { return [] }
        let found = closing.map(\.description)
        if !found.isEmpty { return found }
        let reasons = causes.isEmpty ? unjudged : causes
        return reasons.isEmpty ? [summary] : reasons
    }
}
#endif
