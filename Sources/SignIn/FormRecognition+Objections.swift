/// The reason why a form that requests a user name is not filled in: submitting it could change or create an account.
package enum FormObjection: Sendable, Hashable {
    /// The field for the user name already has a value that is neither the user name nor the `login_hint` of the request.
    case hasOtherValue(field: String)
    /// The form has a text field other than those for user name, password and one-time code.
    case hasFurtherField(String)
    /// The page requests a user name after the password was sent.
    case followsPassword
    /// The form offers something that the user can skip, such as a second factor.
    case mayBeSkipped(by: String)

    /// The reason, as the end of a sentence about the form.
    package var words: String {
        switch self {
        case .hasOtherValue(let field): "its field \(field.quoted) already has another value"
        case .hasFurtherField(let field): "it has the additional text field \(field.quoted)"
        case .followsPassword: "it requests a user name after the password was sent"
        case .mayBeSkipped(let button): "it offers a change of the account, which \(button.quoted) skips"
        }
    }
}

extension FormRecognition {
    /// The first form of a page that would be a sign-in form but for an objection, filled in as one.
    func objectionable(on page: HTMLPage, hints: [String]) -> FormFilling? {
        guard page.isForUsers else { return nil }
        return page.forms.firstResult { signIn($0, false, hints) }
            ?? page.forms.firstResult { userName($0, false, hints) }
            ?? page.skip.flatMap { skip in page.forms.firstResult { consent($0, to: [], skip: skip) } }
    }

    /// Why a form is not a sign-in form; `nil` if there is no objection.
    ///
    /// - Parameters:
    ///   - user: The field for the user name.
    ///   - hints: Other values that the request itself may have put into that field.
    func objection(to form: HTMLForm, user: HTMLControl?, password: HTMLControl?, hints: [String]) -> FormObjection? {
        if let user, !user.isReadOnly {
            let value = user.value.trimmed.lowercased()
            let own = ([instructions.username] + hints).map { $0.trimmed.lowercased() }
            if !value.isEmpty, !own.contains(value) { return .hasOtherValue(field: user.name.bounded(100)) }
        }
        let codes = FieldWords.codeBoxes(of: form)
        let further = form.writableTextFields.first { field in
            field != user && field != password && !field.name.isEmpty && field.type != "search"
                && !["q", "query", "search"].contains(field.name.lowercased()) && !codes.contains(field)
                && ![.oneTimeCode, .password].contains(FieldWords.meaning(of: field))
        }
        return further.map { .hasFurtherField($0.name.bounded(100)) }
    }
}

extension HTMLPage {
    /// The words of the button or link that skips what the page offers; `nil` if there is none.
    var skip: String? {
        let button = forms.flatMap(\.submitButtons).first { ButtonWords.speaksOfSkipping($0.words) }
        if let button { return button.words }
        // A link to a part of the page skips a menu, and a long one is about something else.
        return links.first { link in
            let words = link.words.split(separator: " ")
            return !link.reference.contains("#") && ButtonWords.speaksOfSkipping(link.words)
                && (words.count <= 4 || ButtonWords.speaksOfSkipping(String(words[0])))
        }?
        .words
    }
}

extension HTMLForm {
    /// The visible fields that a user types text into.
    var writableTextFields: [HTMLControl] {
        visibleFields.filter { field in
            !["checkbox", "radio", "select", "file", "range", "color"].contains(field.type)
                && !field.isDisabled && !field.isReadOnly && !field.isConcealed
        }
    }
}

extension String {
    fileprivate var quoted: String { "“\(self)”" }

    fileprivate var trimmed: Substring {
        let start = self[...].drop(while: \.isWhitespace)
        return start.lastIndex { !$0.isWhitespace }.map { start[...$0] } ?? ""
    }
}
