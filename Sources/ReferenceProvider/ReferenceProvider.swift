package import Conformance
import JOSE
import Serving
import Transport

/// The kind of provider to start, and its address.
package struct ReferenceProviderConfiguration: Sendable {
    package enum Scheme: String, Sendable, CaseIterable {
        case https
        case http
    }

    package var persona = Persona.standard
    /// Applied in order.
    package var faults: [Fault] = []
    var scheme = Scheme.https
    /// The host name or address in the issuer; the server's certificates are for `127.0.0.1` and `localhost`.
    package var host = "127.0.0.1"
    /// Its public host name at the scheme's default port, wherever it listens; `nil` for the address it listens on.
    package var publicName: String?
    /// Zero selects a free port.
    package var port = 0
    package var clients = RegisteredClient.all
    /// `nil` for the persona's.
    package var accounts: [Account]?
    /// The variant of the sign-in pages.
    package var variant = SignInVariant.plain
    /// Seconds by which every response is delayed, for measuring concurrency.
    package var answerDelay = 0.0
    /// The maximum number of concurrent requests; others get status 503.
    package var mostAtOnce = Int.max
    /// The provider's clock, in seconds since 1970.
    package var now: @Sendable () -> Double = { Clock.now() }
    /// The clock of the `Date` header, if other than `now`, because a test cannot change the network's clock.
    package var date: (@Sendable () -> Double)?
    /// Waits a number of seconds before a delayed response.
    package var wait: @Sendable (Double) async -> Void = { try? await Task.sleep(for: .seconds($0)) }

    package init() {}

    package init(_ persona: Persona, faults: [Fault] = [], scheme: Scheme = .https) {
        self.persona = persona
        self.faults = faults
        self.scheme = scheme
    }
}

/// The reason why a provider could not be started.
package struct ReferenceProviderError: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the address is the reason: in use, not permitted, or not one of this machine.
    package let isOfAddress: Bool
}

/// A conformant OpenID Provider on this machine, in memory, whose behaviour faults can change.
///
/// It implements OpenID Connect Core and Discovery with the code, implicit and hybrid flows of its persona. It is for
/// tests and demonstrations: its clients and accounts are public.
package final class ReferenceProvider: Sendable {
    package let issuer: String
    package let port: Int
    package let persona: Persona
    /// The authority to trust for this provider over https, in PEM; the same for all providers of a process.
    package let certificateAuthorityPEM: String
    /// One per listening address.
    private let servers: [HTTPServer]

    private init(issuer: String, port: Int, persona: Persona, authorityPEM: String, servers: [HTTPServer]) {
        self.issuer = issuer
        self.certificateAuthorityPEM = authorityPEM
        self.port = port
        self.persona = persona
        self.servers = servers
    }

    /// Starts a provider, which accepts requests when this returns.
    ///
    /// Throws if the address cannot be listened on, or OpenSSL cannot create keys.
    package static func start(
        _ configuration: ReferenceProviderConfiguration
    ) async throws(ReferenceProviderError) -> ReferenceProvider {
        do {
            return try await run(configuration)
        } catch {
            let place = "\(configuration.host):\(configuration.port)"
            let serving = error as? ServingError
            var isOfAddress = false
            if case .address = serving { isOfAddress = true }
            throw ReferenceProviderError(
                description: "the provider cannot be started at \(place): \(serving?.reason ?? "\(error)")",
                isOfAddress: isOfAddress
            )
        }
    }

    private static func run(_ configuration: ReferenceProviderConfiguration) async throws -> ReferenceProvider {
        var hooks = Hooks(configuration.persona.named?.habits)
        for fault in configuration.faults { fault.change(&hooks) }
        let isSecure = configuration.scheme == .https
        let tls = isSecure ? try ServerCertificates.identity(hooks.certificate, hooks.tlsVersions) : nil
        let authorityPEM = try ServerCertificates.authorityPEM()
        let receiver = Receiver(configuration)
        let server = try await receiver.listen(on: configuration.host, port: configuration.port, tls: tls)
        var servers = [server]
        do {
            for address in configuration.persona.addresses.dropFirst() where hooks.listens(address) {
                servers.append(try await receiver.listen(on: address, port: server.port, tls: tls))
            }
            let provider = try provider(configuration, hooks, port: server.port)
            receiver.become(provider)
            return ReferenceProvider(
                issuer: provider.issuer,
                port: server.port,
                persona: configuration.persona,
                authorityPEM: authorityPEM,
                servers: servers
            )
        } catch {
            for server in servers { await server.stop() }
            throw error
        }
    }

    /// The provider without its server.
    static func provider(
        _ configuration: ReferenceProviderConfiguration,
        _ hooks: Hooks = Hooks(),
        port: Int
    ) throws -> Provider {
        let offer = configuration.persona.offer
        let host = configuration.persona.hostName ?? configuration.host
        let place = configuration.publicName ?? "\(host):\(port)"
        let origin = "\(configuration.scheme.rawValue)://\(place)"
        var provider = Provider(
            issuer: origin + offer.issuerPath,
            offer: offer,
            clients: configuration.clients.map { client in
                var client = client
                client.wishes = offer.wishes
                if client.id == RegisteredClient.keyed.id {
                    client.key = RegisteredClient.keyPair(for: offer)?.publicKey
                }
                return client
            },
            accounts: configuration.accounts ?? configuration.persona.named?.accounts ?? [.alice, .bob],
            hooks: hooks,
            keys: try SigningKeys.published(),
            certificate: offer.publishesCertificate ? try SigningKeys.certificate() : nil,
            now: configuration.now,
            date: configuration.date
        )
        provider.variant = configuration.variant
        provider.otherOrigins = otherOrigins(configuration, offer, port: port)
        return provider
    }

    /// Origins of the endpoints that are not on the issuer's host: their public name, or the other name of this
    /// machine.
    private static func otherOrigins(
        _ configuration: ReferenceProviderConfiguration,
        _ offer: Offer,
        port: Int
    ) -> [Provider.Route: String] {
        let scheme = configuration.scheme.rawValue
        if configuration.publicName != nil { return offer.endpointHosts.mapValues { "\(scheme)://\($0)" } }
        guard configuration.host == "127.0.0.1" else { return [:] }
        return offer.endpointHosts.mapValues { _ in "\(scheme)://localhost:\(port)" }
    }

    /// The configuration for a run against this provider, including the changes of faults.
    package func target(_ faults: [Fault] = []) -> Target { persona.target(issuer: issuer, faults) }

    /// All host names of providers in this process; their certificates are for all of them.
    package static let publicNames = Persona.hostNames

    /// Accepts no more connections and discards all data.
    package func stop() async {
        for server in servers { await server.stop() }
    }
}

/// The provider without a socket: requests are function calls.
///
/// Without a public name or a port in the configuration, the issuer is on port 443 of the configured host.
package final class UnservedProvider: Sendable {
    let issuer: String
    package let persona: Persona
    /// The origins of the issuer and of every endpoint, for which the provider accepts requests.
    package let origins: Set<String>
    private let receiver: Receiver

    /// Throws if OpenSSL cannot create keys.
    package init(_ configuration: ReferenceProviderConfiguration) throws {
        var hooks = Hooks(configuration.persona.named?.habits)
        for fault in configuration.faults { fault.change(&hooks) }
        let provider = try ReferenceProvider.provider(configuration, hooks, port: configuration.port)
        receiver = Receiver(configuration)
        receiver.become(provider)
        issuer = provider.issuer
        persona = configuration.persona
        let names = configuration.host == "127.0.0.1" ? ["localhost"] : []
        let others = names.map { "\(configuration.scheme.rawValue)://\($0):\(configuration.port)" }
        origins = Set(([provider.issuer] + provider.otherOrigins.values + others).compactMap { WebURL($0)?.origin })
    }

    /// The configuration for a run against this provider, including the changes of faults.
    package func target(_ faults: [Fault] = []) -> Target { persona.target(issuer: issuer, faults) }

    /// Responds as it would through a socket.
    ///
    /// - Parameter target: Path and query as sent.
    package func answer(
        method: String,
        target: String,
        headers: [Field],
        body: [UInt8]
    ) async -> (status: Int, headers: [Field], body: [UInt8]) {
        let fields = headers.map { HeaderField($0.name, $0.value) }
        let answer = await receiver.answer(ServedRequest(method: method, target: target, fields: fields, body: body))
        return (answer.status, answer.fields.map { Field($0.name, $0.value) }, answer.body)
    }
}

extension Persona {
    fileprivate func target(issuer: String, _ faults: [Fault]) -> Target {
        var target = target(issuer: issuer)
        for fault in faults { fault.configure(&target) }
        return target
    }
}
