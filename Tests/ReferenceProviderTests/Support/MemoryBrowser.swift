import Conformance
import JOSE
import JSONTree
import Testing

@testable import ReferenceProvider

/// A provider without a server, for tests of its answers.
func makeProvider(
    _ persona: Persona = .standard,
    clock: TestClock? = nil,
    _ change: (inout Hooks) -> Void = { _ in }
) throws -> Provider {
    var hooks = Hooks()
    change(&hooks)
    return Provider(
        issuer: "https://provider.example" + persona.offer.issuerPath,
        offer: persona.offer,
        clients: [.confidential, .publicClient],
        accounts: [.alice, .bob],
        hooks: hooks,
        keys: try SigningKeys.published(),
        certificate: persona.offer.publishesCertificate ? try SigningKeys.certificate() : nil,
        now: { clock?.now ?? Clock.now() }
    )
}

extension Persona {
    /// The kinds that publish a discovery document and keys.
    static let published = allCases.filter(\.offer.publishesDocuments)

    /// The kinds that issue ID Tokens.
    static let openID = allCases.filter { $0.offer.scopes.contains("openid") }

    /// Whether it requires more of a client than OpenID Connect does, or a password for every request.
    var isDemanding: Bool {
        [
            .fapi, .govUK, .loginGov, .franceConnect, .singpass, .singpassFAPI, .itsme, .spid, .tara, .idPorten,
            .nhsLogin, .hydra,
        ]
        .contains(self)
    }

    /// The first of its users.
    var user: Account { named?.accounts.first ?? .alice }

    /// Whether subjects differ between clients.
    var isPairwise: Bool { offer.subjectTypes == ["pairwise"] }
}

/// A user with an in-memory browser that supports cookies and forms.
struct MemoryBrowser {
    let provider: Provider
    var account = Account.alice
    var consentAnswer = "accept"
    private(set) var cookies: [Field] = []
    /// The status of each visited page.
    private(set) var pages: [HTTPAnswer] = []

    init(_ provider: Provider) {
        self.provider = provider
    }

    /// A valid authorization request; a change to `nil` removes a parameter.
    func parameters(_ type: ResponseType, _ changes: KeyValuePairs<String, String?> = [:]) -> [Field] {
        var fields = [
            Field("response_type", type.text),
            Field("client_id", RegisteredClient.confidential.id),
            Field("redirect_uri", RegisteredClient.redirectURI),
            Field("scope", "openid profile email"),
            Field("state", "the state"),
            Field("nonce", "the-nonce"),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.name == name }
            if let value { fields.append(Field(name, value)) }
        }
        return fields
    }

    /// The last response: the redirect to the client, or a page without a form.
    mutating func authorize(_ parameters: [Field]) throws -> HTTPAnswer {
        var answer = send("GET", provider.address(.authorization) + "?" + FormEncoding.encode(parameters))
        for _ in 0..<6 {
            if let location = answer.header("Location") {
                guard location.hasPrefix(provider.base) else { return answer }
                answer = send("GET", location)
                continue
            }
            pages.append(answer)
            guard let form = HTMLForm(answer.text) else { return answer }
            let values = [
                "username": account.username, "password": account.password.reveal(), "answer": consentAnswer,
            ]
            answer = send("POST", form.action, FormEncoding.encode(form.filled(values)))
        }
        Issue.record("the pages form a loop")
        return answer
    }

    /// The parameters of the response to the client, and their place.
    mutating func response(_ parameters: [Field]) throws -> ClientResponse {
        try #require(ClientResponse(try authorize(parameters)))
    }

    mutating func send(_ method: String, _ url: String, _ form: String? = nil, headers: [Field] = []) -> HTTPAnswer {
        let path = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)[2].drop { $0 != "/" }
        var headers = headers
        if form != nil { headers.append(Field("Content-Type", FormEncoding.mediaType)) }
        let cookie = cookies.map { $0.name + "=" + $0.value }.joined(separator: "; ")
        if !cookie.isEmpty { headers.append(Field("Cookie", cookie)) }
        let request = ProviderRequest(
            method: method,
            target: String(path),
            headers: headers,
            body: Array((form ?? "").utf8)
        )
        let answer = provider.answer(request)
        for header in answer.headers where header.name == "Set-Cookie" {
            let pair = header.value.split(separator: ";")[0].split(separator: "=", maxSplits: 1)
            cookies.removeAll { $0.name == pair[0] }
            cookies.append(Field(String(pair[0]), String(pair[1])))
        }
        return answer
    }

    /// A token request with the confidential client's secret in the body.
    mutating func token(_ fields: [Field], headers: [Field]? = nil) throws -> (answer: HTTPAnswer, body: JSON) {
        let secret = RegisteredClient.confidential.secret?.reveal() ?? ""
        let credentials =
            headers == nil
            ? [Field("client_id", RegisteredClient.confidential.id), Field("client_secret", secret)] : []
        let form = FormEncoding.encode(fields + credentials)
        let answer = send("POST", provider.address(.token), form, headers: headers ?? [])
        return (answer, try JSONDocument.parse(answer.body).root)
    }

    /// The token response of a code.
    mutating func redeem(_ code: String, _ more: [Field] = []) throws -> (answer: HTTPAnswer, body: JSON) {
        try token(
            [
                Field("grant_type", "authorization_code"), Field("code", code),
                Field("redirect_uri", RegisteredClient.redirectURI),
            ] + more
        )
    }
}

/// A parsed redirect to the client.
struct ClientResponse {
    var address: String
    var inFragment: Bool
    var parameters: [Field]

    init?(_ answer: HTTPAnswer) {
        guard let location = answer.header("Location"), let mark = location.firstIndex(where: { "?#".contains($0) })
        else { return nil }
        address = String(location[..<mark])
        inFragment = location[mark] == "#"
        parameters = FormEncoding.decode(location[location.index(after: mark)...])
    }

    subscript(name: String) -> String? { parameters.first(name) }
    var names: Set<String> { Set(parameters.map(\.name)) }
}

extension HTTPAnswer {
    func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The first form of one of the provider's pages.
struct HTMLForm {
    var action: String
    var hidden: [Field] = []
    var names: [String] = []

    init?(_ html: String) {
        guard let form = html.firstMatch(of: /<form method="post" action="([^"]*)">/) else { return nil }
        action = String(form.output.1)
        for input in html.matches(of: /<(?:input|button) [^>]*>/) {
            let text = String(input.output)
            guard let name = text.firstMatch(of: #/ name="([^"]*)"/#).map({ String($0.output.1) }) else { continue }
            let value = text.firstMatch(of: #/ value="([^"]*)"/#).map { String($0.output.1) } ?? ""
            if text.contains("type=\"hidden\"") { hidden.append(Field(name, value)) } else { names.append(name) }
        }
    }

    func filled(_ values: [String: String]) -> [Field] {
        var fields = hidden
        for name in names where !fields.contains(where: { $0.name == name }) {
            if let value = values[name] { fields.append(Field(name, value)) }
        }
        return fields
    }
}

/// The parts of a compact JWS, without verification.
struct Decoded {
    var header: JSON
    var claims: JSON

    init(_ token: String?) throws {
        let parts = try #require(token).split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        header = try JSONDocument.parse(try Base64URL.decode(parts[0])).root
        claims = try JSONDocument.parse(try Base64URL.decode(parts[1])).root
    }
}
