/// A line of a file that the user wrote or gave.
package struct SourcePlace: Sendable, Hashable, CustomStringConvertible {
    /// As the command line named it.
    package var file: String
    /// From 1.
    package var line: Int

    package init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    /// `preflight.yaml:4`.
    package var description: String { "\(file):\(line)" }
}

extension Report {
    /// The files in which a reader looks up what a finding is about.
    ///
    /// Without a configuration file, and for saved evidence, only the issuer is known.
    package struct Sources: Sendable, Hashable {
        /// The place of each value of the configuration, by its keys: `client.id`.
        package var configuration: [String: SourcePlace] = [:]
        /// The discovery document that was given, and the key set.
        package var discovery: DocumentSource?
        package var keys: DocumentSource?

        package init() {}
    }

    /// A JSON document that was given as a file.
    package struct DocumentSource: Sendable, Hashable {
        package var file: String
        /// The line on which each value begins, by its JSON pointer.
        var lines: [String: Int]

        package init(file: String, lines: [String: Int]) {
            self.file = file
            self.lines = lines
        }

        /// The line of the value, or of the nearest value around it that is there.
        package func line(of pointer: String) -> Int {
            var rest = pointer[...]
            while !rest.isEmpty {
                if let line = lines[String(rest)] { return line }
                rest = rest.lastIndex(of: "/").map { rest[..<$0] } ?? ""
            }
            return lines[""] ?? 1
        }
    }

    /// The place to look up a finding of that check; `nil` if no file is known.
    ///
    /// - Parameter pointer: The subject of the finding (``Finding/pointer``).
    package func place(of stage: Stage, at pointer: String?) -> SourcePlace? {
        let pointer = pointer ?? ""
        let isOfKeys = stage == .keys || pointer.hasPrefix("/keys")
        // Beside a token the key set is what it was verified with, and not what is wrong.
        let others = offlineInput == .token ? nil : sources.keys
        if let document = isOfKeys ? sources.keys ?? sources.discovery : sources.discovery ?? others {
            return SourcePlace(file: document.file, line: document.line(of: pointer))
        }
        // The provider is to be changed, so the line names the provider.
        return place(ofKeys: [pointer, "custom_parameters.\(pointer)", "issuer"])
    }

    /// The line of the first of these keys that the configuration has; of its beginning where it has none of them.
    package func place(ofKeys keys: [String]) -> SourcePlace? {
        if let place = keys.lazy.compactMap({ sources.configuration[$0] }).first { return place }
        return sources.configuration.values.map(\.file).min().map { SourcePlace(file: $0, line: 1) }
    }
}
