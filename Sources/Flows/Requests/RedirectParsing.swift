import Conformance
import SignIn
import Transport

/// The redirect to a client: its secrets, and separately the part that is recorded.
struct ArrivedRedirect: Sendable {
    /// The part that is recorded.
    var answer: RedirectAnswer
    var code: Secret?
    var accessToken: Secret?
    var idToken: Secret?

    /// Takes a redirect apart, query and fragment both as `application/x-www-form-urlencoded`.
    ///
    /// - Parameters:
    ///   - location: The address as the provider sent it.
    ///   - redirectURI: That of the request.
    ///   - formPost: The form of a page that takes the response to the client.
    ///   - keepsSecrets: Leaves codes and tokens readable.
    init(location: String, redirectURI: String, formPost: ResponseForm? = nil, keepsSecrets: Bool) {
        let beforeFragment = location.prefix { $0 != "#" }
        let address = beforeFragment.prefix { $0 != "?" }
        // A redirect URI may have a query of its own, which is no part of the response (RFC 6749 section 3.1.2).
        let own = FormParameters(parsing: redirectURI.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()).items
        let received = FormParameters(parsing: beforeFragment[address.endIndex...].dropFirst()).items
        let query = received.filter { !own.contains($0) }
        let fragment = FormParameters(parsing: location[beforeFragment.endIndex...].dropFirst()).items
        let all = query + fragment + (formPost?.parameters.items ?? [])
        let secret = { (name: String) in
            all.first { $0.name == name && !$0.value.isEmpty }.map { Secret($0.value) }
        }
        code = secret("code")
        accessToken = secret("access_token")
        idToken = secret("id_token")
        answer = RedirectAnswer(
            address: String(address),
            isRedirectURI: Self.isSame(String(address), redirectURI),
            query: query.map { ResponseParameter(recording: $0, keepsSecrets: keepsSecrets) },
            fragment: fragment.map { ResponseParameter(recording: $0, keepsSecrets: keepsSecrets) },
            form: formPost.map { form in
                PostedResponse(
                    action: form.action,
                    method: form.method,
                    encoding: form.encoding,
                    sendsItself: form.sendsItself,
                    blocking: form.blocking,
                    parameters: form.parameters.items.map {
                        ResponseParameter(recording: $0, keepsSecrets: keepsSecrets)
                    }
                )
            }
        )
        answer.keepsQuery = own.isEmpty ? nil : own.allSatisfy(received.contains)
    }

    /// Whether an address is the redirect URI, its query aside; case of scheme and host does not matter.
    private static func isSame(_ address: String, _ redirectURI: String) -> Bool {
        if let left = WebURL(address), let right = WebURL(redirectURI) { return left.hasSamePlace(as: right) }
        return address == String(redirectURI.prefix { $0 != "?" && $0 != "#" })
    }
}

extension ResponseParameter {
    /// A parameter as it may be kept: the value of a secret one is its length, unless secrets are kept.
    init(recording parameter: FormParameter, keepsSecrets: Bool) {
        guard Redactor.isSecretParameter(parameter.name) else {
            self.init(name: parameter.name, value: parameter.value)
            return
        }
        self.init(
            name: parameter.name,
            value: keepsSecrets ? parameter.value : Redactor.placeholder(parameter.name, parameter.value),
            length: parameter.value.count,
            variety: SecretEntropy.bits(of: parameter.value),
            hasSpace: parameter.value.contains(" ") ? true : nil
        )
    }
}

extension Conformance.PageSummary {
    /// A page as it was seen on the way.
    init(_ page: SignIn.PageSummary, stopped: String? = nil) {
        self.init(
            address: page.address,
            status: page.status,
            title: page.title.isEmpty ? nil : page.title,
            forms: page.forms.map { form in
                FormSummary(action: form.action, method: form.method, fields: form.fields.map(\.name))
            },
            text: page.textStart,
            stopped: stopped
        )
        if page.customNames.contains(Scenario.markupName) { hasMarkup = true }
    }
}
