import Transport

extension HTTPResponse {
    /// Whether the body is a form, as some providers answer token requests.
    ///
    /// Some providers do not say so in `Content-Type`: a body with a parameter that contains a secret is treated as a form, so
    /// that it is redacted as one.
    var isForm: Bool {
        if mediaType == "application/x-www-form-urlencoded" { return true }
        let text = text
        guard let first = text.first(where: { !$0.isWhitespace }), !"{[<\"".contains(first) else { return false }
        return FormParameters(parsing: text).items.contains { Redactor.isSecretParameter($0.name) }
    }
}
