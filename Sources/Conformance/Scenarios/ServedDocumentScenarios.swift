/// Clients whose documents the provider fetches from this machine.
extension Scenario {
    private typealias Member = ClientMetadata.Member
    private typealias Advertised = ClientMetadata.Advertised
    private typealias OptionalMembers = ClientMetadata.OptionalMembers

    static let servingClients = [sectorClient, sectorElsewhere, servedKeysClient, requestURIClient]

    // MARK: Sectors

    /// A pairwise client whose redirect URI is in the document of its sector.
    package static let sectorClient = inSector(
        "registration.sector",
        "sign in with a pairwise client that names its sector by sector_identifier_uri",
        redirectURIs: nil
    )

    /// Another client of the same sector, at another host: only the sector joins the two.
    package static let sectorElsewhere: Scenario = {
        let address = RedirectURIVariation.subdomain
        var scenario = inSector(
            "registration.sector-elsewhere",
            "sign in with a pairwise client of the same sector at another host",
            redirectURIs: .changedRedirectURI(address)
        )
        var request = AuthorizationRequest(responseType: "code", session: .shared)
        request.changes = [.set("redirect_uri", .redirectURI(address))]
        scenario.steps = [.authorize(request), .redeem()]
        return scenario
    }()

    /// A pairwise client whose redirect URI is not in the document of its sector.
    package static let outsideItsSector: Scenario = {
        var scenario = wrongRegistration(
            "registration.outside-its-sector",
            "register a pairwise client whose redirect URI is not in the document at sector_identifier_uri",
            []
        )
        scenario.client = .ephemeral(ClientMetadata(wishes: [pairwise(.foreignSector, nil)]))
        scenario.conditions.append(.servedDocuments)
        return scenario
    }()

    private static func inSector(
        _ id: ScenarioID,
        _ title: String,
        redirectURIs: ClientMetadata.Value?
    ) -> Scenario {
        serving(withOwnClient(id, title, ClientMetadata(wishes: [pairwise(.sector, redirectURIs)])))
    }

    private static func pairwise(_ document: ClientDocument, _ redirectURIs: ClientMetadata.Value?) -> OptionalMembers {
        OptionalMembers(
            [Member("subject_type", .text("pairwise")), Member("sector_identifier_uri", .served(document))]
                + (redirectURIs.map { [Member("redirect_uris", $0)] } ?? []),
            advertised: [Advertised("subject_types_supported", "pairwise")]
        )
    }

    // MARK: Keys

    /// A client that authenticates with a key at its `jwks_uri`, and then with another that is published there.
    package static let servedKeysClient: Scenario = {
        let signing = [
            Advertised("token_endpoint_auth_methods_supported", "private_key_jwt"),
            Advertised("token_endpoint_auth_signing_alg_values_supported", "RS256"),
        ]
        var metadata = ClientMetadata(wishes: [
            OptionalMembers(
                [
                    Member("token_endpoint_auth_method", .text("private_key_jwt")),
                    Member("token_endpoint_auth_signing_alg", .text("RS256")),
                    Member("jwks_uri", .served(.keys)),
                ],
                advertised: signing
            ),
            OptionalMembers(
                [Member("grant_types", .texts(["authorization_code", "refresh_token"]))],
                advertised: signing + [Advertised("grant_types_supported", "refresh_token")]
            ),
        ])
        metadata.keys = [.rsaSigning]
        var scenario = serving(
            withOwnClient(
                "registration.keys-at-jwks-uri",
                "sign in with a client registered for private_key_jwt by its jwks_uri",
                metadata
            )
        )
        var request = AuthorizationRequest(responseType: "code", session: .shared)
        request.asksOfflineAccess = true
        scenario.steps = [
            .authorize(request), .redeem(),
            // A real token shows more than a bogus code, which a provider may look up first.
            Step(
                .refresh,
                "its refresh token with an assertion by a key that was just published",
                .call(.refresh.with { $0.authentication = .assertion(.byNewKey) })
            ),
            Step(
                .newKey,
                "a bogus code with an assertion by a key that was just published",
                .call(bogus(.assertion(.byNewKey)))
            ),
        ]
        return scenario
    }()

    // MARK: Request objects

    /// A client whose request objects are fetched: a signed and an unsigned one at addresses that are registered, and one at an
    /// address that is not.
    package static let requestURIClient: Scenario = {
        var metadata = ClientMetadata(members: [
            Member("request_uris", .allServed([.requestObject, .unsignedObject]))
        ])
        metadata.keys = [.rsaSigning]
        // Discovery section 3: its default is true.
        metadata.unlessDenied = "request_uri_parameter_supported"
        var request = AuthorizationRequest(responseType: "code", session: .shared)
        request.requestObject = .signedByKey
        request.objectServedAs = .requestObject
        var unsigned = AuthorizationRequest(responseType: "code", session: .shared)
        unsigned.requestObject = .unsigned
        unsigned.objectServedAs = .unsignedObject
        var unregistered = AuthorizationRequest(responseType: "code", session: .asItIs)
        unregistered.requestObject = .signedByKey
        unregistered.objectServedAs = .unregisteredObject
        var scenario = serving(
            withOwnClient(
                "registration.request-uris",
                "sign in with a request object that the provider fetches from a registered request_uri",
                metadata
            )
        )
        scenario.steps = [
            .authorize(request),
            Step(
                .unsigned,
                "a registered request_uri with an unsigned request object",
                .authorize(unsigned),
                requires: [.lists("request_object_signing_alg_values_supported", "none")]
            ),
            Step(
                .unregisteredURI,
                "a request_uri that is not registered",
                .authorize(unregistered),
                requires: ["require_request_uri_registration"]
            ),
        ]
        return scenario
    }()

    private static func serving(_ scenario: Scenario) -> Scenario {
        var scenario = scenario
        scenario.conditions.append(.servedDocuments)
        return scenario
    }
}
