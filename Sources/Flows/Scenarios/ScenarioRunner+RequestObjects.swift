import Conformance
import JOSE
import JSONTree

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
        switch requestObject(kind, inside) {
        case .failure(let why): return why.reason
        case .success(let object):
            if let document = request.objectServedAs {
                guard let shelf else { return .notAttempted("no documents are served in this scenario") }
                await http.recorder.learn("request object", object.reveal(), .token)
                shelf.publish(requestObject: object, at: document)
                parameters.fields.append(Field("request_uri", shelf.address(of: document)))
                return nil
            }
            // Its signature would let the client secret be guessed at leisure.
            await http.recorder.learn("request", object.reveal(), .token)
            parameters.fields.append(Field("request", object.reveal()))
            return nil
        }
    }

    private struct NoObject: Error {
        var reason: Reason
    }

    private func requestObject(_ kind: RequestObject, _ fields: [Field]) -> Result<Secret, NoObject> {
        var claims = JSONObject()
        for field in fields {
            claims[field.name] = Self.claim(field)
        }
        claims["iss"] = .string(client?.id ?? "")
        claims["aud"] = .string(target.issuer)
        let payload = Array(claims.serialized().utf8)
        let key: SymmetricKey
        switch kind {
        case .unsigned: return .success(Secret(JWS.unsecured(payload)))
        case .wronglySigned: key = SymmetricKey(Hashes.randomBytes(32))
        case .signedByKey:
            if let why = whyNotSigned(by: "RS256") { return .failure(NoObject(reason: .notAttempted(why))) }
            guard let key = own?.keys.first(where: { $0.attributes.use == "sig" }) else {
                return .failure(NoObject(reason: .notAttempted("the client has no key to sign with")))
            }
            do throws(JOSEError) {
                return .success(Secret(try JWS.sign(payload, with: key, algorithm: .rs256)))
            } catch {
                return .failure(NoObject(reason: .absent("the request object could not be signed: \(error)")))
            }
        case .signed:
            if let why = whyNotSigned(by: "HS256") { return .failure(NoObject(reason: .notAttempted(why))) }
            guard let secret = client.flatMap(clientSecret) else {
                return .failure(NoObject(reason: .notAttempted("the client has no secret to sign with")))
            }
            key = SymmetricKey(Array(secret.reveal().utf8))
        }
        do throws(JOSEError) {
            return .success(Secret(try JWS.sign(payload, with: key, algorithm: .hs256)))
        } catch {
            // RFC 7518 section 3.2 demands 256 bits of the key.
            return .failure(
                NoObject(reason: .notAttempted("the client secret cannot be used as a key for HS256: \(error)"))
            )
        }
    }

    private static func claim(_ field: Field) -> JSON {
        switch field.name {
        case "state": .string(field.value + AuthorizationRequest.objectStateSuffix)
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
        return pushedParameters(parameters, authentication, client)
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
