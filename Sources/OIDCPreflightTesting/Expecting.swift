// Swift's static libraries, by which programs are linked, come without Swift Testing; no program needs this.
#if canImport(Testing)
public import OIDCPreflight
public import Testing

extension Preflight {
    /// Runs the judgement and expects that the provider may be registered.
    ///
    /// Each finding in the way is an issue of the test, with its text, at the place of the call; so is what broke, and what could not be
    /// judged.
    ///
    /// - Returns: The report, for further expectations.
    /// - Throws: What is wrong with the judgement as it was described.
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
    /// Expects that the provider may be registered; each finding in the way is an issue of the test, with its text.
    public func expectOpenGate(
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        column: Int = #column
    ) {
        let place = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        for text in obstacles { Issue.record(Comment(rawValue: text), sourceLocation: place) }
    }

    /// What keeps the gate from opening, most telling first; empty where it is open.
    var obstacles: [String] {
        if gate == .open { return [] }
        let found = closing.map(\.description)
        if !found.isEmpty { return found }
        let reasons = causes.isEmpty ? unjudged : causes
        return reasons.isEmpty ? [summary] : reasons
    }
}
#endif
