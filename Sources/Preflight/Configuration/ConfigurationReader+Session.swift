internal import Conformance
internal import Profiles

/// A saved session that replaces the password.
extension ConfigurationReader {
    /// Reads `session`; the run opens the file itself.
    func session(_ value: StrictYAML.Value) -> SessionFile.Source? {
        guard let mapping = value.mapping() else { return nil }
        let stated = mapping[Keys.Session.file]
        let key = mapping[Keys.Session.key].flatMap(secret)
        guard readsSecrets, let stated, let path = stated.string(), let key else { return nil }
        return SessionFile.Source(
            file: RelativePath.beside(stated.reader.file, path),
            key: key,
            place: SourcePlace(file: stated.reader.file, line: stated.place.line)
        )
    }

    /// Whether the variable of a secret is not set.
    func isUnset(_ value: StrictYAML.Value) -> Bool {
        let mapping = value.isMapping ? value.mapping() : nil
        // Marks the key as known, in case both are present.
        _ = mapping?.optional(Keys.Secret.file)
        guard let name = value.variable?.name ?? mapping?.optional(Keys.Secret.env)?.string() else { return false }
        return environment.variable(name)?.isEmpty ?? true
    }

    /// Whether the variable of an authenticator secret is not set.
    func isWithoutSecret(_ totp: StrictYAML.Value) -> Bool {
        guard let mapping = totp.mapping(), let secret = mapping[Keys.Authenticator.secret], isUnset(secret) else {
            return false
        }
        for key in Keys.Authenticator.all { _ = mapping.optional(key) }
        return true
    }
}
