import Conformance
import JOSE
import JSONTree
import Transport

/// Authorization requests that travel in another way than by parameters.
extension ScenarioRunner {
    /// Adds the request object that a request wants (Core section 6.1), or says why there is none.
    func addRequestObject(
        _ request: AuthorizationRequest,
        _ parameters: inout AuthorizationParameters
    ) async -> Reason? {
        guard let kind = request.requestObject else { return nil }
        var inside = parameters.fields
        for change in request.objectChanges { inside.apply(change) { $0.known } }
        // A client that is registered for an algorithm may send no unsigned object, whatever it contains.
        let isChanged = !request.objectChanges.isEmpty && own == nil && client?.requestObjectSigningAlg != nil
        switch requestObject(isChanged ? .signed : kind, inside.map(Self.extendingState)) {
        case .failure(let why): return why.reason
        case .success(let object):
            if let document = request.objectServedAs {
                guard let folder else { return .notAttempted("no documents are served in this scenario") }
                await http.recorder.learn("request object", object.reveal(), .token)
                folder.publish(requestObject: object, at: document)
                parameters.fields.append(Field("request_uri", folder.address(of: document)))
                return nil
            }
            // Its signature would let the client secret be guessed at leisure.
            await http.recorder.learn("request", object.reveal(), .token)
            parameters.fields.append(Field("request", object.reveal()))
            return nil
        }
    }

    /// The parameters as a client sends them that registered an algorithm for request objects: all in a signed object, and beside
    /// it those that OAuth 2.0 and OpenID Connect require (RFC 9101 section 5, Core section 6.1).
    func signing(
        _ fields: [Field],
        of request: AuthorizationRequest
    ) async -> Result<[Field], NoObject> {
        guard request.maySignObject, own == nil, client?.requestObjectSigningAlg != nil else { return .success(fields) }
        if Set(fields.map(\.name)).count < fields.count {
            return .failure(NoObject(reason: .notAttempted("a request object contains each parameter once")))
        }
        // Core section 6.1: neither may be in a request object.
        if fields.contains(where: { ["request", "request_uri"].contains($0.name) }) {
            return .failure(NoObject(reason: .notAttempted("a request object contains no request and no request_uri")))
        }
        switch requestObject(.signed, fields) {
        case .failure(let why): return .failure(why)
        case .success(let object):
            await http.recorder.learn("request", object.reveal(), .token)
            let beside = fields.filter { ["response_type", "client_id", "scope"].contains($0.name) }
            return .success(beside + [Field("request", object.reveal())])
        }
    }

    struct NoObject: Error {
        var reason: Reason
    }

    /// Seconds for which a request object is valid.
    private static let objectLifetime: Int64 = 300

    private func requestObject(_ kind: RequestObject, _ fields: [Field]) -> Result<Secret, NoObject> {
        if kind == .unreadable { return .success(Secret("preflight-no-request-object")) }
        let now = Int64(options.clock.now())
        var claims = JSONObject()
        for field in fields {
            claims[field.name] = Self.claim(field)
        }
        // RFC 9101 section 4, and what FAPI 1.0 Advanced section 5.2.2 and SPID require of a client.
        claims["iss"] = .string(client?.id ?? "")
        claims["aud"] = .string(target.issuer)
        claims["iat"] = .integer(now)
        claims["nbf"] = .integer(now)
        claims["exp"] = .integer(now + Self.objectLifetime)
        claims["jti"] = .string(Base64URL.encode(Hashes.randomBytes(16)))
        if kind == .unsigned { return .success(Secret(JWS.unsecured(Array(claims.serialized().utf8)))) }
        let registered = own == nil ? client?.requestObjectSigningAlg.flatMap(JWSAlgorithm.init(rawValue:)) : nil
        let algorithm = registered ?? (kind == .signedByKey ? .rs256 : .hs256)
        if registered == nil, kind != .wronglySigned, let why = whyNotSigned(by: algorithm.rawValue) {
            return .failure(NoObject(reason: .notAttempted(why)))
        }
        do throws(JOSEError) {
            // Also for a client without a secret: the key is replaced by an unknown one.
            let unknown = kind == .wronglySigned ? ClientKey.secret(Secret("")) : nil
            guard var key = objectKey(algorithm) ?? unknown else {
                let means = algorithm.isSymmetric ? "secret" : "key"
                return .failure(NoObject(reason: .notAttempted("the client has no \(means) to sign with")))
            }
            if kind == .wronglySigned { key = try key.another(options.makeKey) }
            return .success(Secret(try key.sign(claims, algorithm: algorithm, type: "oauth-authz-req+jwt")))
        } catch {
            // RFC 7518 section 3.2: HS256 requires a secret of 32 bytes.
            return .failure(NoObject(reason: .notAttempted("the request object could not be signed: \(error)")))
        }
    }

    /// The key that signs request objects with an algorithm; `nil` if the client has none.
    private func objectKey(_ algorithm: JWSAlgorithm) -> ClientKey? {
        if algorithm.isSymmetric { return client.flatMap(clientSecret).map { .secret($0) } }
        let key = own.map { own in own.keys.first { $0.attributes.use == "sig" } } ?? client.flatMap(clientKey)
        return key.map { .pair($0) }
    }

    /// The state of an object in an experiment differs from the one beside it, so that the response shows which was read.
    private static func extendingState(_ field: Field) -> Field {
        field.name == "state" ? Field(field.name, field.value + AuthorizationRequest.objectStateSuffix) : field
    }

    private static func claim(_ field: Field) -> JSON {
        switch field.name {
        case "max_age": field.value.containsOnlyASCIIDigits ? .integer(Int64(field.value) ?? 0) : .string(field.value)
        case "claims": (try? JSONDocument.parse(Array(field.value.utf8)).root) ?? .string(field.value)
        default: .string(field.value)
        }
    }

    private func whyNotSigned(by algorithm: String) -> String? {
        guard let list = provider.metadata?["request_object_signing_alg_values_supported"]?.arrayValue,
            !list.contains(.string(algorithm))
        else { return nil }
        return "the provider does not offer \(algorithm) for request objects"
    }

    /// The parameters of a pushed request (RFC 9126 section 2.1); its random values are kept for the following steps.
    func pushedParameters(
        _ request: AuthorizationRequest,
        _ authentication: EndpointCall.Authentication,
        _ client: Client,
        _ collected: inout CollectedRun
    ) async -> [EndpointCall.Parameter] {
        let secrets = RequestSecrets.random()
        await http.recorder.learn("code_verifier", secrets.verifier, .token)
        let parameters = parameters(of: request, secrets, collected.captured)
        collected.captured.capture(parameters, secrets)
        // A key that does not sign is reported for the flow.
        let fields = (try? await signing(parameters.fields, of: request).get()) ?? parameters.fields
        return pushedParameters(fields, authentication, client)
    }
}

extension AuthorizationRequest {
    /// The values that it uses from earlier steps.
    var captured: [ParameterValue.Captured] {
        let own = changes.compactMap(\.captured)
        let namesURI = changes.contains { if case .set("request_uri", _) = $0 { true } else { false } }
        return isPushed && !namesURI ? own + [.requestURI] : own
    }
}

extension ParameterValue {
    /// The text of a value that needs no earlier step.
    fileprivate var known: String? { if case .text(let text) = self { text } else { nil } }
}

extension String {
    fileprivate var containsOnlyASCIIDigits: Bool {
        !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
