/// The fields of a form that were left empty, with the entry of `sign_in.steps` that would fill them.
///
/// When a form is returned, the names of its empty fields usually show the user which entry is missing.
package struct EmptyFields: Sendable, Hashable, CustomStringConvertible {
    /// More are not reported: a form with so many is not a sign-in form.
    private static let most = 5

    /// The names of the fields, in the order of the form.
    let fields: [String]
    /// The entry, as it may be written into the configuration.
    package let step: String

    /// The fields that a form is sent with empty, or `nil` when there is none.
    ///
    /// If the form marks fields as required, only those are reported.
    init?(after filling: FormFilling) {
        let open = Self.emptyFields(of: filling.form, beside: filling)
        let names = Self.unique((open.contains(where: \.isRequired) ? open.filter(\.isRequired) : open).map(\.name))
        guard !names.isEmpty else { return nil }
        fields = names.prefix(Self.most).map { $0.bounded(100) }
        let written = filling.writings.map { writing in
            // Other values that a step writes may be secrets.
            let shown = writing.templates.map {
                ["{username}", "{password}", "{totp}"].contains($0) ? "\"\($0)\"" : "…"
            }
            return (
                writing.field.bounded(100), shown.count == 1 ? shown.joined() : "[\(shown.joined(separator: ", "))]"
            )
        }
        let added = names.prefix(Self.most)
            .map { name in
                let box = open.first { $0.name == name && $0.isBox }
                return (name.bounded(100), box.map { Self.quoted($0.value.bounded(100)) } ?? "…")
            }
        let entries = written + added
        let has = entries.map { Self.plain($0.0) }.joined(separator: ", ")
        let fill = entries.map { "\(Self.plain($0.0)): \($0.1)" }.joined(separator: ", ")
        step = "- { form_has: [\(has)], fill: { \(fill) } }"
    }

    /// The fields of the first form on a page that wants anything written, where no form could be sent.
    init?(on page: HTMLPage) {
        guard page.isForUsers else { return nil }
        let forms = page.forms.filter { $0.method == "POST" } + page.forms.filter { $0.method != "POST" }
        for form in forms {
            guard let found = EmptyFields(after: FormFilling(form, as: .configuredStep)) else { continue }
            self = found
            return
        }
        return nil
    }

    package var description: String {
        let quoted = fields.map { "“\($0)”" }
        let last = quoted.last ?? ""
        let names = quoted.count < 2 ? last : quoted.dropLast().joined(separator: ", ") + " and " + last
        return (fields.count == 1 ? "the field \(names) was" : "the fields \(names) were")
            + " left empty: add to sign_in.steps \(step)"
    }

    private static func emptyFields(of form: HTMLForm, beside filling: FormFilling) -> [HTMLControl] {
        let radios = form.controls.filter { $0.type == "radio" }
        let chosen = Set(filling.filledNames + radios.filter(\.isChecked).map(\.name))
        let groups = Set(radios.filter(\.isRequired).map(\.name))
        return form.visibleFields.filter { field in
            guard !field.name.isEmpty, !field.isDisabled, !field.isReadOnly, !chosen.contains(field.name) else {
                return false
            }
            switch field.type {
            case "search", "file", "range", "color": return false
            case "checkbox": return field.isRequired && !field.isChecked && !filling.ticked.contains(field)
            case "radio": return groups.contains(field.name)
            case "select": return field.isRequired && field.defaultPairs.allSatisfy(\.value.isEmpty)
            default: return field.value.isEmpty && !["q", "query", "search"].contains(field.name.lowercased())
            }
        }
    }

    private static func unique(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    /// A name as a YAML scalar: quoted unless it is plain in every place.
    private static func plain(_ name: String) -> String {
        let isPlain =
            name.first?.isLetter == true && name.allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
            && !["true", "false", "null", "yes", "no", "on", "off"].contains(name.lowercased())
        return isPlain ? name : quoted(name)
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}

extension HTMLControl {
    fileprivate var isBox: Bool { type == "checkbox" || type == "radio" }
}
