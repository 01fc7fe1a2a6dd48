import Transport

/// Selects the form of a page that continues the sign-in, and fills it: configured steps first, then ordinary forms.
struct FormRecognition: Sendable {
    let instructions: SignInInstructions
    /// The selectors that the steps go by, each once.
    let selectors: [CSSSelector]

    init(instructions: SignInInstructions) {
        self.instructions = instructions
        selectors = Array(Set(instructions.formSteps.flatMap(\.selectors)))
    }

    /// The filling for a page, or nil when no form is usable.
    ///
    /// On an error page nothing is confirmed or sent on by itself; it may still ask to sign in. Consent is given for
    /// `scopes`, as far as there is a choice. A form that may change an account is left alone.
    ///
    /// - Parameters:
    ///   - address: That of the page, for which a step may wait.
    ///   - hints: The values of the request's `login_hint`.
    ///   - afterPassword: Whether the password was sent: then a consent form comes before one for a name or an address,
    ///     such as that of a newsletter.
    func filling(
        for page: HTMLPage,
        at address: WebURL? = nil,
        isErrorPage: Bool = false,
        scopes: [String] = [],
        hints: [String] = [],
        afterPassword: Bool = false
    ) -> FormFilling? {
        if let waiting = waiting(at: page, address) { return waiting }
        for step in instructions.formSteps where step.page == nil {
            if let form = page.forms.first(where: { form in step.formHas.allSatisfy(form.has) }) {
                return following(step, in: form, page, address)
            }
        }
        guard page.isForUsers else { return nil }
        if !isErrorPage, let filling = page.forms.firstResult({ passkey($0, hints) }) { return filling }
        let takesCode = instructions.codes != nil && !page.requestsSentCode
        let forms = page.forms.filter { !$0.isUnrelated }
        let answer =
            isErrorPage
            ? nil
            : forms.firstResult(account) ?? forms.firstResult(ownAccount)
                ?? decision(among: forms, scopes, skip: page.skip)
        // A page that asks a signed-in user for a decision has other forms beside it.
        let decides = answer.map { $0.cause == .consent && $0.form.declines } ?? false
        let name = Self.best(forms.compactMap { userName($0, takesCode, hints)?.unlessObjected })
        // A password in an address ends up in logs; a page with a script sends it in another way.
        let signIns = page.forms.compactMap { signIn($0, takesCode, hints)?.unlessObjected }
            .filter { !page.hasScript || $0.form.method == "POST" || $0.button?.formMethod?.lowercased() == "post" }
        let filling =
            Self.best(decides ? signIns.filter(\.isSignIn) : signIns)
            ?? name.map { afterPassword || decides ? answer ?? $0 : $0 }
            ?? (takesCode && !decides ? page.forms.firstResult(oneTimeCode) : nil)
        if let filling { return filling }
        if isErrorPage { return nil }
        if let answer { return answer }
        // Nothing is sent from a page whose offer is left alone.
        if forms.contains(where: { consent($0, to: scopes, skip: page.skip)?.objection != nil }) { return nil }
        return forms.firstResult(continuation) ?? linkedAccount(on: page)
    }

    /// A filling with the code in the place of `{totp}`.
    func completed(_ filling: FormFilling, with code: Credential) -> FormFilling {
        filling.rewritten { text(of: $0, code: code) }
    }

    /// A form with one password field; with two it is for choosing a password, not for signing in.
    func signIn(_ form: HTMLForm, _ takesCode: Bool, _ hints: [String]) -> FormFilling? {
        let passwords = form.passwordFields.filter { !$0.isDisabled }
        guard passwords.count == 1, let password = passwords.first, !password.name.isEmpty,
            password.type == "password" || FieldWords.meaning(of: password) == .password, !form.hasOtherEffect
        else { return nil }
        // Some sign-in forms say new-password, so that browsers offer no password; their button says what they do.
        let isChosen = FieldWords.meaning(of: password) == .chosenPassword
        if isChosen, !form.submitButtons.contains(where: { ButtonWords.isSignInAlone($0.words) }) { return nil }
        var filling = FormFilling(form, as: .signIn)
        let user = userField(of: form, before: password)
        filling.objection = objection(to: form, user: user, password: password, hints: hints)
        if let user, !user.isReadOnly { writeName(into: user, &filling) }
        filling.write([instructions.password.revealed], into: password.name, templates: ["{password}"])
        if takesCode { writeCode(of: form, &filling) }
        filling.tick(ConsentBoxes.required(in: form))
        filling.press(Self.sendingButton(of: form))
        return filling
    }

    /// A page that requests the user name first, and the password on the next page.
    func userName(_ form: HTMLForm, _ takesCode: Bool, _ hints: [String]) -> FormFilling? {
        guard form.passwordFields.isEmpty, !form.hasOtherEffect else { return nil }
        guard let user = userField(of: form), !user.isReadOnly else { return nil }
        var filling = FormFilling(form, as: .userName)
        filling.objection = objection(to: form, user: user, password: nil, hints: hints)
        writeName(into: user, &filling)
        if takesCode { writeCode(of: form, &filling) }
        filling.tick(ConsentBoxes.required(in: form))
        filling.press(Self.sendingButton(of: form))
        return filling
    }

    /// A page that requests a one-time code, when name and password are known.
    private func oneTimeCode(_ form: HTMLForm) -> FormFilling? {
        guard form.passwordFields.isEmpty, !form.hasOtherEffect else { return nil }
        var filling = FormFilling(form, as: .oneTimeCode)
        writeCode(of: form, &filling)
        guard filling.carriesCode else { return nil }
        filling.tick(ConsentBoxes.required(in: form))
        filling.press(Self.sendingButton(of: form))
        return filling
    }

    /// A choice among accounts, of which one is the test user's: its button is the one that says so.
    private func account(_ form: HTMLForm) -> FormFilling? {
        let name = instructions.username.lowercased()
        guard !name.isEmpty, form.visibleFields.isEmpty else { return nil }
        let own = form.submitButtons.filter { button in
            let words = button.label.lowercased().split { $0.isWhitespace || "()<>,".contains($0) }
            // A sign alone, such as a cross, may remove the account.
            let isNamed = button.value.lowercased() == name && button.label.contains(where: \.isLetter)
            return isNamed || words.contains { $0 == name }
        }
        guard own.count == 1, let button = own.first, ButtonWords.meaning(of: button) != .cancels,
            !ButtonWords.speaksOfOtherEffect(button.words)
        else { return nil }
        var filling = FormFilling(form, as: .account)
        filling.press(button)
        return filling
    }

    /// A choice among accounts or subjects with a round box for each, of which one is the test user's.
    private func ownAccount(_ form: HTMLForm) -> FormFilling? {
        let name = instructions.username.lowercased()
        let choices = form.visibleFields.filter { $0.type == "radio" && !$0.isDisabled && !$0.name.isEmpty }
        guard !name.isEmpty, !choices.isEmpty, choices.count == form.visibleFields.count,
            choices.allSatisfy({ $0.name == choices[0].name })
        else { return nil }
        let own = choices.filter { choice in
            let words = choice.label.lowercased().split { $0.isWhitespace || "()<>,".contains($0) }
            return choice.value.lowercased() == name || words.contains { $0 == name }
        }
        guard own.count == 1, let choice = own.first else { return nil }
        let buttons = form.submitButtons
        let onward = buttons.filter { ButtonWords.meaning(of: $0) != .cancels }
        guard buttons.isEmpty || !onward.isEmpty else { return nil }
        let button = onward.first { ButtonWords.meaning(of: $0) == .proceeds } ?? onward.first
        var filling = FormFilling(form, as: .account)
        filling.write([choice.value], into: choice.name, templates: [choice.value])
        filling.press(button)
        return filling
    }

    /// The consent form of a page: the only one, or the only one that can also be declined.
    ///
    /// If several could be it, none is sent: another than the right one may change the account.
    private func decision(among forms: [HTMLForm], _ scopes: [String], skip: String?) -> FormFilling? {
        let answers = forms.compactMap { consent($0, to: scopes, skip: skip)?.unlessObjected }
        let declinable = answers.filter { answer in
            answer.form.declines || forms.contains { $0.action == answer.form.action && $0.declines }
        }
        return answers.count == 1 ? answers.first : declinable.count == 1 ? declinable.first : nil
    }

    /// The filling whose button speaks of signing in, or the first.
    private static func best(_ fillings: [FormFilling]) -> FormFilling? {
        fillings.first { $0.button.map { ButtonWords.isSignInAlone($0.words) } ?? false } ?? fillings.first
    }

    /// A form with a button that consents, with the boxes ticked that represent the grant.
    ///
    /// - Parameter skip: The button or link that skips what the page offers. A consent is declined, and not skipped.
    func consent(_ form: HTMLForm, to scopes: [String], skip: String?) -> FormFilling? {
        // Text that is there already is data about the user, which the form would save.
        guard !form.hasOtherEffect, !form.hasChoiceOfData else { return nil }
        let button = form.submitButtons.first { button in
            ButtonWords.meaning(of: button) == .proceeds && !button.isConcealed
                && !ButtonWords.speaksOfOtherWay(button.words)
        }
        guard let button, form.writableTextFields.allSatisfy({ form.declines && $0.isOptionalNote }) else { return nil }
        var filling = FormFilling(form, as: .consent)
        if let skip, !ButtonWords.speaksOfGrant(button.words) {
            filling.objection = .mayBeSkipped(by: skip.bounded(100))
        }
        filling.tick(ConsentBoxes.granting(scopes, in: form))
        filling.tick(ConsentBoxes.agreeing(in: form))
        filling.tick(ConsentBoxes.required(in: form))
        filling.press(button)
        return filling
    }

    /// A form of hidden fields, which a script would send on; not one that ends the session or cancels.
    private func continuation(_ form: HTMLForm) -> FormFilling? {
        let buttons = form.submitButtons
        guard form.visibleFields.isEmpty, form.method == "POST" || buttons.isEmpty else { return nil }
        guard form.controls.contains(where: { $0.type == "hidden" && !$0.name.isEmpty }), buttons.count <= 1 else {
            return nil
        }
        let texts = buttons.map(\.label) + [form.action, form.identifier]
        guard texts.allSatisfy({ ButtonWords.meaning(of: $0) != .cancels }) else { return nil }
        guard buttons.allSatisfy({ ButtonWords.meaning(of: $0) != .cancels }) else { return nil }
        // Hidden fields with a button that says neither yes nor no may do anything: that is the user's to configure.
        guard buttons.isEmpty else { return nil }
        return FormFilling(form, as: .continuation)
    }

    /// A form that asks whether to log out, with the button that says yes.
    static func signOut(on page: HTMLPage) -> FormFilling? {
        guard page.isForUsers else { return nil }
        for form in page.forms where form.passwordFields.isEmpty {
            let buttons = form.submitButtons
            let yes =
                buttons.first { ButtonWords.speaksOfSignOut($0.label + " " + $0.value + " " + $0.name) }
                ?? buttons.first { ButtonWords.meaning(of: $0) == .proceeds }
            guard let yes else { continue }
            var filling = FormFilling(form, as: .consent)
            filling.press(yes)
            return filling
        }
        return nil
    }

    func writeName(into field: HTMLControl, _ filling: inout FormFilling) {
        filling.write([instructions.username], into: field.name, templates: ["{username}"])
    }

    private func writeCode(of form: HTMLForm, _ filling: inout FormFilling) {
        let boxes = FieldWords.codeBoxes(of: form)
        if !boxes.isEmpty { return writeCode(into: boxes, of: form, &filling) }
        guard let field = FieldWords.oneTimeCodeField(of: form), !field.name.isEmpty, !field.isReadOnly else { return }
        filling.write(["{totp}"], into: field.name, templates: ["{totp}"])
    }

    /// Writes a code digit by digit, and where a script would put the digits together, the whole of it.
    private func writeCode(into boxes: [HTMLControl], of form: HTMLForm, _ filling: inout FormFilling) {
        var templates: [(name: String, texts: [String])] = []
        for (place, box) in boxes.enumerated() where !box.name.isEmpty {
            let digit = "{totp:\(place + 1)}"
            if let index = templates.firstIndex(where: { $0.name == box.name }) {
                templates[index].texts.append(digit)
            } else {
                templates.append((box.name, [digit]))
            }
        }
        for (name, texts) in templates { filling.write(texts, into: name, templates: texts) }
        let whole = form.controls.first { control in
            control.type == "hidden" && control.value.isEmpty && !control.name.isEmpty
                && FieldWords.meaning(of: control) == .oneTimeCode
        }
        if let whole { filling.write(["{totp}"], into: whole.name, templates: ["{totp}"]) }
    }

    /// The field for the user's name: one that is named so, or the last text field before the password.
    func userField(of form: HTMLForm, before password: HTMLControl? = nil) -> HTMLControl? {
        func isCandidate(_ control: HTMLControl) -> Bool {
            ["text", "email", "tel"].contains(control.type) && !control.isDisabled && !control.name.isEmpty
                && control != password
        }
        let named = form.controls.first { isCandidate($0) && FieldWords.meaning(of: $0) == .userName }
        guard named == nil, let place = password.flatMap(form.controls.firstIndex) else { return named }
        return form.controls[..<place].last { isCandidate($0) && FieldWords.meaning(of: $0) == .unknown }
    }

    /// The button for sending a filled form: one that speaks of signing in, or the first that does not cancel.
    static func sendingButton(of form: HTMLForm) -> HTMLControl? {
        let usable = form.submitButtons.filter { button in
            ButtonWords.meaning(of: button) != .cancels && !ButtonWords.speaksOfOtherEffect(button.words)
        }
        return usable.first { ButtonWords.isSignInAlone($0.words) }
            ?? usable.first { ButtonWords.speaksOfSignIn($0.words) }
            ?? usable.first { !ButtonWords.speaksOfOtherWay($0.words) }
            ?? usable.first
    }

    /// The digit that `{totp:3}` at the beginning of a text represents; `nil` for anything else.
    private static func digit(_ text: Substring, of code: Credential) -> Character? {
        let (start, digits) = ("{totp:", Array(code.revealed))
        guard text.hasPrefix(start), text.dropFirst(start.count + 1).first == "}",
            let place = text.dropFirst(start.count).first?.wholeNumberValue, digits.indices.contains(place - 1)
        else { return nil }
        return digits[place - 1]
    }

    /// The text of a template; a code is written when the request is about to be sent.
    func text(of template: String, code: Credential? = nil) -> String {
        // One pass, so that a user name with braces in it is not read as a template.
        var text = ""
        var rest = template[...]
        while let brace = rest.firstIndex(of: "{") {
            text += rest[..<brace]
            rest = rest[brace...]
            if rest.hasPrefix("{username}") {
                text += instructions.username
                rest = rest.dropFirst("{username}".count)
            } else if rest.hasPrefix("{password}") {
                text += instructions.password.revealed
                rest = rest.dropFirst("{password}".count)
            } else if rest.hasPrefix(StepVariable.start),
                let name = StepVariable.name(before: rest.dropFirst(StepVariable.start.count))
            {
                text += instructions.variables[name]?.revealed ?? ""
                rest = rest.dropFirst(StepVariable.start.count + name.count + 1)
            } else if let code, rest.hasPrefix("{totp}") {
                text += code.revealed
                rest = rest.dropFirst("{totp}".count)
            } else if let code, let digit = Self.digit(rest, of: code) {
                text.append(digit)
                rest = rest.dropFirst("{totp:1}".count)
            } else {
                text.append(rest.removeFirst())
            }
        }
        return text + rest
    }
}

extension FormFilling {
    /// Whether it has the user's name, or a button that speaks of signing in: another password form confirms something.
    fileprivate var isSignIn: Bool {
        writings.contains { $0.templates.contains("{username}") }
            || button.map { ButtonWords.speaksOfSignIn($0.words) } ?? false
    }
}

extension HTMLControl {
    /// Whether it is an empty field for a note of the user's on the consent, which Duende IdentityServer shows.
    fileprivate var isOptionalNote: Bool {
        value.isEmpty && !isRequired && ButtonWords.words(in: name).contains("description")
    }

    /// The visible words of a button, or those that are read out.
    var words: String { label.contains(where: \.isLetter) ? label : label + " " + accessibleName }
}

extension HTMLForm {
    /// Whether one of its buttons declines.
    fileprivate var declines: Bool { submitButtons.contains { ButtonWords.meaning(of: $0) == .cancels } }

    /// Whether it does something else than to sign in or to consent: every button cancels or says so, or the form's name or
    /// address does.
    fileprivate var hasOtherEffect: Bool {
        let buttons = submitButtons
        let isOther = { (button: HTMLControl) in
            ButtonWords.meaning(of: button) == .cancels || ButtonWords.speaksOfOtherEffect(button.words)
        }
        if !buttons.isEmpty, buttons.allSatisfy(isOther) { return true }
        // Of an address, the last part names the action; a part of random characters has no such word.
        let path = action.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return [identifier, last]
            .contains { text in
                ButtonWords.words(in: text).contains(where: Self.otherActions.contains)
            }
    }

    /// Whether a user chooses data in it, such as a country; a duration of the consent is none.
    fileprivate var hasChoiceOfData: Bool {
        visibleFields.contains { field in
            field.type == "select" && !field.isConcealed
                && !ButtonWords.words(in: field.name + " " + field.label)
                    .contains {
                        ["remember", "duration", "expire", "expires", "expiry", "lifetime", "days", "hours"]
                            .contains($0)
                    }
        }
    }

    private static let otherActions: Set<String> = [
        "delete", "deletion", "deactivate", "unsubscribe", "subscribe", "newsletter", "register", "registration",
        "signup",
        "unlink", "revoke", "recover", "recovery", "payment", "donate", "enrol", "enroll", "disable",
    ]

    /// Whether it is not a sign-in step but a side form: the choice of a language, a search, or a newsletter.
    fileprivate var isUnrelated: Bool {
        let fields = visibleFields
        guard !fields.isEmpty else { return false }
        let texts = submitButtons.map(\.label) + [identifier]
        if passwordFields.isEmpty, texts.flatMap(ButtonWords.words).contains(where: Self.newsletters.contains) {
            return true
        }
        let names: Set<String> = [
            "lang", "language", "locale", "ui_locales", "uilocales", "hl", "culture", "kc_locale", "q", "query",
            "search",
        ]
        return fields.allSatisfy { field in
            field.type == "search" || names.contains(field.name.lowercased())
                || names.contains(field.identifier.lowercased())
        }
    }

    private static let newsletters: Set<String> = [
        "newsletter", "newsletters", "subscribe", "abonnieren", "abonner", "suscribirse", "iscriviti", "inscrever",
    ]
}

extension HTMLPage {
    /// Whether it requires a code that was sent to the user, which no app shows.
    fileprivate var requestsSentCode: Bool {
        forms.firstResult(FieldWords.oneTimeCodeField).map { FieldWords.isSent($0, on: self) } ?? false
    }
}

extension Sequence {
    /// The first result that is not nil.
    func firstResult<Result>(_ transform: (Element) -> Result?) -> Result? {
        for element in self {
            if let result = transform(element) { return result }
        }
        return nil
    }
}
