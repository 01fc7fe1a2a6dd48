import Conformance
import JOSE
import JSONTree
import Transport

/// A request that the provider sends to a client.
package struct BackChannelRequest: Sendable {
    package var url: String
    var contentType: String
    package var body: String
}

/// Logout tokens (OpenID Connect Back-Channel Logout section 2.4).
extension Provider {
    /// Lifetime of a logout token in seconds; section 4 recommends two minutes at most.
    private static let logoutTokenLifetime = 120.0

    /// The messages to the clients that the user has signed in to in a session (section 2.3).
    func logoutMessages(_ session: Session) -> [BackChannelRequest] {
        clients.compactMap { client in
            guard let url = client.backChannelLogoutURI, session.knows(client),
                let token = try? logoutToken(session, client)
            else {
                return nil
            }
            return hooks.backChannelMessage(
                BackChannelRequest(
                    url: url,
                    contentType: FormEncoding.mediaType,
                    body: FormEncoding.encode([Field("logout_token", token)])
                )
            )
        }
    }

    private func logoutToken(_ session: Session, _ client: RegisteredClient) throws(JOSEError) -> String {
        let time = now().rounded(.down)
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(subject(of: session, at: client)),
            "aud": .string(client.id),
            "iat": .integer(Int64(time)),
            "exp": .integer(Int64(time + Self.logoutTokenLifetime)),
            "jti": .string(Store.random()),
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ]
        hooks.logoutTokenClaims(&claims)
        let algorithm = offer.idTokenAlgorithm
        let key = keys.key(algorithm)
        var header: JSONObject = [
            "alg": .string(algorithm.rawValue), "kid": .string(key.publicKey.thumbprint), "typ": "logout+jwt",
        ]
        hooks.logoutTokenHeader(&header)
        let signed =
            Base64URL.encode(Array(header.serialized().utf8)) + "." + Base64URL.encode(Array(claims.serialized().utf8))
        let signature = try key.signature(over: Array(signed.utf8), algorithm: algorithm)
        return signed + "." + Base64URL.encode(signature)
    }
}

extension BackChannelRequest {
    /// Sends it; the logout does not depend on its delivery.
    func send() async {
        var configuration = TransportConfiguration(connectTimeout: 2, totalTimeout: 2)
        configuration.addressPolicy.allowedHosts = WebURL(url).map { [$0.host] } ?? []
        let client = HTTPClient(configuration: configuration)
        _ = await client.send(
            HTTPRequest(
                method: "POST",
                url: url,
                headers: [HTTPField(name: "Content-Type", value: contentType)],
                body: Array(body.utf8)
            )
        )
        client.shutdown()
    }
}
