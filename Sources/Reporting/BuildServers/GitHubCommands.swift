package import Conformance

/// The workflow commands of GitHub Actions, which Gitea and Forgejo obey as well: one line each.
package enum GitHubCommands {
    /// `::error file=preflight.yaml,line=1,title=ID::text` for what broke and what closes a gate, and for remarks where they are asked
    /// for; nothing where there is nothing to tell.
    package static func annotations(_ joint: JointReport, root: SourceRoot, withRemarks: Bool) -> String {
        Annotation.all(of: joint, withRemarks: withRemarks)
            .map { one in
                var properties: [(String, String)] = []
                if let place = one.place {
                    properties = [("file", root.path(of: place.file)), ("line", String(place.line))]
                }
                properties.append(("title", one.name))
                let list = properties.map { "\($0)=\(property($1))" }.joined(separator: ",")
                return "::\(command(one.level)) \(list)::\(data(one.lines.joined(separator: "\n")))\n"
            }
            .joined()
    }

    private static func command(_ level: Level) -> String { level.rawValue }

    /// The escapes of the runner: a line break would end the command.
    private static func data(_ text: String) -> String {
        LogText.defused(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    /// A colon or a comma would end the property.
    private static func property(_ text: String) -> String {
        data(text.shown(limit: 300)).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
