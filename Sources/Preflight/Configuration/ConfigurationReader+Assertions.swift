import Conformance
internal import Flows
import JOSE
import JSONTree
internal import Profiles

/// Client assertions, request objects, and the keys of a client.
extension ConfigurationReader {
    /// Reports credentials that do not match the method.
    func checkCredentials(
        _ value: StrictYAML.Value,
        _ method: ClientAuthentication,
        hasSecret: Bool,
        hasKey: Bool,
        signsRequests: Bool
    ) {
        switch method {
        case .none where hasSecret:
            value.report(
                "authentication none sends no secret: remove the secret, or use client_secret_basic or client_secret_post"
            )
        case .none where hasKey && !signsRequests:
            value.report("authentication none signs nothing: remove private_key, or use private_key_jwt")
        case .privateKeyJWT where !hasKey:
            value.report("private_key_jwt needs a key: add  private_key: { file: client-key.pem }")
        case .clientSecretBasic where !hasSecret, .clientSecretPost where !hasSecret, .clientSecretJWT where !hasSecret:
            value.report("\(method.rawValue) needs a secret: add  secret: { env: OIDC_CLIENT_SECRET }")
        default: break
        }
    }

    /// Reads keys, algorithms and audience.
    func readAssertions(_ mapping: StrictYAML.Mapping, _ client: inout Client, _ secrets: inout Secrets) {
        let key = mapping[Keys.Client.privateKey].flatMap(privateKey)
        if let key {
            secrets.clientKeys[client.id] = key
            client.keyThumbprint = key.publicKey.thumbprint
            client.keyAlgorithm = key.usualAlgorithm?.rawValue
        } else if mapping[Keys.Client.privateKey] != nil, !readsSecrets {
            client.keyThumbprint = ""
        }
        if let key = mapping[Keys.Client.decryptionKey].flatMap(privateKey) {
            secrets.decryptionKeys[client.id] = key
            client.decryptionKeyThumbprint = key.publicKey.thumbprint
        } else if mapping[Keys.Client.decryptionKey] != nil, !readsSecrets {
            client.decryptionKeyThumbprint = ""
        }
        if let value = mapping[Keys.Client.requestObjectAlgorithm], let name = value.string() {
            client.requestObjectSigningAlg = name
            if let algorithm = algorithm(name, value) { checkRequestKey(algorithm, value, client, key) }
        }
        if let value = mapping[Keys.Client.signingAlgorithm], let name = value.string() {
            client.tokenEndpointAuthSigningAlg = name
            checkAlgorithm(name, value, client, key)
        }
        if let value = mapping[Keys.Client.assertionAudience], let text = value.string() {
            client.assertionAudience = AssertionAudience(rawValue: text)
            let known = AssertionAudience.allCases.map(\.rawValue)
            if client.assertionAudience == nil {
                value.report("“\(text)” is not a valid audience" + NearestWord.hint(for: text, among: known))
            }
        }
    }

    private func checkAlgorithm(
        _ name: String,
        _ value: StrictYAML.Value,
        _ client: Client,
        _ key: PrivateKey?
    ) {
        guard let algorithm = algorithm(name, value) else { return }
        if client.authentication == .clientSecretJWT, !algorithm.isSymmetric {
            value.report("client_secret_jwt requires HS256, HS384 or HS512, not \(name)")
        }
        if client.authentication == .privateKeyJWT { checkKey(algorithm, value, key) }
    }

    private func algorithm(_ name: String, _ value: StrictYAML.Value) -> JWSAlgorithm? {
        if let algorithm = JWSAlgorithm(rawValue: name) { return algorithm }
        let known = JWSAlgorithm.allCases.map(\.rawValue)
        value.report("“\(name)” is not a supported signing algorithm" + NearestWord.hint(for: name, among: known))
        return nil
    }

    private func checkKey(_ algorithm: JWSAlgorithm, _ value: StrictYAML.Value, _ key: PrivateKey?) {
        guard let key, !algorithm.accepts(key.type, key.curve) else { return }
        value.report("\(algorithm.rawValue) cannot be used with the key, which is a \(key)")
    }

    /// Reports an algorithm for request objects without a key or a secret to sign with.
    private func checkRequestKey(
        _ algorithm: JWSAlgorithm,
        _ value: StrictYAML.Value,
        _ client: Client,
        _ key: PrivateKey?
    ) {
        if algorithm.isSymmetric {
            if client.hasSecret { return }
            value.report("\(algorithm.rawValue) needs a secret: add  secret: { env: OIDC_CLIENT_SECRET }")
        } else if client.keyThumbprint == nil {
            value.report("\(algorithm.rawValue) needs a key: add  private_key: { file: client-key.pem }")
        } else {
            checkKey(algorithm, value, key)
        }
    }

    /// A key in PEM form or as a JWK, from a file or the environment.
    func privateKey(_ value: StrictYAML.Value) -> PrivateKey? {
        guard let text = secret(value)?.reveal(), readsSecrets else { return nil }
        do throws(JOSEError) {
            guard text.utf8.first == UInt8(ascii: "{") else { return try PrivateKey(pem: text) }
            guard let object = try? JSONDocument.parse(Array(text.utf8)).root, let jwk = JWK(object) else {
                throw JOSEError(.json, "it starts like a JWK but is not JSON")
            }
            return try jwk.privateKey()
        } catch {
            value.report("cannot read the private key: \(error)")
            return nil
        }
    }
}
