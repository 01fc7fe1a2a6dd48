import Conformance
import JOSE
import JSONTree

/// The creation of ID Tokens (OpenID Connect Core section 2).
extension Provider {
    /// Lifetime of an ID Token in seconds.
    static let idTokenLifetime = 3_600.0

    /// An ID Token for a grant, changed by the hooks.
    ///
    /// - Parameters:
    ///   - grant: The user and the client.
    ///   - place: The endpoint that returns it.
    ///   - accessToken: The access token returned beside it, for `at_hash`.
    ///   - code: The code returned beside it, for `c_hash`.
    ///   - carriesClaims: Whether it contains the claims of the scopes, because no access token is returned.
    ///   - isRefreshed: Whether it results from a refresh, and so has no nonce (Core section 12.2).
    func idToken(
        for grant: Grant,
        at place: IDTokenPlace,
        accessToken: String? = nil,
        code: String? = nil,
        carriesClaims: Bool,
        isRefreshed: Bool = false
    ) throws(JOSEError) -> String {
        let registered = idTokenAlgorithm(for: grant.client)
        let signing = (isRefreshed ? hooks.life.refreshedSigning : nil) ?? signing(for: grant.client)
        let algorithm = signing.algorithm(registered)
        let hash = algorithm ?? registered
        let time = now().rounded(.down)
        var claims: JSONObject = [
            "iss": .string(issuer),
            "sub": .string(subject(of: grant)),
            "aud": .string(grant.client.id),
            "exp": .integer(Int64(time + Self.idTokenLifetime)),
            "iat": .integer(Int64(time)),
            "auth_time": .integer(Int64(grant.authenticatedAt)),
        ]
        // Announced by backchannel_logout_session_supported (Back-Channel Logout section 2.1).
        if offer.hasEndSession { claims["sid"] = grant.sessionID.map(JSON.string) }
        claims["acr"] = grant.contextClass.map(JSON.string)
        if !isRefreshed || hooks.life.repeatsNonce { claims["nonce"] = grant.nonce.map(JSON.string) }
        claims["at_hash"] = accessToken.map { .string(Hashes.leftmostHalfHash(of: $0, algorithm: hash)) }
        claims["c_hash"] = code.map { .string(Hashes.leftmostHalfHash(of: $0, algorithm: hash)) }
        if carriesClaims { claims = claims.merging(grant.account.claims(for: grant.scopes)) }
        claims = claims.merging(grant.account.tokenClaims(for: grant.scopes))
        var asked = grant.account.claims(named: grant.claims.idToken)
        if grant.claims.wantsAny { hooks.requests.claimsInIDToken(&claims, &asked) }
        claims = claims.merging(asked)
        hooks.idTokenClaims(&claims, place)
        if isRefreshed { hooks.life.refreshedClaims(&claims) }
        if let registration = grant.client.registration {
            hooks.registration.idTokenClaims(&claims, registration.metadata)
        }

        var header: JSONObject = ["alg": .string(algorithm?.rawValue ?? "none")]
        if signing.namesKey, !registered.isSymmetric {
            header["kid"] = .string(keys.key(registered).publicKey.thumbprint)
        }
        header["typ"] = "JWT"
        hooks.idTokenHeader(&header, place)

        let signed = encode(header) + "." + encode(claims)
        let signature = try sign(Array(signed.utf8), registered, signing, for: grant.client)
        var token = hooks.idToken(signed + "." + Base64URL.encode(signature), place)
        if isRefreshed { token = hooks.life.refreshedIDToken(token) }
        remember(token, grant)
        return try encrypted(
            token,
            for: grant.client,
            as: place == .authorizationEndpoint ? .frontChannelIDToken : .idToken
        )
    }

    private func encode(_ object: JSONObject) -> String { Base64URL.encode(Array(object.serialized().utf8)) }

    private func sign(
        _ bytes: [UInt8],
        _ algorithm: JWSAlgorithm,
        _ signing: Hooks.Signing,
        for client: RegisteredClient
    ) throws(JOSEError) -> [UInt8] {
        switch signing {
        case .publishedKey where algorithm.isSymmetric, .clientSecret where algorithm.isSymmetric:
            let key = SymmetricKey(Array((client.secret?.reveal() ?? "").utf8))
            return try key.signature(over: bytes, algorithm: algorithm)
        case .unpublishedKey where algorithm.isSymmetric:
            return try SymmetricKey(Hashes.randomBytes(32)).signature(over: bytes, algorithm: algorithm)
        case .publishedKey: return try keys.key(algorithm).signature(over: bytes, algorithm: algorithm)
        case .unpublishedKey:
            return try SigningKeys.unpublished().key(algorithm).signature(over: bytes, algorithm: algorithm)
        case .clientSecret:
            let key = SymmetricKey(Array((client.secret?.reveal() ?? "").utf8))
            return try key.signature(over: bytes, algorithm: .hs256)
        case .none: return []
        }
    }
}

extension Hooks.Signing {
    /// The key that the header names; `nil` for `none`.
    fileprivate func algorithm(_ published: JWSAlgorithm) -> JWSAlgorithm? {
        switch self {
        case .publishedKey, .unpublishedKey: published
        case .clientSecret: .hs256
        case .none: nil
        }
    }

    fileprivate var namesKey: Bool { self == .publishedKey || self == .unpublishedKey }
}
