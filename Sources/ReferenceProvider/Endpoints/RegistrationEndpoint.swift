import Conformance
import JOSE
import JSONTree

/// The client registration endpoint (RFC 7591, OpenID Connect Registration section 3).
extension Provider {
    func register(_ request: ProviderRequest) -> HTTPAnswer {
        guard request.method == "POST" else { return .methodNotAllowed(["POST"]) }
        guard isAllowedToRegister(request) else { return refuseRegistration("invalid_token", status: 401) }
        guard let metadata = try? JSONDocument.parse(request.body).root.objectValue else {
            return refuseRegistration(OAuthError("invalid_client_metadata", "the body is not a JSON object"))
        }
        var rules = RegistrationRules(metadata: metadata, offer: offer, documents: request.documents)
        rules.looksIntoSectors = hooks.registration.looksIntoSectors
        if let error = hooks.registration.error(metadata, rules.error) { return refuseRegistration(error) }
        let client = newClient(rules)
        var response = credentials(of: client).merging(client.registration?.metadata ?? [:])
        hooks.registration.response(&response)
        return management(response, status: 201)
    }

    /// RFC 7591 section 3: requires an initial access token unless registration is open.
    private func isAllowedToRegister(_ request: ProviderRequest) -> Bool {
        guard offer.registration == .withInitialToken, hooks.registration.requestsInitialToken else { return true }
        guard let (scheme, token) = request.authorization, scheme == "bearer" else { return false }
        return Secret(token) == Persona.initialToken
    }

    private func newClient(_ rules: RegistrationRules) -> RegisteredClient {
        let isConfidential = rules.method.hasPrefix("client_secret")
        let registered = rules.registered
        var client = RegisteredClient(
            id: "dynamic-" + Base64URL.encode(Hashes.randomBytes(12)),
            name: registered["client_name"]?.stringValue ?? "A client without a name",
            secret: isConfidential ? Secret(Store.random()) : nil,
            authenticationMethods: ClientAuthentication(rawValue: rules.method).map { [$0] } ?? [],
            redirectURIs: rules.redirectURIs,
            responseTypes: registered["response_types"]?.strings?.map { ResponseType($0) }
        )
        client.wishes = RegisteredMetadata(registered)
        hooks.registration.wishes(&client.wishes)
        client.registration = ClientRegistration(
            metadata: registered,
            accessToken: Store.random(),
            issuedAt: now().rounded(.down)
        )
        store.register(client)
        return client
    }

    /// The members that the provider adds to the metadata (Registration section 3.2).
    private func credentials(of client: RegisteredClient) -> JSONObject {
        var members: JSONObject = ["client_id": .string(client.id)]
        guard let registration = client.registration else { return members }
        members["client_id_issued_at"] = .integer(Int64(registration.issuedAt))
        if let secret = client.secret {
            members["client_secret"] = .string(secret.reveal())
            members["client_secret_expires_at"] = 0
        }
        members["registration_access_token"] = .string(registration.accessToken)
        members["registration_client_uri"] = .string(address(.clientConfiguration) + "?client_id=" + client.id)
        return members
    }

    private func management(_ body: JSONObject, status: Int) -> HTTPAnswer {
        var answer = HTTPAnswer.json(body, status: status)
        answer.forbidStoring()
        return answer
    }

    private func refuseRegistration(_ error: OAuthError, status: Int = 400) -> HTTPAnswer {
        var body: JSONObject = ["error": .string(error.code)]
        body["error_description"] = error.text.map(JSON.string)
        hooks.registration.errorResponse(&body)
        var answer = management(body, status: status)
        if status == 401 { answer.setHeader("WWW-Authenticate", "Bearer realm=\"\(issuer)\"") }
        return answer
    }

    // MARK: Client configuration endpoint

    /// Reads or deletes a registration (RFC 7592 sections 2.1 and 2.3).
    func configureClient(_ request: ProviderRequest) -> HTTPAnswer {
        let token = request.authorization.flatMap { $0.scheme == "bearer" ? $0.credentials : nil }
        guard let client = request.query.first("client_id").flatMap(store.registered),
            client.registration?.accessToken == token || token == nil && !hooks.registration.readingNeedsToken
        else { return refuseRegistration("invalid_token", status: 401) }
        switch request.method {
        case "GET":
            var body = credentials(of: client).merging(client.registration?.metadata ?? [:])
            hooks.registration.reading(&body)
            return management(body, status: 200)
        case "DELETE":
            if hooks.registration.forgetsDeleted { store.forgetClient(client.id) }
            var answer = HTTPAnswer(status: 204, headers: [], body: [])
            answer.forbidStoring()
            return answer
        default: return .methodNotAllowed(["GET", "HEAD", "DELETE"])
        }
    }
}
