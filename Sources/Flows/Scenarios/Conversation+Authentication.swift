import Conformance
import JOSE
import Transport

/// Who a call says it comes from.
extension Conversation {
    func clientRequest(_ call: EndpointCall, _ client: Client, _ holdings: Holdings) async -> ClientRequest {
        var fields = call.parameters.compactMap { parameter in
            holdings.text(parameter.value).map { Field(parameter.name, $0) }
        }
        if call.widensScope { fields.append(Field("scope", target.scopes.joined(separator: " "))) }
        for change in call.changes { fields.apply(change, { holdings.text($0) }) }
        var request = ClientRequest(FormParameters(fields.map { FormParameter(name: $0.name, value: $0.value) }))
        if let bearer = call.bearer, let token = holdings[bearer] {
            request.headers.append(HTTPField(name: "Authorization", value: "Bearer \(token.reveal())"))
        }
        let secret = clientSecret(of: client)
        switch call.authentication {
        case .none: break
        case .asRegistered where own?.assertionKey != nil: await assert(.right, client, &request)
        case .assertion(let kind): await assert(kind, client, &request)
        case .asRegistered: request.authenticate(client.id, by: client.authentication, secret: secret)
        case .identifierOnly: request.authenticate(client.id, by: .none, secret: nil)
        case .method(let method): request.authenticate(client.id, by: method, secret: secret)
        case .wrongSecret(let method):
            let wrong = await wrongSecret(of: client)
            request.authenticate(client.id, by: method ?? client.authentication, secret: wrong)
        case .basicAndPost:
            request.authenticate(client.id, by: .clientSecretBasic, secret: secret)
            request.authenticate(client.id, by: .clientSecretPost, secret: secret)
        case .basicUnencoded:
            if let secret { request.authenticateUnencoded(client.id, secret: secret) }
        case .otherClient:
            if let other = target.otherClient {
                request.authenticate(other.id, by: other.authentication, secret: clientSecret(of: other))
            }
        }
        return request
    }

    /// Why a call cannot be made in the name that it is meant for; `nil` when it can.
    func whyNotAuthenticated(_ call: EndpointCall, _ client: Client) -> String? {
        switch call.authentication {
        case .none, .identifierOnly: return nil
        case .assertion: return own?.assertionKey == nil ? "the client has no key to sign assertions with" : nil
        case .asRegistered, .method:
            if call.method != "POST", client.authentication == .clientSecretPost, client.isConfidential {
                return "the client secret would stand in an address, which servers log"
            }
            return whyNoCredentials(client)
        case .otherClient:
            guard let other = target.otherClient else { return "the configuration names no other_client" }
            return whyNoCredentials(other)
        case .wrongSecret, .basicAndPost:
            return client.isConfidential ? nil : "the client is public: it has no secret to authenticate with"
        case .basicUnencoded:
            guard let secret = clientSecret(of: client) else {
                return whyNoCredentials(client) ?? "no secret was given"
            }
            let isSame =
                BasicCredentials.encoded(id: client.id, secret: secret)
                == BasicCredentials.unencoded(id: client.id, secret: secret)
            return isSame ? "form encoding changes nothing in this identifier and this secret" : nil
        }
    }

    /// Why a confidential client cannot authenticate; `nil` when it can, or need not.
    private func whyNoCredentials(_ client: Client) -> String? {
        guard client.isConfidential, clientSecret(of: client) == nil else { return nil }
        return "the secret of client \(client.id.quoted) was not given"
    }

    /// A secret that is not the client's.
    private func wrongSecret(of client: Client) async -> Secret {
        // Not the real one with a character changed: what is wrong must tell nothing of what is right.
        let wrong = Secret(Base64URL.encode(Hashes.randomOctets(24)))
        await wire.recorder.learn("client secret", wrong.reveal(), .credential)
        await wire.recorder.learn("credentials", BasicCredentials.encoded(id: client.id, secret: wrong), .credential)
        return wrong
    }
}
