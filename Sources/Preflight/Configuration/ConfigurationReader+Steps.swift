internal import Profiles
internal import SignIn

/// Reads references to fields, buttons and pages in steps.
extension ConfigurationReader {
    /// A field or button, by its name or by `id=`, `label=` or `css=`.
    func field(_ text: String, _ value: StrictYAML.Value) -> FieldReference? {
        let head = String(text.prefix { $0 != "=" })
        let isLetters = head.allSatisfy { $0.isASCII && $0.isLetter }
        if head.count < text.count, isLetters, !FieldReference.kinds.contains(head),
            let nearest = Self.nearest(head, FieldReference.kinds)
        {
            value.report(
                "“\(text)” has no valid field prefix; did you mean “\(nearest)=”? For a field with this name, write “name=\(text)”"
            )
            return nil
        }
        do throws(CSSSelector.Mistake) {
            return try FieldReference(reading: text)
        } catch {
            value.report(Self.reported(error, of: text))
            return nil
        }
    }

    /// The condition that the page must meet.
    func condition(_ value: StrictYAML.Value) -> PageCondition? {
        guard let text = value.string() else { return nil }
        do throws(CSSSelector.Mistake) {
            if let condition = try PageCondition(text) { return condition }
        } catch {
            value.report(Self.reported(error, of: text))
            return nil
        }
        let head = String(text.prefix { $0 != "=" })
        let hint =
            Self.nearest(head, PageCondition.kinds).map { "; did you mean “\($0)=”?" }
            ?? "; write css= and a selector, text= and a text, or url= and a path"
        value.report("“\(text)” is not a valid condition" + hint)
        return nil
    }

    /// The choice; only the user name may be inserted.
    func choice(_ value: StrictYAML.Value, field: String) -> String? {
        guard let text = value.string() else { return nil }
        guard text.hasPrefix("{"), text.hasSuffix("}"), text != "{username}" else { return text }
        value.report("“\(text)” for field \(field) is not a valid choice; the only placeholder is {username}")
        return text
    }

    /// The message about a button that has a prefix and also a value.
    func buttonMeant(by name: String) -> String? {
        let head = String(name.prefix { $0 != "=" })
        guard head.count < name.count, FieldReference.kinds.contains(head) else { return nil }
        return "a button selected by \(head)= takes no value: write  press: \"\(name)\""
    }

    private static func nearest(_ word: String, _ known: [String]) -> String? {
        word.count < 2 ? nil : NearestWord.of(word, among: known)
    }

    private static func reported(_ mistake: CSSSelector.Mistake, of text: String) -> String {
        let isSelector = text.hasPrefix("css=")
        return "“\(text)” cannot be used: \(mistake.reason)"
            + (isSelector ? "; a selector may contain \(CSSSelector.understood)" : "")
    }
}
