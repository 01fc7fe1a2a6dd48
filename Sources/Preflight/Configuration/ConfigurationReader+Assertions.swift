import Conformance
internal import Flows
import JOSE
import JSONTree
internal import Profiles

/// Key, algorithm and audience of client assertions.
extension ConfigurationReader {
    /// Reports credentials that do not match the method.
    func checkCredentials(
        _ value: StrictYAML.Value,
        _ method: ClientAuthentication,
        hasSecret: Bool,
        hasKey: Bool
    ) {
        switch method {
        case .none where hasSecret:
            value.report(
                "authentication none sends no secret: remove the secret, or use client_secret_basic or client_secret_post"
            )
        case .none where hasKey:
            value.report("authentication none signs nothing: remove private_key, or use private_key_jwt")
        case .privateKeyJWT where !hasKey:
            value.report("private_key_jwt needs a key: add  private_key: { file: client-key.pem }")
        case .clientSecretBasic where !hasSecret, .clientSecretPost where !hasSecret, .clientSecretJWT where !hasSecret:
            value.report("\(method.rawValue) needs a secret: add  secret: { env: OIDC_CLIENT_SECRET }")
        default: break
        }
    }

    /// Reads key, algorithm and audience.
    func readAssertions(_ mapping: StrictYAML.Mapping, _ client: inout Client, _ secrets: inout Secrets) {
        let key = mapping[Keys.Client.privateKey].flatMap(privateKey)
        if let key {
            secrets.clientKeys[client.id] = key
            client.keyThumbprint = key.publicKey.thumbprint
        } else if mapping[Keys.Client.privateKey] != nil, !readsSecrets {
            client.keyThumbprint = ""
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
        guard let algorithm = JWSAlgorithm(rawValue: name) else {
            let known = JWSAlgorithm.allCases.map(\.rawValue)
            value.report(
                "“\(name)” is not a supported signing algorithm" + NearestWord.hint(for: name, among: known)
            )
            return
        }
        if client.authentication == .clientSecretJWT, !algorithm.isSymmetric {
            value.report("client_secret_jwt requires HS256, HS384 or HS512, not \(name)")
        }
        if client.authentication == .privateKeyJWT, let key, !algorithm.accepts(key.type, key.curve) {
            value.report("\(name) cannot be used with the key, which is a \(key)")
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
