import Transport

/// A form and the values written into it, from which the request is made.
struct FormFilling: Sendable {
    /// The values written into the fields of a name.
    struct Writing: Sendable {
        let field: String
        /// One for a field; for boxes of one name as many as are ticked.
        let texts: [String]
        /// The templates of the texts, with placeholders for the credentials.
        let templates: [String]

        var containsPassword: Bool { templates.contains { $0.contains("{password}") } }

        var containsCode: Bool { templates.contains { $0.contains("{totp}") || $0.contains("{totp:") } }

        var containsVariable: Bool { templates.contains { !StepVariable.names(in: $0).isEmpty } }

        var containsCredentials: Bool {
            containsPassword || containsCode || templates.contains { $0.contains("{username}") }
        }
    }

    let form: HTMLForm
    let cause: Visit.Cause
    /// The values that were written, by field.
    private(set) var writings: [Writing] = []
    /// The boxes that were ticked.
    private(set) var ticked: Set<HTMLControl> = []
    /// The names of the fields that contain the password.
    private(set) var secretFields: Set<String> = []
    private(set) var button: HTMLControl?
    /// Why it must not be sent as it is: the step does not fit the page.
    var misfit: StepMismatch?
    /// Why the form is not treated as a sign-in form.
    var objection: FormObjection?

    init(_ form: HTMLForm, as cause: Visit.Cause) {
        self.form = form
        self.cause = cause
        for control in form.controls where control.type == "password" { secretFields.insert(control.name) }
    }

    /// Whether the form only grants consent and contains no credentials.
    var isConsent: Bool {
        cause == .consent
            || cause == .configuredStep && !writings.contains { $0.containsCredentials || $0.containsVariable }
    }

    /// The filling, or `nil` where there is an objection to it.
    var unlessObjected: FormFilling? { objection == nil ? self : nil }

    /// Writes into the fields of a name: of boxes, those that have one of the texts as their value are ticked, no others.
    mutating func write(_ texts: [String], into field: String, templates: [String]) {
        let writing = Writing(field: field, texts: texts, templates: templates)
        writings.removeAll { $0.field == field }
        writings.append(writing)
        if writing.containsPassword || writing.containsCode || writing.containsVariable { secretFields.insert(field) }
    }

    /// Ticks additional boxes.
    mutating func tick(_ boxes: [HTMLControl]) {
        ticked.formUnion(boxes)
    }

    /// Chooses the button that sends the form.
    mutating func press(_ button: HTMLControl?) {
        self.button = button
    }

    /// The fields that were filled, with their values; boxes of one name have several.
    var filled: [FormParameter] {
        writings.flatMap { writing in writing.texts.map { FormParameter(name: writing.field, value: $0) } }
    }

    /// The names of the fields that were filled, those that got no value among them.
    var filledNames: [String] { writings.map(\.field) }

    /// Whether the user's name or the password was written, which makes the form a sign-in.
    var writesCredentials: Bool { writings.contains(where: \.containsCredentials) }

    /// Whether the password is among what is sent.
    var carriesPassword: Bool {
        writings.contains { writing in
            secretFields.contains(writing.field) && writing.texts.contains { !$0.isEmpty }
                && (writing.containsPassword || !(writing.containsCode || writing.containsVariable))
        }
    }

    /// Whether the value of a variable is among what is sent.
    var carriesSecret: Bool { writings.contains(where: \.containsVariable) }

    /// Whether a one-time code is among what is sent; it is not written yet.
    var carriesCode: Bool { writings.contains(where: \.containsCode) }

    /// The filling with the texts that its templates come to now.
    func rewritten(_ text: (String) -> String) -> FormFilling {
        var filling = self
        for writing in writings {
            filling.write(writing.templates.map(text), into: writing.field, templates: writing.templates)
        }
        return filling
    }

    /// The button in words for the record.
    var pressed: String? {
        guard let button else { return nil }
        let words = button.label.isEmpty ? button.value : button.label
        return (button.name.isEmpty ? words : "\(button.name)=\(button.value)").bounded(100)
    }

    /// The submitted parameters: defaults and hidden fields unchanged, filled fields in place, and the pressed button.
    var parameters: FormParameters {
        var parameters = FormParameters()
        var open = filled
        let names = filledNames
        for var control in form.controls {
            if let button, control == button {
                append(button, to: &parameters)
            } else if let index = open.firstIndex(where: control.takes), !control.isDisabled {
                parameters.items.append(open.remove(at: index))
            } else if !names.contains(control.name) {
                if ticked.contains(control) { control.isChecked = true }
                for pair in control.defaultPairs { parameters.append(pair.name, pair.value) }
            }
        }
        parameters.items += open
        // A configured button that the page does not have is sent all the same: a script may have made it.
        if let button, !form.controls.contains(button) { append(button, to: &parameters) }
        return parameters
    }

    /// The request, from the page that the form stood on; nil when its action is no http or https URL.
    func request(on page: WebURL, base: WebURL) -> HTTPRequest? {
        let action = button?.formAction ?? form.action
        // An empty action is the page itself, whatever its base address (HTML Standard, form submission).
        guard let target = action.isEmpty ? page : base.resolve(action) else { return nil }
        let method = button?.formMethod.map { $0.lowercased() == "post" ? "POST" : "GET" } ?? form.method
        guard method == "POST" else {
            let query = parameters.serialized
            return HTTPRequest(url: target.textBeforeQuery + (query.isEmpty ? "" : "?" + query))
        }
        guard form.encoding == "multipart/form-data" else {
            return HTTPRequest.form(url: target.textBeforeFragment, parameters)
        }
        let boundary = "----preflight-form-boundary-7MA4YWxkTrZu0gW"
        let type = HTTPField(name: "Content-Type", value: "multipart/form-data; boundary=\(boundary)")
        return HTTPRequest(
            method: "POST",
            url: target.textBeforeFragment,
            headers: [type],
            body: multipart(boundary: boundary)
        )
    }

    /// The signature that makes two fillings equal: their target, the form's fields, and the values.
    func signature(on page: WebURL, base: WebURL) -> String {
        let target = base.resolve(form.action)?.textBeforeQuery ?? form.action
        let names = form.controls.map(\.name).sorted()
        let values = filled.map { "\($0.name)=\($0.value)" }.sorted()
        return ([form.action.isEmpty ? page.textBeforeQuery : target] + names + ["|"] + values + ["|", pressed ?? ""])
            .joined(separator: "\n")
    }

    private func append(_ button: HTMLControl, to parameters: inout FormParameters) {
        if button.type == "image" {
            let prefix = button.name.isEmpty ? "" : button.name + "."
            parameters.append(prefix + "x", "1")
            parameters.append(prefix + "y", "1")
        } else if !button.name.isEmpty {
            parameters.append(button.name, button.value)
        }
    }

    /// The body of RFC 7578, for the rare form that requires it.
    private func multipart(boundary: String) -> [UInt8] {
        let parts = parameters.items.map { item in
            let name = item.name.filter { $0 != "\"" && $0 != "\r" && $0 != "\n" && $0 != "\r\n" }
            return "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(item.value)\r\n"
        }
        return Array((parts.joined() + "--\(boundary)--\r\n").utf8)
    }
}

extension HTMLControl {
    /// Whether a value is for this control: for a box it must be the box's own.
    fileprivate func takes(_ parameter: FormParameter) -> Bool {
        guard parameter.name == name else { return false }
        return type == "checkbox" || type == "radio" ? parameter.value == value : true
    }
}
