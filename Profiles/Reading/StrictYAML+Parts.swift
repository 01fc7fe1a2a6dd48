internal import YAMLTree

extension StrictYAML {
    /// A file that was parsed but not yet read.
    package struct Document: Sendable {
        fileprivate let tree: YAML
        package let file: String

        /// The file's own mapping, for one reader.
        ///
        /// - Parameter variables: The values of `${NAME}`; `nil` if variables are not replaced.
        package func mapping(variables: Variables? = nil) throws(ConfigurationError) -> Mapping {
            try StrictYAML.mapping(tree, file: file, variables: variables)
        }

        /// One of the parts that a file has under a key, as a file of its own.
        ///
        /// The other keys of the file apply to all parts that do not override them.
        package struct Part: Sendable {
            package let name: String
            package let document: Document
        }

        /// The parts under a key, in the order of the file; `nil` if the file lacks the key.
        ///
        /// Mappings are merged key by key. Any other value of a part replaces the common one, and a null value (`~`) removes
        /// it. Throws the problems of the parts themselves.
        ///
        /// - Parameters:
        ///   - noun: The word for a part in messages.
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
                report("“\(key)” must map the name of each \(noun) to its own settings", own.key.place)
            }
            var parts: [Part] = []
            for member in members {
                let name = member.key.scalar?.text ?? ""
                let isName =
                    !name.isEmpty && name.utf8.count <= 60 && name.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9._-]*/) != nil
                if !isName {
                    report(
                        "the name of a \(noun) has only letters, digits and “._-”, at most 60, not “\(name.prefix(60))”",
                        member.key.place
                    )
                }
                if !member.value.isNull, member.value.mapping == nil {
                    report("“\(key).\(name)” must be a mapping of keys to values", member.value.place)
                }
                if let nested = member.value.mapping?.first(where: { $0.key.scalar?.text == key }) {
                    report("a \(noun) cannot contain “\(key)”", nested.key.place)
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
    /// - Parameter hasVariables: Whether `${NAME}` is a variable, so that messages explain mistakes with it.
    package static func document(
        _ bytes: some Collection<UInt8>,
        file: String,
        hasVariables: Bool = false
    ) throws(ConfigurationError) -> Document {
        Document(tree: try tree(bytes, file: file, hasVariables: hasVariables), file: file)
    }
}

extension YAML {
    /// Merges mappings key by key; any other value replaces the base.
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
                // There is no common value to remove, but a null value must still be dropped.
                let none = YAML(content: .mapping([]), place: entry.value.place)
                let value = entry.value.merged(over: none, path + [name ?? ""], isWhole)
                entries.append(Entry(key: entry.key, value: value))
            }
        }
        return YAML(content: .mapping(entries), place: place)
    }
}
