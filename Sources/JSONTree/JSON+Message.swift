extension JSON {
    /// The message in an error body of any shape: OAuth (RFC 6749 section 5.2), problem details (RFC 9457 section 3.1),
    /// or a product's own, such as `{"errors":[{"detail":"…"}]}`.
    ///
    /// Up to three texts, the most specific member first: many products explain an error in a second member, such as `hint`. An
    /// error code is returned only if there is nothing else; `nil` without any text.
    package var errorMessage: String? {
        var messages: [String] = []
        for text in texts(under: Self.messageNames, depth: 4) where !messages.contains(where: { $0.contains(text) }) {
            messages.append(text)
        }
        guard !messages.isEmpty else { return texts(under: Self.codeNames, depth: 4).first }
        return messages.prefix(3)
            .reduce("") { all, text in
                all + (all.isEmpty ? "" : all.last?.isPunctuation == true ? " " : "; ") + text
            }
    }

    private static let messageNames = [
        "error_description", "errordescription", "error_message", "errormessage", "errorsummary", "message", "detail",
        "details", "description", "reason", "error_reason", "msg", "hint", "error_hint", "error", "errors", "fault",
        "data", "title",
    ]
    private static let codeNames = ["error", "errors", "error_code", "errorcode", "code", "data"]

    /// The texts below the names, in their order.
    ///
    /// As a message, only a text of several words counts.
    private func texts(under names: [String], depth: Int) -> [String] {
        guard depth > 0 else { return [] }
        if let list = arrayValue { return list.prefix(4).flatMap { $0.texts(under: names, depth: depth - 1) } }
        if let string = stringValue {
            let isMessage = names != Self.messageNames || string.contains(" ")
            return isMessage && !string.isEmpty ? [string] : []
        }
        guard let object = objectValue, object.count <= 100 else { return [] }
        return names.flatMap { name in
            object.names.first { $0.lowercased() == name }.flatMap { object[$0] }?
                .texts(under: names, depth: depth - 1) ?? []
        }
    }
}
