extension JSON {
    /// The message in an error body of any shape: OAuth (RFC 6749 section 5.2), problem details (RFC 9457 section 3.1),
    /// or a product's own, such as `{"errors":[{"detail":"…"}]}`.
    ///
    /// Up to three texts, the most specific member first: many products explain an error in a second member, such as `hint`. An
    /// error code is returned only if there is nothing else; `nil` without any text.
    package var errorMessage: String? {
        var messages: [String] = []
        collect(&messages, most: 3, under: Self.messageNames, depth: 4)
        if messages.isEmpty { collect(&messages, most: 1, under: Self.codeNames, depth: 4) }
        return messages.isEmpty
            ? nil
            : messages.dropFirst().reduce(messages[0]) { $0 + ($0.last?.isPunctuation == true ? " " : "; ") + $1 }
    }

    private static let messageNames = [
        "error_description", "errordescription", "error_message", "errormessage", "errorsummary", "message", "detail",
        "details", "description", "reason", "error_reason", "msg", "hint", "error_hint", "error", "errors", "fault",
        "data", "title",
    ]
    private static let codeNames = ["error", "errors", "error_code", "errorcode", "code", "data"]

    /// Adds the texts below the names, in their order, until there are enough.
    ///
    /// As a message, only a text of several words counts, and none that another contains.
    private func collect(_ texts: inout [String], most: Int, under names: [String], depth: Int) {
        guard depth > 0, texts.count < most else { return }
        if let list = arrayValue {
            for element in list.prefix(4) { element.collect(&texts, most: most, under: names, depth: depth - 1) }
        } else if let string = stringValue {
            let isMessage = names != Self.messageNames || string.contains(" ")
            if isMessage, !string.isEmpty, !texts.contains(where: { $0.contains(string) }) { texts.append(string) }
        } else if let object = objectValue, object.count <= 100 {
            for name in names where texts.count < most {
                object.names.first { $0.lowercased() == name }.flatMap { object[$0] }?
                    .collect(&texts, most: most, under: names, depth: depth - 1)
            }
        }
    }
}
