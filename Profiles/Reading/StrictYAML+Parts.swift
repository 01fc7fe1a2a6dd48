internal import YAMLTree

extension StrictYAML {
    /// A file that was parsed and not yet read.
    package struct Document: Sendable {
        fileprivate let tree: YAML
        package let file: String

        /// The file's own mapping, for one reader.
        ///
        /// - Parameter variables: What `${NAME}` stands for; `nil` where it is a text as any other.
        package func mapping(variables: Variables? = nil) throws(ConfigurationError) -> Mapping {
            try StrictYAML.mapping(tree, file: file, variables: variables)
        }

        /// One of the parts of a file that has several under a key, as a file of its own: what stands beside that key is common
        /// to all parts, and holds where a part says nothing else.
        package struct Part: Sendable {
            package let name: String
            package let document: Document
        }

        /// The parts under a key, in the order of the file; `nil` where the key is not there.
        ///
        /// Mappings are merged key by key, anything else of a part replaces what is common, and a value of nothing (`~`) takes it
        /// away. What is wrong with the parts as such is thrown.
        ///
        /// - Parameters:
        ///   - noun: What a part is called in messages.
        ///   - isWhole: Whether the mapping behind these keys is replaced as a whole.
        package func parts(
            under key: String,
            noun: String,
            replacing isWhole: ([String]) -> Bool
        ) throws(ConfigurationError) -> [Part]? {
            guard let entries = tree.mapping, let own = entries.first(where: { $0.key.scalar?.text == key }) else {
                return nil
            }
            let common = YAML(content: .mapping(entries.filter { $0.key.scalar?.text != key }), place: tree.place)
            var problems: [Problem] = []
            func report(_ message: String, _ place: YAML.Place) {
                problems.append(Problem(file: file, line: place.line, column: place.column, message: message))
            }
            let members = own.value.mapping ?? []
            if members.isEmpty {
                report("“\(key)” must be a mapping of names to what each \(noun) has of its own", own.key.place)
            }
            var parts: [Part] = []
            for member in members {
                let name = member.key.scalar?.text ?? ""
                let isName =
                    !name.isEmpty && name.utf8.count <= 60 && name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]*/) != nil
                if !isName {
                    report(
                        "a \(noun) is named by letters, digits, dots and hyphens, not “\(name.prefix(60))”",
                        member.key.place
                    )
                }
                if !member.value.isNull, member.value.mapping == nil {
                    report("“\(key).\(name)” must be a mapping of keys to values", member.value.place)
                }
                if let nested = member.value.mapping?.first(where: { $0.key.scalar?.text == key }) {
                    report("a \(noun) has no “\(key)” of its own", nested.key.place)
                }
                let merged = member.value.isNull ? common : member.value.merged(over: common, [], isWhole)
                parts.append(Part(name: name, document: Document(tree: merged, file: file)))
            }
            if !problems.isEmpty { throw ConfigurationError(problems) }
            return parts
        }
    }

    /// Parses a file in UTF-8.
    ///
    /// - Parameter hasVariables: Whether `${NAME}` is to stand for something, so that a mistake about it is told as one.
    package static func document(
        _ octets: some Collection<UInt8>,
        file: String,
        hasVariables: Bool = false
    ) throws(ConfigurationError) -> Document {
        Document(tree: try tree(octets, file: file, hasVariables: hasVariables), file: file)
    }
}

extension YAML {
    /// Mappings key by key; of anything else this value alone.
    fileprivate func merged(over base: YAML, _ path: [String], _ isWhole: ([String]) -> Bool) -> YAML {
        guard let own = mapping, let common = base.mapping, !isWhole(path) else { return self }
        var entries = common
        for entry in own {
            let name = entry.key.scalar?.text
            let place = name.flatMap { name in entries.firstIndex { $0.key.scalar?.text == name } }
            if entry.value.isNull {
                if let place { entries.remove(at: place) }
            } else if let place, let name {
                let value = entry.value.merged(over: entries[place].value, path + [name], isWhole)
                entries[place] = Entry(key: entry.key, value: value)
            } else {
                // Nothing is taken away where nothing is common, and yet a value of nothing is none.
                let none = YAML(content: .mapping([]), place: entry.value.place)
                let value = entry.value.merged(over: none, path + [name ?? ""], isWhole)
                entries.append(Entry(key: entry.key, value: value))
            }
        }
        return YAML(content: .mapping(entries), place: place)
    }
}
