/// Clients that register themselves, are used, and are deleted again.
extension Scenario {
    private typealias Member = ClientMetadata.Member
    private typealias Advertised = ClientMetadata.Advertised
    private typealias OptionalMembers = ClientMetadata.OptionalMembers

    /// An ordinary client: registered, read, used for a sign-in, deleted, and tried once more.
    package static let registeredClient: Scenario = {
        var metadata = ClientMetadata(
            members: [
                Member("require_auth_time", .flag(true)),
                // A reserved host: no login is ever initiated from there (RFC 2606 section 2).
                Member("initiate_login_uri", .text("https://relying-party.invalid/login")),
            ],
            wishes: [
                OptionalMembers(
                    [Member("subject_type", .text("public"))],
                    advertised: [Advertised("subject_types_supported", "public")]
                ),
                OptionalMembers([], advertised: [Advertised("response_types_supported", "code")]),
                OptionalMembers(
                    [Member("post_logout_redirect_uris", .redirectURI(suffix: ""))],
                    advertised: [Advertised("end_session_endpoint")]
                ),
            ]
        )
        metadata.isRead = true
        var scenario = withOwnClient("registration.client", "sign in with a client that the run registers", metadata)
        let again = bogus(.asRegistered)
        scenario.steps += [
            Step(.deletion, "the client deleted", .deleteClient),
            Step(.afterDeletion, "a bogus code with the deleted client", .call(again)).comparedWith(.step(.token)),
        ]
        return scenario
    }()

    /// A client with two redirect URIs, one of which has a query of its own; nothing is redeemed, since the response alone
    /// shows its target.
    package static let clientWithQuery: Scenario = {
        let address = RedirectURIVariation.addedQuery
        var scenario = withOwnClient(
            "registration.redirect-uri-with-query",
            "sign in with a client whose redirect URI was registered with a query",
            ClientMetadata(members: [Member("redirect_uris", .bothRedirectURIs(address))])
        )
        var request = AuthorizationRequest(responseType: "code", session: .shared)
        request.changes = [.set("redirect_uri", .redirectURI(address))]
        var without = AuthorizationRequest(responseType: "code", session: .asItIs)
        without.changes = [.remove("redirect_uri")]
        scenario.steps = [
            .authorize(request),
            Step(.noRedirectURI, "no redirect URI, where two are registered", .authorize(without)),
        ]
        return scenario
    }()

    // MARK: Signatures

    /// A client whose ID Tokens are to be signed with an algorithm that is not the default.
    static func signed(with algorithm: String) -> Scenario {
        withOwnClient(
            ScenarioID("registration.signed-with-\(algorithm.lowercased())"),
            "sign in with a client registered for id_token_signed_response_alg \(algorithm)",
            ClientMetadata(wishes: [
                OptionalMembers(
                    [Member("id_token_signed_response_alg", .text(algorithm))],
                    advertised: [Advertised("id_token_signing_alg_values_supported", algorithm)]
                )
            ])
        )
    }

    /// Clients for the algorithms that platforms may choose besides RS256, and for none if that is offered.
    package static let signedOtherwise = ["HS256", "ES256", "none"].map { signed(with: $0) }

    // MARK: Encryption

    /// ID Tokens encrypted to an RSA key, and signed UserInfo.
    package static let encryptedForRSA: Scenario = {
        var metadata = ClientMetadata(wishes: [
            encrypted("id_token", "RSA-OAEP-256", "A128CBC-HS256"),
            OptionalMembers(
                [Member("userinfo_signed_response_alg", .text("RS256"))],
                advertised: [Advertised("userinfo_signing_alg_values_supported", "RS256")]
            ),
            // Not a client of its own: each one is a sign-in more at the provider.
            OptionalMembers(
                [Member("id_token_signed_response_alg", .text("PS256"))],
                advertised: [Advertised("id_token_signing_alg_values_supported", "PS256")]
            ),
        ])
        metadata.keys = [.rsaEncryption]
        return withUserInfo(
            "registration.encrypted-for-rsa",
            "sign in with a client registered for ID Tokens encrypted with RSA-OAEP-256 and for signed UserInfo",
            metadata
        )
    }()

    /// ID Tokens and UserInfo encrypted to an elliptic-curve key.
    package static let encryptedForEC: Scenario = {
        var metadata = ClientMetadata(wishes: [
            encrypted("id_token", "ECDH-ES", "A256GCM"), encrypted("userinfo", "ECDH-ES", "A128CBC-HS256"),
        ])
        metadata.keys = [.ecEncryption]
        return withUserInfo(
            "registration.encrypted-for-ec",
            "sign in with a client registered for ID Tokens and UserInfo encrypted with ECDH-ES",
            metadata
        )
    }()

    private static func encrypted(_ what: String, _ algorithm: String, _ encryption: String) -> OptionalMembers {
        OptionalMembers(
            [
                Member("\(what)_encrypted_response_alg", .text(algorithm)),
                Member("\(what)_encrypted_response_enc", .text(encryption)),
            ],
            advertised: [
                Advertised("\(what)_encryption_alg_values_supported", algorithm),
                Advertised("\(what)_encryption_enc_values_supported", encryption),
            ]
        )
    }

    // MARK: Subjects

    /// A client that requests a pairwise subject identifier; two authorizations, to compare.
    package static let pairwiseClient: Scenario = {
        var scenario = withOwnClient(
            "registration.pairwise",
            "sign in with a client registered for pairwise subjects",
            ClientMetadata(wishes: [
                OptionalMembers(
                    [Member("subject_type", .text("pairwise"))],
                    advertised: [Advertised("subject_types_supported", "pairwise")]
                )
            ])
        )
        let again = AuthorizationRequest(responseType: "code", session: .shared)
        scenario.steps += [Step(.again, "sign in once more", .authorize(again)), .redeem(.again)]
        return scenario
    }()

    // MARK: Response types

    /// The types whose tokens come from the authorization endpoint that a client registers for, with the step that asks by
    /// each.
    package static let frontChannelTypes: [(type: ResponseType, step: StepID)] = [
        ("id_token", .authorization), ("code id_token", .hybrid),
    ]

    /// A client for tokens from the authorization endpoint, and for encrypted ones where they are offered.
    ///
    /// One for tokens that are not encrypted shows the same of response types, and would be a client more.
    package static let frontChannelClient: Scenario = {
        let types = frontChannelTypes.map(\.type.text)
        let encryption = encrypted("id_token", "RSA-OAEP-256", "A128CBC-HS256")
        func wish(_ types: [String], _ more: OptionalMembers = OptionalMembers([], advertised: [])) -> OptionalMembers {
            OptionalMembers(
                [
                    Member("response_types", .texts(types)),
                    Member("grant_types", .texts(["authorization_code", "implicit"])),
                ] + more.members,
                advertised: types.map { Advertised("response_types_supported", $0) } + more.advertised
            )
        }
        // The last one that is advertised counts: both where both are.
        let choices = types.map { [$0] } + [types]
        var metadata = ClientMetadata(wishes: choices.map { wish($0) } + choices.map { wish($0, encryption) })
        metadata.keys = [.rsaEncryption]
        var scenario = withOwnClient(
            "registration.front-channel",
            "sign in with a client registered for tokens from the authorization endpoint",
            metadata
        )
        scenario.steps = frontChannelTypes.map { type, step in
            let request = AuthorizationRequest(responseType: type, session: .shared)
            return step == .authorization
                ? .authorize(request) : Step(step, "response_type \(type.text)", .authorize(request))
        }
        return scenario
    }()

    // MARK: Authentication

    /// A client that authenticates with a key, and assertions of it that are wrong.
    package static let assertingClient: Scenario = {
        var metadata = ClientMetadata(wishes: [
            OptionalMembers(
                [
                    Member("token_endpoint_auth_method", .text("private_key_jwt")),
                    Member("token_endpoint_auth_signing_alg", .text("RS256")),
                ],
                advertised: [
                    Advertised("token_endpoint_auth_methods_supported", "private_key_jwt"),
                    Advertised("token_endpoint_auth_signing_alg_values_supported", "RS256"),
                ]
            )
        ])
        metadata.keys = [.rsaSigning]
        var scenario = withOwnClient(
            "registration.private-key-jwt",
            "sign in with a client registered for private_key_jwt",
            metadata
        )
        let kinds: [(StepID, EndpointCall.Assertion, String)] = [
            (.forIssuer, .forIssuer, "an assertion for the issuer"),
            (.otherAudience, .forAnother, "an assertion for another server"),
            (.expired, .expired, "an assertion that has expired"),
            (.otherKey, .byAnotherKey, "an assertion that another key signed"),
        ]
        scenario.steps += kinds.map { id, kind, title in
            let step = Step(id, "a bogus code with \(title)", .call(bogus(.assertion(kind))))
            // That one may be granted.
            return kind == .forIssuer ? step : step.comparedWith(.step(.token))
        }
        return scenario
    }()

    /// A code that was never issued: the response shows whether the client was accepted.
    static func bogus(_ authentication: EndpointCall.Authentication) -> EndpointCall {
        var call = EndpointCall(
            "token_endpoint",
            parameters: [
                EndpointCall.Parameter("grant_type", "authorization_code"),
                EndpointCall.Parameter("code", .captured(.bogus)),
                EndpointCall.Parameter("redirect_uri", .captured(.redirectURI)),
                EndpointCall.Parameter("code_verifier", .captured(.codeVerifier)),
            ]
        )
        call.authentication = authentication
        return call
    }

    // MARK: Requests that must fail

    package static let withoutRedirectURIs = wrongRegistration(
        "registration.without-redirect-uris",
        "register a client without redirect_uris",
        [Member("redirect_uris", nil)]
    )

    package static let withFragment = wrongRegistration(
        "registration.redirect-uri-with-fragment",
        "register a client whose redirect URI has a fragment",
        [Member("redirect_uris", .redirectURI(suffix: "#fragment"))]
    )

    package static let withPlainLoginURI = wrongRegistration(
        "registration.initiate-login-uri-over-http",
        "register a client with an initiate_login_uri over http",
        [Member("initiate_login_uri", .text("http://relying-party.invalid/login"))]
    )

    package static let withUnknownMethod = wrongRegistration(
        "registration.unknown-authentication-method",
        "register a client with a token_endpoint_auth_method that does not exist",
        [Member("token_endpoint_auth_method", .text("preflight_unknown"))]
    )

    /// Unsigned ID Tokens where the browser carries them.
    package static let unsignedInFrontChannel: Scenario = {
        var scenario = wrongRegistration(
            "registration.unsigned-in-front-channel",
            "register a client for unsigned ID Tokens from the authorization endpoint",
            []
        )
        let wish = OptionalMembers(
            [
                Member("response_types", .texts(["id_token"])), Member("grant_types", .texts(["implicit"])),
                Member("id_token_signed_response_alg", .text("none")),
            ],
            advertised: [Advertised("response_types_supported", "id_token")]
        )
        scenario.client = .ephemeral(ClientMetadata(wishes: [wish]))
        return scenario
    }()

    /// The baseline for registrations that must fail: valid, and without a sign-in.
    package static let ordinaryRegistration = wrongRegistration(
        "registration.ordinary",
        "register an ordinary client",
        []
    )

    /// The client of an AI host (MCP client): public, at loopback addresses, without application_type.
    package static let publicLoopback = wrongRegistration(
        "registration.public-loopback",
        "register a public client with loopback redirect URIs",
        hostMembers
    )

    private static let hostRedirectURIs = ["http://127.0.0.1:33418/callback", "http://localhost:33418/callback"]

    private static let hostMembers = [
        Member("token_endpoint_auth_method", .text("none")),
        Member("grant_types", .texts(["authorization_code", "refresh_token"])),
        Member("redirect_uris", .texts(hostRedirectURIs)),
    ]

    /// The same client signs a user in, at both of its redirect URIs, and renews its tokens; nothing listens there, and nothing is
    /// fetched from there.
    package static let hostClient: Scenario = {
        var scenario = withOwnClient(
            "registration.host",
            "sign in with a public client at loopback redirect URIs, as AI hosts do",
            ClientMetadata(members: hostMembers)
        )
        let requests = hostRedirectURIs.map { address in
            var request = AuthorizationRequest(responseType: "code", session: .shared)
            request.sendsNonce = false
            request.asksOfflineAccess = true
            request.changes = [.set("redirect_uri", .text(address))]
            return request
        }
        scenario.steps = [
            .authorize(requests[0]), .redeem(),
            Step(.refresh, "its refresh token, without a secret", .call(.refresh)),
            Step(.localhost, "the redirect URI at localhost", .authorize(requests[1])),
        ]
        return scenario
    }()

    /// The baseline of those that must fail for the implicit flow.
    package static let ordinaryImplicit = implicitRegistration(
        "registration.ordinary-implicit",
        "register a client for the implicit flow",
        nil
    )

    package static let implicitOverHTTP = implicitRegistration(
        "registration.implicit-over-http",
        "register a web client for the implicit flow with a redirect URI over http",
        "http://relying-party.invalid/callback"
    )

    package static let implicitAtLocalhost = implicitRegistration(
        "registration.implicit-at-localhost",
        "register a web client for the implicit flow with a redirect URI at localhost",
        "https://localhost/callback"
    )

    package static let nativeOverHTTP = wrongRegistration(
        "registration.native-over-http",
        "register a native client with a redirect URI over http at another host",
        [
            Member("application_type", .text("native")),
            Member("redirect_uris", .texts(["http://relying-party.invalid/callback"])),
        ]
    )

    private static func implicitRegistration(_ id: ScenarioID, _ title: String, _ address: String?) -> Scenario {
        var scenario = wrongRegistration(id, title, [])
        let members = [
            Member("application_type", .text("web")), Member("response_types", .texts(["id_token"])),
            Member("grant_types", .texts(["implicit"])),
        ]
        let wish = OptionalMembers(
            members + (address.map { [Member("redirect_uris", .texts([$0]))] } ?? []),
            advertised: [Advertised("response_types_supported", "id_token")]
        )
        scenario.client = .ephemeral(ClientMetadata(wishes: [wish]))
        return scenario
    }

    package static let withoutInitialToken: Scenario = {
        var scenario = wrongRegistration(
            "registration.without-initial-token",
            "register a client without the initial access token",
            []
        )
        var metadata = ClientMetadata()
        metadata.leavesOutInitialToken = true
        scenario.client = .ephemeral(metadata)
        scenario.conditions.append(.initialAccessToken)
        return scenario
    }()

    /// The requests whose metadata is wrong.
    package static let wrongMetadata = [
        withoutRedirectURIs, withFragment, withPlainLoginURI, withUnknownMethod, unsignedInFrontChannel,
        implicitOverHTTP, implicitAtLocalhost, nativeOverHTTP, outsideItsSector,
    ]

    static let registrations: [Scenario] =
        [registeredClient, clientWithQuery] + signedOtherwise + [
            encryptedForRSA, encryptedForEC, pairwiseClient, assertingClient,
        ]
        + servingClients + describedClients
        + [frontChannelClient] + wrongMetadata
        + [ordinaryRegistration, publicLoopback, hostClient, ordinaryImplicit, withoutInitialToken]

    // MARK: Shapes

    static func withOwnClient(_ id: ScenarioID, _ title: String, _ metadata: ClientMetadata) -> Scenario {
        let request = AuthorizationRequest(responseType: "code", session: .shared)
        var scenario = Scenario(id: id, title: title, tier: .full, steps: [.authorize(request), .redeem()])
        scenario.client = .ephemeral(metadata)
        scenario.conditions = [.dynamicRegistration]
        return scenario
    }

    private static func withUserInfo(_ id: ScenarioID, _ title: String, _ metadata: ClientMetadata) -> Scenario {
        var scenario = withOwnClient(id, title, metadata)
        scenario.steps += [
            Step(.userInfo, "UserInfo", .call(.userInfo), requires: ["userinfo_endpoint"])
        ]
        return scenario
    }

    static func wrongRegistration(_ id: ScenarioID, _ title: String, _ members: [ClientMetadata.Member]) -> Scenario {
        var scenario = Scenario(id: id, title: title, tier: .unauthenticated)
        scenario.client = .ephemeral(ClientMetadata(members: members))
        scenario.conditions = [.dynamicRegistration]
        return scenario
    }
}
