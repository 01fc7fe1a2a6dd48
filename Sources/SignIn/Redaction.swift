import Transport

/// Removes secrets from data at the moment of recording.
struct Redaction: Sendable {
    static let mark = "[redacted]"

    let password: Credential
    /// Names of fields whose values are never recorded, beside those that contain the password.
    let neverRecorded: Set<String>
    private var search: SecretSearch
    /// One-time codes that were sent.
    private var codes: Set<String> = []

    init(password: Credential, neverRecorded: Set<String>) {
        self.password = password
        self.neverRecorded = neverRecorded
        var search = SecretSearch()
        if password.revealed.utf8.count >= 4 { search.learn(password.revealed, replacement: Self.mark) }
        self.search = search
    }

    /// Takes note of a one-time code before it is sent.
    mutating func learn(code: String) {
        guard codes.insert(code).inserted else { return }
        search.learn(code, replacement: Self.mark)
    }

    /// The exchange without the password, secret fields and the values of cookies.
    func redacting(_ exchange: HTTPExchange, secretFields: Set<String>) -> HTTPExchange {
        var clean = exchange
        let names = secretFields.union(neverRecorded)
        clean.request.url = redactingQuery(exchange.request.url, names)
        clean.request.headers = exchange.request.headers.map(redacting)
        if let body = exchange.request.body { clean.request.body = redactingBody(body, names) }
        if var response = exchange.response {
            response.headers = response.headers.map(redacting)
            response.body = removingPassword(response.body)
            clean.response = response
        }
        return clean
    }

    /// The exchange as it may be recorded: a step's request by what was written for it, and without its answer's body,
    /// which may contain a session.
    func redacting(_ exchange: HTTPExchange, of hop: Hop) -> HTTPExchange {
        var clean = redacting(exchange, secretFields: hop.secretFields)
        guard let recorded = hop.recorded else { return clean }
        clean.request.url = redactingQuery(recorded.url, neverRecorded)
        clean.request.body = recorded.body
        for field in recorded.headers {
            guard let place = clean.request.headers.firstIndex(where: { $0.name == field.name }) else { continue }
            clean.request.headers[place] = field
        }
        if hop.stepRequest != nil, clean.response?.body.isEmpty == false {
            clean.response?.body = Array(Self.mark.utf8)
        }
        return clean
    }

    /// The address with a mark in place of every value of its query, and without its fragment.
    static func maskingQuery(_ url: WebURL) -> String {
        guard let query = url.query, !query.isEmpty else { return url.textBeforeQuery }
        let names = FormPiece.pieces(of: query).filter { !$0.bytes.isEmpty }.map { $0.name + "=…" }
        return url.textBeforeQuery + "?" + names.joined(separator: "&")
    }

    private func redactingQuery(_ url: String, _ names: Set<String>) -> String {
        guard let parts = WebURL(url), let query = parts.query else { return url }
        let clean = redactingPairs(query, names)
        let fragment = parts.fragment.map { "#" + $0 } ?? ""
        return clean == query ? url : parts.textBeforeQuery + "?" + clean + fragment
    }

    private func redactingBody(_ body: [UInt8], _ names: Set<String>) -> [UInt8] {
        let text = String(decoding: body, as: UTF8.self)
        // A multipart body is not taken apart for the record.
        if text.hasPrefix("--") { return Array(Self.mark.utf8) }
        return Array(redactingPairs(text, names).utf8)
    }

    private func redactingPairs(_ text: String, _ names: Set<String>) -> String {
        FormPiece.pieces(of: text)
            .map { piece in
                guard let parameter = FormParameters(parsing: piece.text).items.first, !parameter.value.isEmpty else {
                    return piece.text
                }
                let isSecret =
                    names.contains(parameter.name) || parameter.value == password.revealed
                    || codes.contains(parameter.value)
                return isSecret ? piece.name + "=" + Self.mark : piece.text
            }
            .joined(separator: "&")
    }

    /// Cookies keep their names and attributes, which are useful, and lose their values.
    private func redacting(_ field: HTTPField) -> HTTPField {
        func masked(_ pair: Substring) -> String {
            let (name, value) = pair.cut(at: "=")
            return value == nil ? String(pair) : name + "=" + Self.mark
        }
        switch field.name.lowercased() {
        case "cookie":
            let pairs = field.value[...].parts(at: ";").map(masked)
            return HTTPField(name: field.name, value: pairs.joined(separator: ";"))
        case "set-cookie":
            let pair = field.value[...].cut(at: ";").before
            return HTTPField(name: field.name, value: masked(pair) + field.value[pair.endIndex...])
        case "referer":
            return HTTPField(name: field.name, value: WebURL(field.value).map(Self.maskingQuery) ?? Self.mark)
        default: return field
        }
    }

    /// The values of the cookies that an exchange carried, either way.
    static func cookieValues(of exchange: HTTPExchange) -> [String] {
        let pairs =
            exchange.request.headers.filter { $0.isNamed("cookie") }
            .flatMap { $0.value[...].parts(at: ";") }
            + (exchange.response?.headers(named: "Set-Cookie") ?? []).flatMap { $0[...].parts(at: ";").prefix(1) }
        return pairs.compactMap { pair in pair.cut(at: "=").after.map { String($0.drop { $0 == " " }) } }
    }

    /// The body without the password, should a page repeat it, in whatever encoding.
    ///
    /// A password of fewer than four characters is left, since it would be found everywhere.
    func removingPassword(_ body: [UInt8]) -> [UInt8] { search.redact(body) }
}
