import Browsing
import Synchronization

/// The actions of a user during a sign-in, and the steps that repeat them.
package final class SignInRecorder: Sendable {
    /// Seconds that the user has.
    package let timeLimit: Double
    private let actions = Mutex<[UserAction]>([])

    package init(timeLimit: Double = 300) {
        self.timeLimit = timeLimit
    }

    func note(_ more: [UserAction]) {
        actions.withLock { $0 += more }
    }

    /// The steps for `sign_in.steps` in YAML, secrets replaced by variables.
    ///
    /// - Parameters:
    ///   - username: The value that `{username}` replaces.
    ///   - secrets: Texts that are never written: the password, which becomes `{password}`.
    package func steps(username: String, password: String?) -> String {
        let lines = actions.withLock { $0 }.flatMap { Self.lines($0, username, password) }
        return lines.isEmpty ? "" : "sign_in:\n  steps:\n" + lines.map { "    \($0)\n" }.joined()
    }

    private static func lines(_ action: UserAction, _ username: String, _ password: String?) -> [String] {
        let pressed = action.button.flatMap { $0.name.isEmpty ? nil : $0 }
        let changed = action.fields.filter { $0.isChanged || ($0.isSecret && !$0.isBox) }
        let words = action.button?.words ?? ""
        let place = "# \(action.path.bounded(200))" + (words.isEmpty ? "" : ": “\(words.bounded(60))” was pressed")
        guard !changed.isEmpty || pressed != nil else { return [place + ", which needs no step"] }
        var fill: [(String, String)] = []
        var unknown: [String] = []
        var boxes: [String: [String]] = [:]
        var hasPassword = false
        for field in changed {
            if field.isBox {
                boxes[field.name] = action.fields.filter { $0.name == field.name && $0.isChecked }.map(\.value)
            } else if field.isSecret, !hasPassword {
                hasPassword = true
                fill.append((field.name, quoted("{password}")))
            } else if field.isSecret {
                unknown.append(field.name)
            } else {
                fill.append((field.name, quoted(template(field, username, password))))
            }
        }
        for (name, values) in boxes.sorted(by: { $0.key < $1.key }) {
            fill.append((name, "[" + values.map(quoted).joined(separator: ", ") + "]"))
        }
        var names: [String] = []
        for name in action.fields.map(\.name) + [pressed?.name].compactMap(\.self) where !names.contains(name) {
            names.append(name)
        }
        var parts = ["form_has: [\(names.map(quoted).joined(separator: ", "))]"]
        if !fill.isEmpty {
            parts.append("fill: { \(fill.map { "\(quoted($0.0)): \($0.1)" }.joined(separator: ", ")) }")
        }
        if let pressed { parts.append("press: { \(quoted(pressed.name)): \(quoted(pressed.value)) }") }
        return [place]
            + unknown.map { "# \($0.bounded(60)) is a second secret on the page: name its variable, as in {env:NAME}" }
            + ["- { \(parts.joined(separator: ", ")) }"]
    }

    /// A value, with secrets and changing parts replaced by variables.
    private static func template(_ field: UserAction.Field, _ username: String, _ password: String?) -> String {
        let value = field.value
        if let password, !password.isEmpty, value.contains(password) { return "{password}" }
        if !username.isEmpty, value == username { return "{username}" }
        let digits = value.filter { $0 != " " }
        let isCode = (6...8).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
        let words = field.name.lowercased()
        if field.isForCode || (isCode && ["code", "otp", "token", "pin"].contains(where: words.contains)) {
            return "{totp}"
        }
        return value.bounded(500)
    }

    /// A text as YAML in double quotation marks takes it (YAML 1.2.2 section 7.3.1).
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case _
            where scalar.value < 0x20 || scalar.value == 0x7F || scalar.value == 0x2028 || scalar.value == 0x2029:
                quoted += " "
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return "\"\(quoted)\""
    }
}
