import Conformance
import JOSE
import JSONTree
import Synchronization
import Transport

/// The keys that clients publish, by the URL from which they were last fetched.
final class ClientKeySets: Sendable {
    private let sets = Mutex<[String: [JWK]]>([:])

    func keys(at address: String) -> [JWK]? { sets.withLock { $0[address] } }

    func keep(_ keys: [JWK], at address: String) {
        sets.withLock { $0[address] = keys }
    }
}

/// Documents of clients, fetched before the provider responds to a request that needs them.
extension Provider {
    /// The documents fetched for a request, by URL; those that failed are missing.
    func fetched(for request: ProviderRequest) async -> [String: [UInt8]] {
        var documents: [String: [UInt8]] = [:]
        for address in wanted(by: request) { documents[address] = await Self.fetch(address) }
        if let address = describedClient(request) { describe(address, await Self.fetch(address)) }
        if let address = keysAddress(request), let keys = await Self.fetch(address).flatMap(Self.keys) {
            clientKeys.keep(keys, at: address)
        }
        return documents
    }

    /// The keys that verify a client's assertions: registered by value, or fetched from its `jwks_uri`.
    func keys(of client: RegisteredClient) -> [JWK] {
        guard hooks.registration.usesFetchedKeys, let address = client.keysURI else { return client.wishes.keys }
        return clientKeys.keys(at: address) ?? []
    }

    /// The identifier of an authorization request, if it is the address of a client's metadata.
    private func describedClient(_ request: ProviderRequest) -> String? {
        guard offer.fetchesClientDocuments, request.path == offer.basePath + offer.path(of: .authorization) else {
            return nil
        }
        return request.query.first("client_id").flatMap { $0.hasPrefix("http") ? $0 : nil }
    }

    /// Knows a client by its metadata, or forgets it; loopback addresses without TLS are for tests.
    private func describe(_ address: String, _ body: [UInt8]?) {
        guard let metadata = body.flatMap({ try? JSONDocument.parse($0).root.objectValue }),
            hooks.registration.acceptsClientDocument(metadata, address)
        else { return store.forgetClient(address) }
        var client = RegisteredClient(
            id: address,
            name: metadata["client_name"]?.stringValue ?? address,
            secret: nil,
            authenticationMethods: [.none],
            redirectURIs: metadata["redirect_uris"]?.strings ?? [],
            responseTypes: ["code"]
        )
        client.isDescribed = true
        store.register(client)
    }

    private func wanted(by request: ProviderRequest) -> [String] {
        if request.path == offer.basePath + offer.path(of: .registration), request.method == "POST" {
            let metadata = try? JSONDocument.parse(request.body).root
            return [metadata?["sector_identifier_uri"]?.stringValue].compactMap(\.self)
        }
        guard offer.fetchesRequestObjects, request.path == offer.basePath + offer.path(of: .authorization),
            let address = request.query.first("request_uri"), let client = client(request.query.first("client_id")),
            client.requestURIs.contains(address) || !hooks.requests.requestsRegisteredURI
        else { return [] }
        return [address]
    }

    /// The URL of the keys with which the client of a token request may have signed.
    private func keysAddress(_ request: ProviderRequest) -> String? {
        guard let text = request.form?.first("client_assertion"),
            let address = client(ReceivedAssertion(text).text("sub"))?.keysURI
        else { return nil }
        let isKnown = clientKeys.keys(at: address) != nil
        return isKnown && !hooks.registration.fetchesKeysAgain ? nil : address
    }

    private static func keys(_ body: [UInt8]) -> [JWK]? {
        (try? JSONDocument.parse(body).root["keys"]?.arrayValue)?.compactMap { JWK($0) }
    }

    private static func fetch(_ address: String) async -> [UInt8]? {
        var configuration = TransportConfiguration(connectTimeout: 2, totalTimeout: 2)
        configuration.addressPolicy.allowedHosts = WebURL(address).map { [$0.host] } ?? []
        let client = HTTPClient(configuration: configuration)
        defer { client.shutdown() }
        let exchange = await client.send(HTTPRequest(method: "GET", url: address))
        return exchange.response.flatMap { $0.status == 200 ? $0.body : nil }
    }
}

extension RegisteredClient {
    /// Whether a redirect URI differs from a loopback one of the client's metadata in its port alone (RFC 8252 section 7.3).
    func isAnotherPort(_ asked: String, _ hooks: Hooks) -> Bool {
        guard isDescribed, hooks.registration.letsPortsVary, let url = WebURL(asked), url.host == "127.0.0.1" else {
            return false
        }
        return redirectURIs.compactMap { WebURL($0) }
            .contains { $0.scheme == url.scheme && $0.host == url.host && $0.path == url.path && $0.query == url.query }
    }
}
