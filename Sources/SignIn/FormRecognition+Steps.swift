import Transport

/// Applies a configured step to a form.
extension FormRecognition {
    /// The misfit of a page that does not meet a step's condition, whether it has a form or not; nothing is sent.
    func waiting(at page: HTMLPage, _ address: WebURL?) -> FormFilling? {
        guard let address else { return nil }
        for step in instructions.formSteps where step.page?.matches(address) == true {
            guard let missing = step.waitFor.first(where: { !$0.isMet(on: page, at: address) }) else { continue }
            var filling = FormFilling(HTMLForm(), as: .configuredStep)
            filling.misfit = .condition(missing.description)
            return filling
        }
        return nil
    }

    func following(_ step: FormStep, in form: HTMLForm, _ page: HTMLPage, _ address: WebURL?) -> FormFilling {
        var filling = FormFilling(form, as: .configuredStep)
        filling.misfit = step.waitFor.first { !$0.isMet(on: page, at: address) }.map { .condition($0.description) }
        for fill in step.fill {
            guard let name = form.nameOfField(fill.field) else {
                filling.misfit = filling.misfit ?? .field(fill.field.description)
                continue
            }
            filling.write(fill.templates.map { text(of: $0) }, into: name, templates: fill.templates)
        }
        for choice in step.choose { choose(choice, &filling) }
        press(step, &filling)
        return filling
    }

    /// Chooses an option or a round box, or presses one of several buttons.
    private func choose(_ choice: FormStep.Choice, _ filling: inout FormFilling) {
        let wanted = text(of: choice.template)
        let controls = filling.form.controls.filter { $0.isMeant(by: choice.field) && !$0.isDisabled }
        for control in controls where control.type == "select" && !control.name.isEmpty {
            let options = control.options.filter { !$0.isDisabled }
            if let option = Self.meant(wanted, options, value: \.value, label: \.label) {
                return filling.write([option.value], into: control.name, templates: [option.value])
            }
        }
        let several = controls.filter { $0.type != "select" && ($0.isButton || $0.isBox) && $0.canBeSent }
        guard let chosen = Self.meant(wanted, several, value: \.value, label: \.label) else {
            let isThere = !controls.isEmpty
            let field = choice.field.description
            filling.misfit = filling.misfit ?? (isThere ? .choice(wanted, field: field) : .field(field))
            return
        }
        if chosen.isButton { return filling.press(chosen) }
        filling.write([chosen.value], into: chosen.name, templates: [chosen.value])
    }

    /// The one with that value, else with those words, else the only one in whose words it is.
    private static func meant<Element>(
        _ wanted: String,
        _ elements: [Element],
        value: (Element) -> String,
        label: (Element) -> String
    ) -> Element? {
        let words = FieldReference.words(wanted)
        if let exact = elements.first(where: { value($0) == wanted }) { return exact }
        if let exact = elements.first(where: { FieldReference.words(label($0)) == words }) { return exact }
        let near = elements.filter { element in
            label(element).lowercased().split { $0.isWhitespace || "()<>,".contains($0) }.contains(Substring(words))
        }
        return near.count == 1 ? near.first : nil
    }

    private func press(_ step: FormStep, _ filling: inout FormFilling) {
        if let reference = step.button {
            let button = filling.form.controls.first {
                $0.isButton && $0.canBeSent && !$0.isDisabled && $0.isMeant(by: reference)
            }
            if button == nil { filling.misfit = filling.misfit ?? .field(reference.description) }
            return filling.press(button)
        }
        guard let press = step.press.first else {
            // A choice may have pressed one.
            if filling.button == nil { filling.press(Self.sendingButton(of: filling.form)) }
            return
        }
        let named = filling.form.submitButtons.first { $0.name == press.name && $0.value == press.value }
        filling.press(named ?? Self.madeButton(press))
        for further in step.press.dropFirst() {
            filling.write([further.value], into: further.name, templates: [further.value])
        }
    }

    private static func madeButton(_ press: FormStep.Press) -> HTMLControl {
        var button = HTMLControl()
        button.type = "submit"
        button.name = press.name
        button.value = press.value
        return button
    }
}

extension HTMLForm {
    /// The name under which a field is sent; a field referenced by name may be missing, for a script may create it.
    fileprivate func nameOfField(_ reference: FieldReference) -> String? {
        if case .name(let name) = reference { return name }
        return controls.first { !$0.isButton && !$0.name.isEmpty && $0.isMeant(by: reference) }?.name
    }
}

extension HTMLControl {
    fileprivate var isBox: Bool { type == "checkbox" || type == "radio" }

    /// Whether something comes of it: without a browser a box needs a name, and a mere button does nothing.
    fileprivate var canBeSent: Bool { element != nil || (isButton ? isSubmitButton : !name.isEmpty) }
}
