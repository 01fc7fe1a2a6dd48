import Transport

/// The parts of a sign-in page that work without JavaScript.
package struct HTMLPage: Sendable, Hashable {
    /// A redirect that the page requests after a number of seconds.
    package struct Refresh: Sendable, Hashable {
        package var seconds: Double
        var reference: String
    }

    package var title = ""
    /// The address that references are resolved against, where the page names one.
    var baseReference: String?
    package var forms: [HTMLForm] = []
    /// The first of the links that lead somewhere.
    var links: [HTMLLink] = []
    /// The visible text, with runs of white space as one space.
    package var text = ""
    /// The text of elements that are marked as alerts or errors.
    var alerts: [String] = []
    var refresh: Refresh?
    var hasScript = false
    /// Its scripts, in the order of the page.
    var scripts: [HTMLScript] = []
    /// The script of the body that runs when the page is there; `nil` where it has none.
    var onload: String?
    /// The Content Security Policies of its `meta` elements.
    var policies: [String] = []
    /// Whether a `noscript` element requires JavaScript or leads away from the page.
    var requestsScript = false
    /// The visible text that is there with JavaScript, too: without that of `noscript` elements.
    var textBesideNoScript = ""
    /// Whether it has the widget of a CAPTCHA, or is the page of one.
    var hasCaptcha = false
    /// Whether it is the page of a bot check, which makes a browser prove itself first.
    var isOfBotWall = false
    /// The names of its elements and attributes that have a hyphen, without `data-` and `aria-`: HTML itself has few.
    var customNames: Set<String> = []
    /// The selectors that one of its elements matches, among those given to the reader.
    var met: Set<CSSSelector> = []

    init() {}

    /// Whether the page has no more controls than a page for users: evaluating the words of more would take minutes.
    var isForUsers: Bool { forms.reduce(0) { $0 + $1.controls.count } <= 1000 }

    /// Whether it says itself that something is wrong: by an alert, or in its title.
    var showsError: Bool {
        !textBesideNoScript.isEmpty && !requestsScript && (!alerts.isEmpty || Self.errors.isIn(title))
    }

    private static let errors = WordList(
        words:
            "error errors fehler fehlermeldung erreur errore erro fout błąd ошибка hata denied forbidden unauthorized",
        parts: "エラー 错误 錯誤 오류 خطأ",
        phrases: ["went wrong", "bad request", "invalid request", "not found", "schiefgelaufen", "not allowed"]
    )

    /// Whether the page looks as if it did nothing without JavaScript; a guess.
    var seemsToNeedScript: Bool {
        if requestsScript { return true }
        guard hasScript else { return text.lowercased().contains("javascript") }
        let hasVisibleField = forms.contains { form in
            form.controls.contains { !["hidden", "submit", "button", "reset", "image"].contains($0.type) }
        }
        return !hasVisibleField && (text.count < 200 || text.lowercased().contains("javascript"))
    }
}

/// A link of a page.
package struct HTMLLink: Sendable, Hashable {
    /// The target as written.
    var reference: String
    /// Its words, and those of its children.
    var words: String
    /// Its place among the elements of a page that a browser shows; `nil` in a page that was read as it was received.
    var element: Int?

    /// The link as a form with one button that requests the same address.
    var form: HTMLForm {
        let address = reference.prefix { $0 != "#" }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var form = HTMLForm()
        form.isLink = true
        form.action = String(parts.first ?? "")
        form.controls = FormParameters(parsing: parts.count > 1 ? String(parts[1]) : "").items
            .map { item in
                var control = HTMLControl()
                (control.type, control.name, control.value) = ("hidden", item.name, item.value)
                return control
            }
        var button = HTMLControl()
        (button.type, button.label, button.element) = ("submit", words, element)
        form.controls.append(button)
        return form
    }
}

/// A form with the controls that belong to it, in the order of the page.
package struct HTMLForm: Sendable, Hashable {
    var identifier = ""
    /// The action as it is written; empty for the page's own address.
    package var action = ""
    /// `GET` or `POST`; anything else in the page means `GET` (HTML Standard, form submission attributes).
    var method = "GET"
    var encoding = "application/x-www-form-urlencoded"
    package var controls: [HTMLControl] = []
    /// Whether it represents a link, which no `form-action` restricts.
    var isLink = false

    /// Whether the form has such a control, a button included.
    func has(_ reference: FieldReference) -> Bool { controls.contains { $0.isMeant(by: reference) } }

    /// The controls that a user types into or chooses from.
    var visibleFields: [HTMLControl] {
        controls.filter { !$0.isButton && $0.type != "hidden" }
    }

    /// The fields for passwords: those of that type, or else the text fields that are named or labelled so.
    var passwordFields: [HTMLControl] {
        // A concealed field is a trap, or that of the next step.
        let typed = controls.filter { $0.type == "password" && !$0.isConcealed && !FieldWords.isOneTimeCode($0) }
        guard typed.isEmpty else { return typed }
        return controls.filter { control in
            ["text", "tel", "number"].contains(control.type) && !control.isConcealed
                && [.password, .chosenPassword].contains(FieldWords.meaning(of: control))
        }
    }

    /// The buttons that send the form.
    var submitButtons: [HTMLControl] {
        controls.filter { $0.isSubmitButton && !$0.isDisabled }
    }
}

/// A control of a form: input, select, textarea or button.
package struct HTMLControl: Sendable, Hashable {
    package struct Option: Sendable, Hashable {
        package var value: String
        /// The words that are seen.
        var label: String
        var isSelected: Bool
        var isDisabled: Bool
    }

    var identifier = ""
    package var name = ""
    /// The type of an input in lower case (`text` when it has none), or `select`, `textarea`, `submit`, `reset`, `button`.
    var type = "text"
    package var value = ""
    /// The words on a button, or of the label of a field.
    var label = ""
    var autocomplete = ""
    /// The keyboard that a telephone shows: `numeric`.
    var inputMode = ""
    var maxLength: Int?
    /// The regular expression that a value must match.
    var pattern = ""
    var placeholder = ""
    /// The name that is read out in place of a label.
    var accessibleName = ""
    var isChecked = false
    var isDisabled = false
    var isReadOnly = false
    /// Whether its own attributes keep it from being seen, as those of a trap for programs do.
    var isConcealed = false
    var isRequired = false
    var allowsSeveral = false
    var options: [Option] = []
    var formAction: String?
    var formMethod: String?
    /// Its place among the elements of a page that a browser shows; `nil` in a page that was read as it was received.
    var element: Int?
    /// The selectors that it matches, among those given to the reader.
    var met: Set<CSSSelector> = []

    init() {}

    var isSubmitButton: Bool { type == "submit" || type == "image" }

    var isButton: Bool { isSubmitButton || type == "reset" || type == "button" }

    /// The pairs that the control adds to a submission when no one touches it.
    var defaultPairs: [(name: String, value: String)] {
        guard !isDisabled, !name.isEmpty, !isButton, type != "file" else { return [] }
        switch type {
        case "checkbox", "radio": return isChecked ? [(name, value)] : []
        case "select":
            let selected = options.filter { $0.isSelected && !$0.isDisabled }
            if allowsSeveral { return selected.map { (name, $0.value) } }
            let chosen = selected.last ?? options.first { !$0.isDisabled }
            return chosen.map { [(name, $0.value)] } ?? []
        default: return [(name, value)]
        }
    }
}
