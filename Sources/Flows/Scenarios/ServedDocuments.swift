import Conformance
import JOSE
import JSONTree
import Listening
import Transport

/// The documents of registered clients that the provider fetches from this machine.
struct ServedDocuments: Sendable {
    private enum State: Sendable {
        case serving(DocumentListener, base: String)
        case unavailable(String)
        case notWanted
    }

    private let state: State

    /// Nothing is served.
    static let none = ServedDocuments(state: .notWanted)

    /// Listens where the configuration says, or on loopback for a provider on this machine, if the plan contains a scenario
    /// that needs it.
    static func open(for plan: Plan, leavesProcess: Bool) async -> ServedDocuments {
        guard plan.scenarios.contains(where: \.servesDocuments), let registration = plan.target.dynamicRegistration
        else { return none }
        if let why = registration.whyNothingIsServed(to: plan.target.issuer) {
            return ServedDocuments(state: .unavailable(why))
        }
        guard leavesProcess || registration.documentListener != nil else {
            return ServedDocuments(state: .unavailable("the provider is in this process and fetches no documents"))
        }
        let place = registration.documentListener ?? "127.0.0.1:0"
        guard let url = WebURL("http://" + place), let port = url.port else {
            return ServedDocuments(state: .unavailable("“\(place)” is not HOST:PORT"))
        }
        do {
            let listener = try await DocumentListener.listen(host: url.host, port: port)
            var base = registration.documentsAt ?? "http://\(url.host):\(listener.port)"
            if base.hasSuffix("/") { base.removeLast() }
            return ServedDocuments(state: .serving(listener, base: base))
        } catch {
            return ServedDocuments(state: .unavailable(error.description))
        }
    }

    /// Ends listening.
    func close() async {
        if case .serving(let listener, _) = state { await listener.stop() }
    }

    /// Creates a place for the documents of one client, at addresses that cannot be guessed.
    func folder() -> Result<ServedFolder, Unavailable> {
        switch state {
        case .serving(let listener, let base):
            .success(ServedFolder(listener: listener, base: base, name: Hexadecimal.text(of: Hashes.randomBytes(16))))
        case .unavailable(let why): .failure(Unavailable(why: why))
        case .notWanted: .failure(Unavailable(why: "no documents are served in this run"))
        }
    }

    struct Unavailable: Error {
        var why: String
    }
}

/// The documents of one client.
struct ServedFolder: Sendable {
    fileprivate let listener: DocumentListener
    fileprivate let base: String
    fileprivate let name: String

    /// The address at which the provider can fetch a document.
    func address(of document: ClientDocument) -> String { base + path(of: document) }

    /// How many times each document was fetched, of those that the client is registered with, and those named later.
    var fetches: [ClientDocument: Int] {
        Dictionary(uniqueKeysWithValues: ClientDocument.allCases.map { ($0, listener.fetches(of: path(of: $0))) })
            .filter { $0.value > 0 }
    }

    /// Serves what is known before the client is registered.
    func publish(redirectURI: String) {
        let own = [redirectURI] + [RedirectURIVariation.subdomain.changed(redirectURI)].compactMap(\.self)
        publish(.array(own.map(JSON.string)), at: .sector)
        // A reserved host (RFC 2606 section 2).
        publish(["https://another.invalid/callback"], at: .foreignSector)
    }

    func publish(keys: [PrivateKey]) {
        publish(.object(["keys": .array(keys.map { .object($0.publicKey.jwk().object) })]), at: .keys)
    }

    /// Serves the metadata of a public client with loopback redirect URIs.
    func publish(metadataNamed name: String, at document: ClientDocument, for id: String) {
        let metadata: JSON = [
            "client_id": .string(id), "client_name": .string(name),
            "redirect_uris": .array(Scenario.describedRedirectURIs.map(JSON.string)),
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": "none",
        ]
        publish(metadata, at: document)
    }

    func publish(requestObject: Secret, at document: ClientDocument) {
        // Core section 6.2.1 leaves the media type open; RFC 9101 section 5.2.3 names this one.
        let type = "application/oauth-authz-req+jwt"
        listener.publish(Array(requestObject.reveal().utf8), as: type, at: path(of: document))
    }

    private func publish(_ json: JSON, at document: ClientDocument) {
        listener.publish(Array(json.serialized().utf8), as: "application/json", at: path(of: document))
    }

    private func path(of document: ClientDocument) -> String { "/\(name)/\(document.rawValue)" }
}
