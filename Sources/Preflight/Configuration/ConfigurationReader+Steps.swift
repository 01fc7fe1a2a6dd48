internal import Profiles
internal import SignIn

/// Reads what steps call fields, buttons and pages by.
extension ConfigurationReader {
    /// A field or button, by its name or by `id=`, `label=` or `css=`.
    func field(_ text: String, _ value: StrictYAML.Value) -> FieldReference? {
        let head = String(text.prefix { $0 != "=" })
        let isLetters = head.allSatisfy { $0.isASCII && $0.isLetter }
        if head.count < text.count, isLetters, !FieldReference.kinds.contains(head),
            let nearest = Self.nearest(head, FieldReference.kinds)
        {
            value.report(
                "“\(text)” begins with no word for a field; did you mean “\(nearest)=”? A field whose name it is: “name=\(text)”"
            )
            return nil
        }
        do throws(CSSSelector.Mistake) {
            return try FieldReference(reading: text)
        } catch {
            value.report(Self.told(error, of: text))
            return nil
        }
    }

    /// What the page must come to.
    func condition(_ value: StrictYAML.Value) -> PageCondition? {
        guard let text = value.string() else { return nil }
        do throws(CSSSelector.Mistake) {
            if let condition = try PageCondition(text) { return condition }
        } catch {
            value.report(Self.told(error, of: text))
            return nil
        }
        let head = String(text.prefix { $0 != "=" })
        let hint =
            Self.nearest(head, PageCondition.kinds).map { "; did you mean “\($0)=”?" }
            ?? "; write css= and a selector, text= and what is to be read, or url= and a path"
        value.report("“\(text)” is nothing that can be waited for" + hint)
        return nil
    }

    /// What is chosen; only the user's name is put in.
    func choice(_ value: StrictYAML.Value, field: String) -> String? {
        guard let text = value.string() else { return nil }
        guard text.hasPrefix("{"), text.hasSuffix("}"), text != "{username}" else { return text }
        value.report("“\(text)” for field \(field) stands for no choice; known here: {username}")
        return text
    }

    /// What is wrong with the name of a button that is told in another way than by its name and value.
    func buttonMeant(by name: String) -> String? {
        let head = String(name.prefix { $0 != "=" })
        guard head.count < name.count, FieldReference.kinds.contains(head) else { return nil }
        return "a button that is told by \(head)= has no value beside it: write  press: \"\(name)\""
    }

    private static func nearest(_ word: String, _ known: [String]) -> String? {
        word.count < 2 ? nil : NearestWord.of(word, among: known)
    }

    private static func told(_ mistake: CSSSelector.Mistake, of text: String) -> String {
        let isSelector = text.hasPrefix("css=")
        return "“\(text)” cannot be used: \(mistake.reason)"
            + (isSelector ? "; a selector may hold \(CSSSelector.understood)" : "")
    }
}
