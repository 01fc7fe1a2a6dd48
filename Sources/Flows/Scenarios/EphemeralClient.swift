import Conformance
import JOSE
import JSONTree

/// The client that a scenario registered for itself.
struct EphemeralClient: Sendable {
    /// The `client_name` that it was registered with.
    let name: String
    var client: Client
    var secret: Secret?
    /// The private halves of the keys that were registered.
    var keys: [PrivateKey]
    /// The key for its assertions; `nil` for a client that authenticates in another way.
    var assertionKey: PrivateKey?
    /// Whether it was registered for the grant refresh_token.
    var mayRefresh: Bool
    /// The address and token to read and delete the registration (RFC 7592 section 3); `nil` if the provider returned only one
    /// of them, or none.
    var management: (address: String, token: Secret)?

    /// Reads a registration response; `nil` when it names no client.
    init?(_ body: [UInt8], wanted: ClientToRegister) {
        guard let object = try? JSONDocument.parse(body).root.objectValue, let id = object["client_id"]?.stringValue,
            !id.isEmpty
        else { return nil }
        name = wanted.name
        secret = object["client_secret"]?.stringValue.map { Secret($0) }
        // The provider may have replaced requested values, and then says so (Registration section 3.2).
        let method = object["token_endpoint_auth_method"]?.stringValue ?? wanted.authentication?.rawValue
        let known = method.flatMap(ClientAuthentication.init(rawValue:)) ?? .clientSecretBasic
        client = Client(id: id, authentication: known, hasSecret: secret != nil)
        client.idTokenSignedResponseAlg = object["id_token_signed_response_alg"]?.stringValue
        keys = wanted.keys
        let grants = object["grant_types"] ?? wanted.members["grant_types"]
        mayRefresh = grants?.strings?.contains("refresh_token") ?? false
        let wantedMethod = wanted.members["token_endpoint_auth_method"]?.stringValue
        if (object["token_endpoint_auth_method"]?.stringValue ?? wantedMethod) == "private_key_jwt" {
            assertionKey = wanted.keys.first { $0.attributes.use == "sig" }
            client.keyThumbprint = assertionKey?.publicKey.thumbprint
        }
        if let address = object["registration_client_uri"]?.stringValue,
            let token = object["registration_access_token"]?.stringValue
        {
            management = (address, Secret(token))
        }
    }
}

extension EphemeralClient {
    /// A public client that is not registered: its identifier is the address of its metadata.
    init(describedAt address: String, name: String) {
        self.name = name
        client = Client(id: address, authentication: .none, hasSecret: false)
        keys = []
        mayRefresh = true
    }

    /// Applies the changes of a registration that was read again: earlier credentials are then invalid
    /// (RFC 7592 section 2.1).
    mutating func renew(by body: [UInt8]) {
        guard let object = try? JSONDocument.parse(body).root.objectValue,
            object["client_id"]?.stringValue == client.id
        else { return }
        if let renewed = object["client_secret"]?.stringValue, secret != nil { secret = Secret(renewed) }
        if let token = object["registration_access_token"]?.stringValue, let address = management?.address {
            management = (object["registration_client_uri"]?.stringValue ?? address, Secret(token))
        }
    }
}

/// The metadata to register for a client, and the keys generated for it.
struct ClientToRegister: Sendable {
    var name: String
    var members: JSONObject
    var keys: [PrivateKey] = []
    var authentication: ClientAuthentication?
    /// Whether the public keys are at `jwks_uri` instead of in the request.
    var servesKeys: Bool { members.has("jwks_uri") }

    /// - Parameters:
    ///   - metadata: The scenario's metadata.
    ///   - name: Unlike that of any other client.
    ///   - redirectURI: That of the target.
    ///   - scopes: Those of the target.
    ///   - provider: The discovery document, which decides on wishes and the authentication method.
    ///   - variant: The variant that the provider accepts.
    ///   - address: Where a document is served; `nil` if none is.
    init(
        _ metadata: ClientMetadata,
        name: String,
        redirectURI: String,
        scopes: [String],
        provider: JSONObject,
        variant: RegistrationVariant,
        makeKey: KeyMaker,
        address: (ClientDocument) -> String? = { _ in nil }
    ) throws(JOSEError) {
        self.name = name
        members = [
            "client_name": .string(name), "redirect_uris": [.string(redirectURI)], "response_types": ["code"],
            "grant_types": ["authorization_code"],
        ]
        if variant == .ordinary { members["scope"] = .string(scopes.joined(separator: " ")) }
        let offered = ScenarioRunner.authenticationMethods(provider)
        authentication = [ClientAuthentication.clientSecretBasic, .clientSecretPost, .none]
            .first { offered.contains($0.rawValue) }
        if let authentication { members["token_endpoint_auth_method"] = .string(authentication.rawValue) }
        let kinds = metadata.keys.isEmpty && variant == .withoutScopeWithKeys ? [.rsaSigning] : metadata.keys
        for kind in kinds { keys.append(try kind.generate(makeKey)) }
        if !keys.isEmpty, !metadata.served.contains(.keys) {
            members["jwks"] = ["keys": .array(keys.map { .object($0.publicKey.jwk().object) })]
        }
        for member in metadata.members + metadata.granted(by: provider).flatMap(\.members) {
            members[member.name] = member.value?.json(redirectURI: redirectURI, address)
        }
        // Core section 11: the scope for requesting a refresh token.
        if members["grant_types"]?.strings?.contains("refresh_token") == true, variant == .ordinary,
            provider["scopes_supported"]?.strings?.contains("offline_access") == true,
            !scopes.contains("offline_access")
        {
            members["scope"] = .string((scopes + ["offline_access"]).joined(separator: " "))
        }
    }
}

extension ClientMetadata.Value {
    /// `nil` for the address of a document that is not served.
    fileprivate func json(redirectURI: String, _ address: (ClientDocument) -> String?) -> JSON? {
        switch self {
        case .text(let text): .string(text)
        case .texts(let texts): .array(texts.map(JSON.string))
        case .flag(let flag): .bool(flag)
        case .number(let number): .integer(Int64(number))
        case .redirectURI(let suffix): [.string(redirectURI + suffix)]
        case .changedRedirectURI(let variation): [.string(variation.changed(redirectURI) ?? redirectURI)]
        case .bothRedirectURIs(let variation):
            .array(([redirectURI] + [variation.changed(redirectURI)].compactMap(\.self)).map(JSON.string))
        case .served(let document): address(document).map(JSON.string)
        case .allServed(let documents):
            documents.allSatisfy { address($0) != nil } ? .array(documents.compactMap(address).map(JSON.string)) : nil
        }
    }
}

extension ClientMetadata.Key {
    fileprivate func generate(_ make: KeyMaker) throws(JOSEError) -> PrivateKey {
        var key: PrivateKey
        switch self {
        case .rsaEncryption:
            key = try make(.rsa(bits: 2_048))
            key.attributes.use = "enc"
        case .ecEncryption:
            key = try make(.ec(.p256))
            key.attributes.use = "enc"
        case .rsaSigning:
            key = try make(.rsa(bits: 2_048))
            key.attributes.use = "sig"
        }
        key.attributes.kid = key.publicKey.thumbprint
        return key
    }
}
