internal import Conformance
internal import Flows
internal import JSONTree
internal import Profiles
internal import SignIn
internal import Transport

/// Reads `sign_in`: the test user, and the steps for pages that are not detected.
extension ConfigurationReader {
    func readSignIn(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.signIn]?.mapping() else { return }
        readDriver(mapping, into: &configuration)
        let isByHand = configuration.signInSettings.driver == .manual
        let name = isByHand ? mapping.optional(Keys.SignIn.username) : mapping[Keys.SignIn.username]
        configuration.secrets.username = name?.string()
        let session = mapping[Keys.SignIn.session]
        configuration.sessionSource = session.flatMap(self.session)
        if isByHand, configuration.sessionSource != nil {
            // A driver on the command line overrides the saved session for this run.
            if driver == nil {
                session?.report("a saved session requires driver: form or browser, not manual")
            }
            configuration.sessionSource = nil
        }
        // In a manual sign-in the user types the password in a browser.
        let hasSession = session != nil || isByHand
        // With a saved session, the password is optional.
        configuration.secrets.password = mapping[Keys.SignIn.password]
            .flatMap { hasSession && isUnset($0) ? nil : secret($0) }
        if let totp = mapping[Keys.SignIn.totp], !(hasSession && isWithoutSecret(totp)) {
            configuration.secrets.authenticator = authenticator(totp)
            configuration.codePeriod = configuration.secrets.authenticator?.period ?? statedPeriod(totp)
        }
        configuration.secrets.passkey = mapping[Keys.SignIn.passkey].flatMap(passkey)
        if let value = mapping[Keys.SignIn.max], let number = value.number() {
            configuration.maxSignIns = Int(min(number, 1e6))
            if number < 1 || number != number.rounded() {
                value.report(
                    "“\(value.path)” must be an integer of 1 or more; for a run without sign-ins use --tier unauthenticated"
                )
            }
        }
        configuration.steps = (mapping[Keys.SignIn.steps]?.list() ?? []).compactMap(step)
        for name in configuration.steps.flatMap(\.variables) where readsSecrets {
            configuration.secrets.stepVariables[name] = environment.variable(name).map { Secret($0) }
        }
        checkPlaceholders(
            mapping[Keys.SignIn.steps],
            configuration,
            hasCodes: mapping[Keys.SignIn.totp] != nil
        )
        configuration.signInHosts = (mapping[Keys.SignIn.hosts]?.list() ?? []).compactMap(host)
        guard let other = mapping[Keys.SignIn.other]?.mapping() else { return }
        let username = other[Keys.Other.username]?.string()
        let password = other[Keys.Other.password].flatMap { isByHand && isUnset($0) ? nil : secret($0) }
        let authenticator = other[Keys.Other.totp]
            .flatMap { isByHand && isWithoutSecret($0) ? nil : self.authenticator($0) }
        configuration.target.otherEmailIsVerified = other[Keys.Other.emailIsVerified]?.boolean()
        if let username, let password {
            configuration.signInOther(as: username, password: password, authenticator: authenticator)
        }
    }

    private func host(_ value: StrictYAML.Value) -> String? {
        guard let text = value.string()?.lowercased() else { return nil }
        guard let url = WebURL("https://\(text)"), url.userInfo == nil, url.text == "https://" + url.hostAndPort else {
            value.report("“\(text)” must be a host, with its port unless that is 443, such as login.example.com:8443")
            return nil
        }
        return text
    }

    private func step(_ value: StrictYAML.Value) -> SignInStep? {
        guard let mapping = value.mapping() else { return nil }
        // Marks every key as known, because a step that mixes both has known keys.
        let form = Keys.FormStep.all.filter { mapping.optional($0) != nil }.first?.name
        let request = Keys.RequestStep.all.filter { mapping.optional($0) != nil }.first?.name
        let isWaiting = form == Keys.WaitStep.waitFor.name && request == Keys.RequestStep.when.name
        let others = (Keys.FormStep.all + Keys.RequestStep.all)
            .filter { key in !Keys.WaitStep.all.contains { $0.name == key.name } && mapping.optional(key) != nil }
        if isWaiting, others.isEmpty { return waitStep(mapping).map { .form($0) } }
        switch (form, request) {
        case (let form?, let request?):
            value.report("a step either fills in a form (\(form)) or sends requests (\(request)): write two steps")
            return nil
        case (nil, nil):
            value.report("a step needs form_has (a form to fill in) or when (requests to send)")
            return nil
        case (_, nil): return formStep(mapping).map { .form($0) }
        case (nil, _): return requestStep(mapping).map { .requests($0) }
        }
    }

    /// A step that waits at a page.
    private func waitStep(_ mapping: StrictYAML.Mapping) -> FormStep? {
        guard let page = mapping[Keys.RequestStep.when].flatMap(page), let value = mapping[Keys.WaitStep.waitFor] else {
            return nil
        }
        let conditions = (value.isList ? value.list() ?? [] : [value]).compactMap(condition)
        return FormStep(page: page, waitFor: conditions)
    }

    // MARK: Forms

    private func formStep(_ mapping: StrictYAML.Mapping) -> FormStep? {
        let formHas = mapping[Keys.FormStep.formHas]?.list()
        let waitFor = mapping[Keys.FormStep.waitFor]
        let fill = mapping[Keys.FormStep.fill]?.mapping()?.pairs ?? []
        let choose = mapping[Keys.FormStep.choose]?.mapping()?.pairs ?? []
        let press = mapping[Keys.FormStep.press]
        guard let formHas else { return nil }
        var step = FormStep(
            formHas: formHas.compactMap { value in value.string().flatMap { field($0, value) } },
            waitFor: waitFor.map { $0.isList ? $0.list() ?? [] : [$0] }?.compactMap(condition) ?? [],
            fill: fill.compactMap { name, value in
                guard let field = field(name, value) else { return nil }
                return formTemplates(value, field: name).map { FormStep.Fill(field: field, templates: $0) }
            },
            choose: choose.compactMap { name, value in
                guard let field = field(name, value) else { return nil }
                return choice(value, field: name).map { FormStep.Choice(field: field, template: $0) }
            }
        )
        if let press, press.isScalar {
            step.button = press.string().flatMap { field($0, press) }
        } else {
            step.press = (press?.mapping()?.pairs ?? [])
                .compactMap { name, value in
                    if let other = buttonMeant(by: name) {
                        value.report(other)
                        return nil
                    }
                    return value.string().map { FormStep.Press(name: name, value: $0) }
                }
        }
        return step
    }

    /// One text, or a list for several fields with the same name.
    private func formTemplates(_ value: StrictYAML.Value, field: String) -> [String]? {
        guard value.isList, let list = value.list() else { return formTemplate(value, field: field).map { [$0] } }
        return list.compactMap { formTemplate($0, field: field) }
    }

    private func formTemplate(_ value: StrictYAML.Value, field: String) -> String? {
        guard let text = value.string() else { return nil }
        let variables = StepVariable.names(in: text)
        for name in variables { _ = variable(name, at: value) }
        guard text.hasPrefix("{"), text.hasSuffix("}"), variables.isEmpty else { return text }
        let known = ["{username}", "{password}", "{totp}", "{env:NAME}"]
        if !known.contains(text) {
            value.report(
                "“\(text)” for field \(field) is an unknown placeholder" + NearestWord.hint(for: text, among: known)
            )
        }
        return text
    }

    // MARK: Requests

    private func requestStep(_ mapping: StrictYAML.Mapping) -> RequestStep? {
        let page = mapping[Keys.RequestStep.when].flatMap(self.page)
        let requests = mapping[Keys.RequestStep.request].map(self.requests) ?? []
        let next = mapping[Keys.RequestStep.then].map(self.next) ?? .retry
        guard let page, let next, !requests.isEmpty else { return nil }
        return RequestStep(page: page, requests: requests, next: next)
    }

    private func page(_ value: StrictYAML.Value) -> RequestStep.Page? {
        guard let mapping = value.mapping() else { return nil }
        let value = mapping[Keys.Page.path]
        let path = value?.string()
        if let path, !path.hasPrefix("/"), !path.hasPrefix("*") {
            value?.report("“\(path)” must be the path of the page's address, such as /login; * matches any text")
        }
        let query = mapping[Keys.Page.query]?.strings() ?? []
        return path.map { RequestStep.Page(path: $0, query: query) }
    }

    /// One request, or a list of them.
    private func requests(_ value: StrictYAML.Value) -> [RequestStep.Request] {
        guard value.isList, let list = value.list() else { return [request(value)].compactMap { $0 } }
        if list.isEmpty { value.report("“\(value.path)” is empty: write at least one request") }
        return list.compactMap(request)
    }

    private func request(_ value: StrictYAML.Value) -> RequestStep.Request? {
        guard let mapping = value.mapping() else { return nil }
        let stated = mapping[Keys.Request.method]
        let url = mapping[Keys.Request.url].flatMap(address)
        let headers = (mapping[Keys.Request.headers]?.mapping()?.pairs ?? []).compactMap { header(name: $0, $1) }
        let body = self.body(mapping)
        let method = stated.map(self.method) ?? (body == .none ? "GET" : "POST")
        let expected = mapping[Keys.Request.expect].map(statuses) ?? []
        guard let url, let method else { return nil }
        if method == "GET", body != .none {
            stated?.report("a GET has no body: use POST, or remove json and form")
        }
        return RequestStep.Request(method: method, url: url, headers: headers, body: body, expected: expected)
    }

    private func method(_ value: StrictYAML.Value) -> String? {
        guard let text = value.string() else { return nil }
        if Keys.Request.methods.contains(text) { return text }
        value.report(
            "“\(text)” is not a supported method" + NearestWord.hint(for: text, among: Keys.Request.methods)
        )
        return nil
    }

    private func body(_ mapping: StrictYAML.Mapping) -> RequestStep.Body {
        let (json, form) = (mapping[Keys.Request.json], mapping[Keys.Request.form])
        if json != nil { form?.report("a request has one body: keep json or form") }
        if let json { return json.isScalar ? wrongBody(json) : jsonBody(json).map { .json($0) } ?? .none }
        guard let fields = form?.mapping() else { return .none }
        return .form(
            fields.pairs.compactMap { name, value in
                template(value).map { RequestStep.Field(name: name, template: $0) }
            }
        )
    }

    private func wrongBody(_ value: StrictYAML.Value) -> RequestStep.Body {
        value.report("“\(value.path)” must be a mapping or a list, such as { username: \"{username}\" }")
        return .none
    }

    private func jsonBody(_ value: StrictYAML.Value) -> JSONTemplate? {
        if value.isList { return .array((value.list() ?? []).compactMap(jsonBody)) }
        guard value.isScalar else {
            let members = (value.mapping()?.pairs ?? [])
                .compactMap { name, value in
                    jsonBody(value).map { JSONTemplate.Member(name: name, value: $0) }
                }
            return .object(members)
        }
        if let literal = value.plainText.flatMap(Self.literal) { return .literal(literal) }
        return template(value).map { .text($0) }
    }

    /// A JSON literal without quotes; anything else is a string.
    private static func literal(_ text: String) -> JSON? {
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null", "~", "": return .null
        default:
            // 007 is a string such as a code, not the number 7.
            if let number = Int64(text), String(number) == text { return .integer(number) }
            guard text.first?.isNumber == true || text.first == "-", text.contains("."),
                let number = Double(text), number.isFinite, number.description == text
            else { return nil }
            return .real(number)
        }
    }

    private func header(name: String, _ value: StrictYAML.Value) -> RequestStep.Field? {
        let isToken =
            !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0) }
        let isOurs = ["cookie", "host", "content-length", "transfer-encoding", "connection"].contains(name.lowercased())
        if !isToken || isOurs {
            value.report("a step cannot set the header “\(name)”" + (isOurs ? ": it is set automatically" : ""))
        }
        return withoutPassword(value, "a header").map { RequestStep.Field(name: name, template: $0) }
    }

    private func statuses(_ value: StrictYAML.Value) -> [Int] {
        let values = value.isList ? value.list() ?? [] : [value]
        return values.compactMap { value in
            guard let text = value.string() else { return nil }
            if let status = Int(text), (200...599).contains(status) { return status }
            value.report("“\(text)” is not a status: write a number such as 200, or a list of numbers")
            return nil
        }
    }

    private func next(_ value: StrictYAML.Value) -> RequestStep.Next? {
        guard let text = value.string() else { return nil }
        switch text {
        case "retry": return .retry
        case "follow": return .follow
        default:
            guard text.contains("/") || text.contains("{") || text.hasPrefix("?") else {
                value.report(
                    "“\(text)” is not an address, retry or follow"
                        + NearestWord.hint(for: text, among: ["retry", "follow"])
                )
                return nil
            }
            return address(value).map { .address($0) }
        }
    }

    private func address(_ value: StrictYAML.Value) -> Template? {
        if let text = value.string(), let scheme = WebURL.scheme(of: text), !["http", "https"].contains(scheme) {
            value.report("“\(text)” must be an http or https address, or one relative to the page, such as /api/login")
        }
        return withoutPassword(value, "an address")
    }

    /// Rejects secrets in addresses and headers, which are logged on both sides.
    private func withoutPassword(_ value: StrictYAML.Value, _ place: String) -> Template? {
        guard let template = self.template(value) else { return nil }
        if template.placeholders.contains(.password) || template.placeholders.contains(.totp) {
            let what = template.placeholders.contains(.password) ? "the password" : "a one-time code"
            value.report("\(what) must not be in \(place): use json or form")
        }
        if !template.variables.isEmpty, place == "an address" {
            value.report("a secret from the environment must not be in an address: use json, form or headers")
        }
        return template
    }

    /// The syntax of a placeholder that starts with a word.
    private static func form(of word: String) -> String {
        switch word {
        case "username", "password", "totp": "{\(word)}"
        case "env": "{env:NAME}"
        default: "{\(word).NAME}"
        }
    }

    private func template(_ value: StrictYAML.Value) -> Template? {
        guard let text = value.string() else { return nil }
        do throws(Template.Unknown) {
            let template = try Template(text)
            for name in template.variables { _ = variable(name, at: value) }
            return template
        } catch {
            let head = String(error.text.prefix { $0 != "." && $0 != ":" })
            let known = Template.Placeholder.words
            let isKnown = known.contains(head)
            value.report(
                "“{\(error.text)}” is an unknown placeholder"
                    + (isKnown
                        ? ": write it as \(Self.form(of: head))"
                        : NearestWord.hint(for: head, among: known))
            )
            return nil
        }
    }
}
