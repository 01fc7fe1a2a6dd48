import Conformance
import OAuth1
import Transport

/// A signed request before it is signed.
struct OAuth1Request: Sendable {
    var endpoint: OAuth1Endpoint
    /// Its purpose, in the list of exchanges.
    var step: String
    var method = "POST"
    var token: TokenCredentials?
    /// `oauth_callback`, `oauth_verifier`.
    var more: [Field]
    var query: [Field] = []
    /// Fresh ones when `nil`.
    var nonce: String?
    var timestamp: Int?
    /// Whether the signature is that of another request: well formed, made with the right secrets, and wrong.
    var isForged = false

    init(_ endpoint: OAuth1Endpoint, _ step: String, token: TokenCredentials? = nil, more: [Field] = []) {
        self.endpoint = endpoint
        self.step = step
        self.token = token
        self.more = more
    }
}

/// The response to a signed request, with the credentials that are never recorded.
struct OAuth1Answered: Sendable {
    var observation: Observation<OAuth1Answer>
    var credentials: TokenCredentials?
}

extension OAuth1Exchange {
    func send(_ request: OAuth1Request) async -> OAuth1Answered {
        switch addresses[request.endpoint] {
        case .absent(let why): return OAuth1Answered(observation: .absent(why))
        case .notAttempted(let why): return OAuth1Answered(observation: .notAttempted(why))
        case .observed(let url): return await send(request, to: url)
        }
    }

    private func send(_ request: OAuth1Request, to url: WebURL) async -> OAuth1Answered {
        if Task.isCancelled { return OAuth1Answered(observation: .absent("the run was interrupted before it")) }
        let query = FormParameters(request.query.map { FormParameter(name: $0.name, value: $0.value) })
        let address = request.query.isEmpty ? url.text : url.adding(query)
        guard let parameters = signed(request, address) else {
            return OAuth1Answered(observation: .absent("a request to the address \(url.text.quoted) cannot be signed"))
        }
        var web = HTTPRequest(method: request.method, url: address)
        web.headers = [HTTPField(name: "Authorization", value: AuthorizationField.text(parameters))]
        // A body, though an empty one: some servers insist on its length.
        if request.method == "POST" { web.body = [] }
        let isUser = request.endpoint == .user
        let answer = await http.send(web, step: request.step, lane: Lanes.oauth1, content: .api)
        if let failure = answer.failure { return OAuth1Answered(observation: .absent(failure)) }
        guard let response = answer.raw.response else {
            return OAuth1Answered(observation: .absent("no response arrived"))
        }
        if isUser { return OAuth1Answered(observation: .observed(OAuth1Answer(exchange: answer.id))) }
        return read(response, answer.id)
    }

    /// The protocol parameters with a signature, or with the signature of another nonce.
    private func signed(_ request: OAuth1Request, _ address: String) -> [Field]? {
        let signer = RequestSigner(consumerKey: client.id, consumerSecret: secret, token: request.token)
        let sign = { (nonce: String) in
            signer.parameters(
                method: request.method,
                url: address,
                more: request.more,
                nonce: nonce,
                timestamp: request.timestamp ?? timestamp
            )
        }
        let nonce = request.nonce ?? Self.nonce()
        guard request.isForged, var parameters = sign(Self.nonce()) else { return sign(nonce) }
        for index in parameters.indices where parameters[index].name == "oauth_nonce" {
            parameters[index].value = nonce
        }
        return parameters
    }

    /// A form-encoded body, whatever the media type says; JSON, as errors often are, has no parameters.
    private func read(_ response: HTTPResponse, _ exchange: Int) -> OAuth1Answered {
        let text = response.text.trimmingASCIISpace
        guard !text.isEmpty, !text.hasPrefix("{"), !text.hasPrefix("<"), text.contains("=") else {
            return OAuth1Answered(observation: .observed(OAuth1Answer(exchange: exchange)))
        }
        let form = FormParameters(parsing: text)
        let answer = OAuth1Answer(
            exchange: exchange,
            parameters: form.items.map { ResponseParameter(recording: $0, keepsSecrets: options.keepsSecrets) }
        )
        var answered = OAuth1Answered(observation: .observed(answer))
        if (200...299).contains(response.status), let token = form["oauth_token"], !token.isEmpty {
            answered.credentials = TokenCredentials(
                identifier: Secret(token),
                secret: Secret(form["oauth_token_secret"] ?? "")
            )
        }
        return answered
    }
}
