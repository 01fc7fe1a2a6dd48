extension JSON {
    /// The message in an error body of any shape: OAuth (RFC 6749 section 5.2), problem details (RFC 9457 section 3.1),
    /// or a product's own, such as `{"errors":[{"detail":"…"}]}`.
    ///
    /// An error code is returned only if there is nothing else; `nil` without any text.
    package var errorMessage: String? {
        text(under: Self.messageNames, depth: 4) ?? text(under: Self.codeNames, depth: 4)
    }

    private static let messageNames = [
        "error_description", "errordescription", "error_message", "errormessage", "errorsummary", "message", "detail",
        "details", "description", "reason", "msg", "hint", "error", "errors", "fault", "data", "title",
    ]
    private static let codeNames = ["error", "errors", "error_code", "errorcode", "code", "data"]

    /// The first text below one of the names, in their order.
    ///
    /// As a message, only a text of several words counts.
    private func text(under names: [String], depth: Int) -> String? {
        guard depth > 0 else { return nil }
        if let list = arrayValue {
            return list.prefix(4).lazy.compactMap { $0.text(under: names, depth: depth - 1) }.first
        }
        if let string = stringValue {
            let isMessage = names != Self.messageNames || string.contains(" ")
            return isMessage && !string.isEmpty ? string : nil
        }
        guard let object = objectValue, object.count <= 100 else { return nil }
        return names.lazy
            .compactMap { name in
                object.names.first { $0.lowercased() == name }.flatMap { object[$0] }?
                    .text(under: names, depth: depth - 1)
            }
            .first
    }
}
