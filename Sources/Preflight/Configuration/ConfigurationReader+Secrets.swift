internal import Conformance
internal import Profiles

/// Reads secrets from environment variables or files, never from the configuration itself.
extension ConfigurationReader {
    func secret(_ value: StrictYAML.Value) -> Secret? {
        if value.isScalar { return variableSecret(value) }
        guard let mapping = value.mapping() else { return nil }
        let (variable, file) = (mapping[Keys.Secret.env], mapping[Keys.Secret.file])
        if variable != nil, file != nil {
            value.report("“\(value.path)” has both env and file: keep one")
            return nil
        }
        if let source = variable {
            // Its value may be the secret, which no message may contain.
            guard !source.containsVariable else {
                source.reader.report("write the name of the environment variable without ${…}", at: source.place)
                return nil
            }
            guard let name = source.string() else { return nil }
            return self.variable(name, at: source)
        }
        guard let source = file, let path = source.string() else {
            value.report("“\(value.path)” must have env or file")
            return nil
        }
        guard readsSecrets else { return Secret("") }
        switch environment.readFile(RelativePath.beside(source.reader.file, path), .secret) {
        case .success(let bytes):
            let text = Self.withoutLineEnd(String(decoding: bytes, as: UTF8.self))
            if text.isEmpty { source.report("the file \(path) is empty") }
            return Secret(text)
        case .failure(let error):
            source.report("cannot read the secret: \(error)")
            return nil
        }
    }

    /// `${NAME}`, which is equivalent to `{ env: NAME }`.
    private func variableSecret(_ value: StrictYAML.Value) -> Secret? {
        guard let reference = value.variable else {
            let form = value.containsVariable ? ", or ${NAME} alone" : ""
            value.reader.report(
                "a secret must not be in the configuration: use { env: NAME } or { file: PATH }\(form)",
                at: value.place
            )
            return nil
        }
        guard reference.fallback == nil else {
            value.reader.report(
                "a secret must not be in the configuration: remove the default of ${\(reference.name):-…}",
                at: value.place
            )
            return nil
        }
        return variable(reference.name, at: value)
    }

    func variable(_ name: String, at source: StrictYAML.Value) -> Secret? {
        guard readsSecrets else { return Secret("") }
        let value = environment.variable(name)
        guard let text = value.map(Self.withoutLineEnd), !text.isEmpty else {
            source.reader.report(problem(ofVariable: name, isSet: value != nil), at: source.place)
            return nil
        }
        return Secret(text)
    }

    /// Why a variable has no secret; a name that may be the secret itself is not repeated.
    private func problem(ofVariable name: String, isSet: Bool) -> String {
        let plain = name.hasPrefix("$") ? String(name.dropFirst()) : name
        guard VariableName.mayBeShown(plain, isSet: isSet || environment.variable(plain) != nil) else {
            return "the environment variable that is named here is not set. If the text is the secret itself, "
                + "remove it from the file: write { env: NAME } and export NAME"
        }
        if name.hasPrefix("$") { return "write the name of the environment variable without the dollar sign: \(plain)" }
        return "the environment variable \(name) is \(isSet ? "empty" : "not set"): export it before the run"
    }

    /// Without the final line end that editors and shells add; other white space may be part of the secret.
    private static func withoutLineEnd(_ text: String) -> String {
        text.last == "\n" || text.last == "\r\n" ? String(text.dropLast()) : text
    }

    /// The source of each secret of the file, in the order of the keys.
    func secretSources(_ mapping: StrictYAML.Mapping, _ keys: [ConfigurationKey]) -> [SecretSource] {
        keys.flatMap { key -> [SecretSource] in
            guard let value = mapping.optional(key) else { return [] }
            switch key.kind {
            case .secret: return source(of: value).map { [SecretSource(key: value.path, kind: $0)] } ?? []
            case .mapping(let inner) where value.isMapping:
                return value.mapping().map { secretSources($0, inner) } ?? []
            case .pairs(_, .mapping(let inner)) where value.isMapping:
                let members = value.mapping()?.pairs.map(\.value) ?? []
                return members.filter(\.isMapping)
                    .flatMap { member in
                        member.mapping().map { secretSources($0, inner) } ?? []
                    }
            default: return []
            }
        }
    }

    private func source(of value: StrictYAML.Value) -> SecretSource.Kind? {
        if let reference = value.variable { return .variable(reference.name) }
        guard value.isMapping, let mapping = value.mapping() else { return nil }
        if let source = mapping[Keys.Secret.env] {
            guard !source.containsVariable, let name = source.string() else { return nil }
            return .variable(name)
        }
        return mapping[Keys.Secret.file]?.string().map { .file($0) }
    }
}

/// The source of a secret in the configuration.
package struct SecretSource: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case variable(String)
        case file(String)
    }

    /// Its path: `client.secret`.
    package let key: String
    package let kind: Kind
}
