import Conformance
import JSONTree
import Transport

/// Redaction by place.
extension Redactor {
    /// Parameters of queries, fragments and forms that contain a secret, and how secret it is.
    private static let parameters: [String: Kind] = [
        "code": .token, "access_token": .token, "id_token": .token, "refresh_token": .token, "id_token_hint": .token,
        "code_verifier": .token, "client_assertion": .token, "assertion": .token, "client_secret": .credential,
        "password": .credential, "oauth_token": .token, "oauth_token_secret": .token, "oauth_verifier": .token,
        "oauth_signature": .token, "registration_access_token": .credential,
    ]

    /// Members of JSON answers that contain a secret.
    ///
    /// `code` is not among them: in an error's body it is most often the error's number.
    static let members: [String: Kind] = [
        "access_token": .token, "id_token": .token, "refresh_token": .token, "client_assertion": .token,
        "registration_access_token": .credential, "client_secret": .credential, "password": .credential,
    ]

    static func isSecretParameter(_ name: String) -> Bool { parameters[name] != nil }

    func hides(_ kind: Kind?) -> Bool {
        guard let kind else { return false }
        return kind != .token || !keepsTokens
    }

    // MARK: Learning

    /// Takes note of the secrets in a URL's query and fragment, whatever the scheme: redirect URIs of apps have their own.
    mutating func learn(fromURL text: String) {
        let (beforeFragment, fragment) = text[...].cut(at: "#")
        let (_, query) = beforeFragment.cut(at: "?")
        learn(FormParameters(parsing: query ?? ""))
        learn(FormParameters(parsing: fragment ?? ""))
    }

    /// Learns the long values that a provider's pages pass to each other in their addresses, under whatever name.
    ///
    /// They depend on a cookie and are valid once, so that a reader of a report cannot use them. Still, they open pages, and
    /// they make up half of a recorded sign-in. Parameters that OAuth and OpenID Connect define are checked, and stay.
    mutating func learn(fromPage address: String) {
        let (beforeFragment, _) = address[...].cut(at: "#")
        let (_, query) = beforeFragment.cut(at: "?")
        for parameter in FormParameters(parsing: query ?? "").items
        where parameter.value.utf8.count >= Self.leastOfPages && !Self.namedParameters.contains(parameter.name) {
            learn(pageValue: parameter.value)
        }
    }

    /// The number of bytes from which a page value counts as random, and not as a word, a number or a version.
    private static let leastOfPages = 32

    /// The parameters of authorization requests and responses (IANA, OAuth Parameters) that a provider may pass on as they
    /// are.
    private static let namedParameters: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce", "display", "prompt",
        "max_age", "ui_locales", "claims_locales", "login_hint", "acr_values", "claims", "request", "request_uri",
        "registration", "code_challenge", "code_challenge_method", "iss", "session_state", "resource", "error",
        "error_description", "error_uri", "post_logout_redirect_uri", "logout_hint", "audience",
        "authorization_details",
    ]

    /// Takes note of the secrets among parameters.
    mutating func learn(_ parameters: FormParameters) {
        for parameter in parameters.items {
            guard let kind = Self.parameters[parameter.name] else { continue }
            learn(parameter.name, parameter.value, kind)
        }
        learn(plainChallengeOf: parameters)
    }

    /// Takes note of a `code_challenge` that is the verifier: with the method `plain`, which is the default (RFC 7636 section 4.3).
    mutating func learn(plainChallengeOf parameters: FormParameters) {
        let method = parameters.items.first { $0.name == "code_challenge_method" }?.value
        guard method == nil || method == "plain" else { return }
        for parameter in parameters.items where parameter.name == "code_challenge" {
            learn("code_verifier", parameter.value, .token)
        }
    }

    /// Takes note of the tokens in a JSON answer, at any depth.
    mutating func learn(fromJSON bytes: [UInt8]) {
        guard let document = try? JSONDocument.parse(bytes) else { return }
        learn(from: document.root, as: nil)
    }

    private mutating func learn(from value: JSON, as name: String?) {
        switch value {
        case .string(let text):
            if let name, let kind = Self.members[name] { learn(name, text, kind) }
        case .array(let elements):
            for element in elements { learn(from: element, as: name) }
        case .object(let object):
            for member in object.members {
                learn(from: member.value, as: Self.members[member.name] == nil ? name : member.name)
            }
        default: break
        }
    }

    /// Takes note of the values of `Set-Cookie` and `Cookie` fields.
    mutating func learn(fromCookies fields: [HTTPField]) {
        for field in fields {
            let isSet = field.isNamed("Set-Cookie")
            guard isSet || field.isNamed("Cookie") else { continue }
            for pair in field.value[...].parts(at: ";").prefix(isSet ? 1 : .max) {
                let value = pair.cut(at: "=").after
                if let value { learn("cookie", String(value).trimmingASCIISpace, .cookie) }
            }
        }
    }

    // MARK: Replacing

    /// A URL whose secret parameters are replaced; everything else stays byte for byte.
    func redact(url text: String) -> String {
        let (beforeFragment, fragment) = text[...].cut(at: "#")
        let (path, query) = beforeFragment.cut(at: "?")
        var result = Self.withoutUserInformation(String(path))
        if let query { result += "?" + redact(parameters: query, hidesPageValues: true) }
        if let fragment { result += "#" + redact(parameters: fragment, hidesPageValues: true) }
        return redact(result)
    }

    /// The text of a query or form whose secret parameters are replaced.
    ///
    /// - Parameters:
    ///   - all: Replaces every value: what a user types into a sign-in form is private.
    ///   - hidesPageValues: Whether it is of an address.
    func redact(parameters text: some StringProtocol, all: Bool = false, hidesPageValues: Bool = false) -> String {
        FormPiece.pieces(of: text)
            .map { piece in
                guard let written = piece.value, !written.isEmpty else { return piece.text }
                let name = PercentEncoding.decode(piece.name)
                let value = PercentEncoding.decode(written)
                let isOfPage = hidesPageValues && pageValues.contains(value)
                guard all || isOfPage || hides(Self.parameters[name]) else { return piece.text }
                let label = Self.parameters[name] == nil ? isOfPage ? "page value" : "form field" : name
                return "\(piece.name)=\(Self.placeholder(self.label(label, value), value))"
            }
            .joined(separator: "&")
    }

    /// A URL without its user information: the name may be a token, and the password is one.
    static func withoutUserInformation(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return text }
        guard let start = text.utf8.firstRange(of: "://".utf8)?.upperBound else { return text }
        let authority = text.utf8[start...].prefix { !"/?#\\".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")), at > start else { return text }
        return String(text[..<start]) + placeholder("user_information", text[start..<at]) + String(text[at...])
    }

    /// Header fields as they may be kept.
    func redact(_ fields: [HTTPField]) -> [Field] {
        fields.map { field in Field(redact(field.name), redact(headerValue: field)) }
    }

    private func redact(headerValue field: HTTPField) -> String {
        switch field.name.lowercased() {
        case "authorization", "proxy-authorization":
            let parts = field.value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2 else { return Self.placeholder("credentials", field.value) }
            guard !["bearer", "dpop"].contains(parts[0].lowercased()) || !keepsTokens else {
                return redact(field.value)
            }
            return "\(parts[0]) \(Self.placeholder(label("credentials", parts[1]), parts[1]))"
        case "cookie":
            let pairs = field.value[...].parts(at: ";").map { Self.redactedCookie($0) }
            return redact(pairs.joined(separator: ";"))
        case "set-cookie":
            let cookie = field.value[...].cut(at: ";").before
            return redact(Self.redactedCookie(cookie) + String(field.value[cookie.endIndex...]))
        case "location", "content-location", "referer", "refresh", "link": return redact(url: field.value)
        default: return redact(field.value)
        }
    }

    private static func redactedCookie(_ pair: Substring) -> String {
        let (name, value) = pair.cut(at: "=")
        guard let value else { return placeholder("cookie", pair) }
        return name + "=" + placeholder("cookie", value)
    }
}
