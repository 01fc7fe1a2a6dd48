package import Conformance

/// The logging commands of Azure Pipelines: one line each.
package enum AzureCommands {
    /// `##vso[task.logissue type=error;…;code=ID;]text` for root causes and blocking findings; empty without any.
    package static func issues(_ joint: JointReport, root: SourceRoot) -> String {
        Annotation.all(of: joint, withWarnings: false).map { issue($0, root) }.joined()
    }

    /// `##vso[task.logissue type=error;sourcepath=…;linenumber=…;]text` for errors that ended the program before a run.
    package static func issues(of mistakes: [Mistake], root: SourceRoot) -> String {
        Annotation.all(of: mistakes).map { issue($0, root) }.joined()
    }

    private static func issue(_ one: Annotation, _ root: SourceRoot) -> String {
        var properties = [("type", one.level == .error ? "error" : "warning")]
        if let place = one.place {
            properties += [("sourcepath", root.path(of: place.file)), ("linenumber", String(place.line))]
        }
        if let name = one.name { properties.append(("code", name)) }
        let list = properties.map { "\($0)=\(property($1));" }.joined()
        return "##vso[task.logissue \(list)]\(data(one.lines.joined(separator: "\n")))\n"
    }

    /// Makes the agent add a Markdown file to the summary of the run.
    ///
    /// - Parameter path: Absolute, as the agent requires.
    package static func summary(at path: String) -> String { "##vso[task.uploadsummary]\(data(path))\n" }

    /// The escapes of the agent's task library; the percent sign has one of its own.
    private static func data(_ text: String) -> String {
        LogText.defused(text).replacing("%", with: "%AZP25").replacing("\r", with: "%0D")
            .replacing("\n", with: "%0A")
    }

    /// A semicolon would end the property, a bracket the command.
    private static func property(_ text: String) -> String {
        data(text.shown(limit: 300)).replacing(";", with: "%3B").replacing("]", with: "%5D")
    }
}
