/// Clients whose identifier is the address of their metadata (draft-ietf-oauth-client-id-metadata-document-02).
extension Scenario {
    static let describedClients = [describedClient, misdescribedClient]

    /// The metadata member in which a provider states its support (section 6 of the draft).
    package static let describedClientSupport = "client_id_metadata_document_supported"

    /// The redirect URIs in the metadata: one with a port, and one for any port.
    package static let describedRedirectURIs = ["http://127.0.0.1:33418/callback", "http://127.0.0.1/callback"]

    /// A client as AI hosts have it: public, at loopback addresses; nothing listens there, and nothing is fetched from there.
    package static let describedClient = described(
        "registration.client-document",
        "sign in with a client whose ID is the address of its metadata, as AI hosts do",
        by: .metadata,
        [
            .authorize(request(to: describedRedirectURIs[0])), .redeem(),
            Step(
                .otherPort,
                "its loopback redirect URI with another port",
                .authorize(request(to: "http://127.0.0.1:49721/callback"))
            ),
        ]
    )

    /// A client whose metadata is that of another one.
    package static let misdescribedClient = described(
        "registration.foreign-client-document",
        "request an authorization for a client whose metadata has the client_id of another client",
        by: .foreignMetadata,
        [.authorize(request(to: describedRedirectURIs[0]))]
    )

    private static func request(to address: String) -> AuthorizationRequest {
        var request = AuthorizationRequest(responseType: "code", session: .shared)
        request.sendsNonce = false
        request.changes = [.set("redirect_uri", .text(address))]
        return request
    }

    private static func described(
        _ id: ScenarioID,
        _ title: String,
        by document: ClientDocument,
        _ steps: [Step]
    ) -> Scenario {
        var scenario = Scenario(id: id, title: title, tier: .full, steps: steps)
        scenario.client = .described(document)
        scenario.conditions = [.dynamicRegistration, .servedDocuments]
        scenario.requires = [.offers(describedClientSupport)]
        return scenario
    }
}
