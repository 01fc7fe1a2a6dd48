import JSONTree

/// A form that a user sent, or a button that was pressed; it contains no secret.
package struct UserAction: Sendable, Hashable {
    package struct Field: Sendable, Hashable {
        /// The reference for a step: its name, or `id=`, `label=` or `css=` with a value.
        package var name: String
        /// Whether it is for a password; then its value is not known.
        package var isSecret: Bool
        package var isBox: Bool
        package var isChecked: Bool
        /// Whether its value differs from the one that the page set.
        package var isChanged: Bool
        /// Whether it says that it is for a one-time code.
        package var isForCode: Bool
        package var value: String
    }

    /// The path of the page's address.
    package var path: String
    package var fields: [Field]
    package var button: Button?

    package struct Button: Sendable, Hashable {
        package var name: String
        package var value: String
        package var words: String
    }
}

/// Recording a user, in a browser that was started for it (``BrowserOptions/isWatched``).
extension BrowserSession {
    /// Makes every document from now on report the user's actions.
    package func watch() async throws(BrowserFailure) {
        try await window.addScript(PageScript.watch)
    }

    /// The actions since the last call.
    package func actions() async throws(BrowserFailure) -> [UserAction] {
        try await window.console()
            .compactMap { message in
                guard let mark = message.firstRange(of: PageScript.mark) else { return nil }
                return Self.action(message[mark.upperBound...].prefix { $0 != "." })
            }
    }

    private static func action(_ hex: Substring) -> UserAction? {
        let digits = Array(hex.utf8)
        guard digits.count.isMultiple(of: 2), digits.count < 1 << 20 else { return nil }
        let bytes = stride(from: 0, to: digits.count, by: 2)
            .compactMap { UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16) }
        guard let root = (try? JSONDocument.parse(bytes))?.root, let path = root["path"]?.stringValue else {
            return nil
        }
        let fields = (root["fields"]?.arrayValue ?? [])
            .map { field in
                UserAction.Field(
                    name: field["name"]?.stringValue ?? "",
                    isSecret: field["secret"]?.boolValue ?? true,
                    isBox: field["box"]?.boolValue ?? false,
                    isChecked: field["checked"]?.boolValue ?? false,
                    isChanged: field["changed"]?.boolValue ?? false,
                    isForCode: field["code"]?.boolValue ?? false,
                    value: field["value"]?.stringValue ?? ""
                )
            }
        let button = root["button"]
            .flatMap { button in
                button["name"]?.stringValue
                    .map { name in
                        UserAction.Button(
                            name: name,
                            value: button["value"]?.stringValue ?? "",
                            words: button["words"]?.stringValue ?? ""
                        )
                    }
            }
        return UserAction(path: path, fields: fields, button: button)
    }
}
