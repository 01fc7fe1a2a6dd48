import Conformance
import JOSE

/// A conformant provider without its server: requests in, responses out.
///
/// It calls its ``Hooks`` at every point where its behaviour can be changed, and does not depend on the faults that change it.
struct Provider: Sendable {
    let issuer: String
    let offer: Offer
    let clients: [RegisteredClient]
    let accounts: [Account]
    let hooks: Hooks
    let keys: SigningKeys
    /// A certificate of the RSA key, if it is published.
    let certificate: Certificate?
    /// Seconds since 1970.
    let now: @Sendable () -> Double
    /// The time in the `Date` header, if other than `now`; seconds since 1970.
    var date: (@Sendable () -> Double)?
    var variant = SignInVariant.plain
    /// The origins of endpoints that are not at the issuer's host: `https://localhost:8443`.
    var otherOrigins: [Route: String] = [:]
    let store = Store()
    let pushed = PushedRequests()
    let oauth1 = OAuth1Store()
    let clientKeys = ClientKeySets()
    /// Part of every pairwise subject.
    let salt = Store.random()

    var isSecure: Bool { issuer.hasPrefix("https:") }

    /// The base of the endpoints' URLs, without a trailing slash.
    var base: String { issuer.dropLast(offer.issuerPath.count) + offer.basePath }

    /// The URL of an endpoint.
    func address(_ route: Route) -> String {
        switch route {
        // Cookies belong to one host, so the pages are on the host that the browser requested.
        case .signIn, .consent:
            (otherOrigins[.authorization].map { $0 + offer.basePath } ?? base) + offer.path(of: route)
        default: (otherOrigins[route] ?? base) + offer.path(of: route)
        }
    }

    func client(_ id: String?) -> RegisteredClient? {
        clients.first { $0.id == id } ?? id.flatMap(store.registered)
    }

    /// The routes of the provider, relative to the issuer.
    enum Route: String, CaseIterable, Sendable {
        case discovery = "/.well-known/openid-configuration"
        case keys = "/keys"
        case authorization = "/authorize"
        case signIn = "/sign-in"
        case consent = "/consent"
        case token = "/token"
        case userInfo = "/userinfo"
        case endSession = "/end-session"
        case revocation = "/revoke"
        case introspection = "/introspect"
        case pushedRequests = "/par"
        case registration = "/register"
        case clientConfiguration = "/client"
        // At paths of the offer, relative to the origin.
        case userAPI = "/user"
        case userEmails = "/user/emails"
    }

    /// The response to any request, changed by the hooks.
    func answer(_ request: ProviderRequest) -> HTTPAnswer {
        var (endpoint, answer) = dispatch(request)
        openToScripts(endpoint, request, &answer)
        answer.headers.append(Field("Date", HTTPDate.text((date ?? now)())))
        answer.headers.append(Field("X-Content-Type-Options", "nosniff"))
        answer.headers.append(Field("Referrer-Policy", "no-referrer"))
        // RFC 6797 section 7.2: not over http.
        if isSecure { answer.headers.append(Field("Strict-Transport-Security", "max-age=31536000")) }
        hooks.answer(endpoint, &answer)
        hooks.answerTo(request.visitor, endpoint, &answer)
        return answer
    }

    private func dispatch(_ request: ProviderRequest) -> (Endpoint, HTTPAnswer) {
        if let path = hooks.movedPath, request.path.hasSuffix(path), request.query.first("moved") == nil {
            return (
                .other, HTTPAnswer(status: 307, headers: [Field("Location", request.path + "?moved=yes")], body: [])
            )
        }
        if let answered = answerOAuth1(request) { return answered }
        if isServerMetadata(request.path) {
            var answer = get(request) { .document(discoveryDocument()) }
            hooks.serverMetadata(&answer)
            return (.discovery, answer)
        }
        if let answer = answerOfResource(request) { return (.other, answer) }
        return switch route(request.path) {
        case .discovery: (.discovery, get(request) { .document(discoveryDocument()) })
        case .keys: (.keys, get(request) { .document(keySet()) })
        case .authorization: (.authorization, authorize(request))
        case .signIn: signIn(request)
        case .consent: consent(request)
        case .token: (.token, token(request))
        case .userInfo: (.userInfo, userInfo(request))
        case .endSession: (.endSession, endSession(request))
        case .revocation: (.revocation, revoke(request))
        case .introspection: (.introspection, introspect(request))
        case .pushedRequests: (.pushedRequests, push(request))
        case .registration: (.registration, register(request))
        case .clientConfiguration: (.clientConfiguration, configureClient(request))
        case .userAPI: (.userAPI, userAPI(request, emails: false))
        case .userEmails: (.userAPI, userAPI(request, emails: true))
        case nil: (.other, Page.problem(status: 404, "There is nothing at this address."))
        }
    }

    /// RFC 8414 section 3.1: the well-known part is inserted between host and path.
    private func isServerMetadata(_ path: String) -> Bool {
        path == Metadata.serverMetadataSuffix + offer.issuerBasePath && offer.publishesDocuments
    }

    private func route(_ path: String) -> Route? {
        if !hooks.publishesDiscovery, path.hasSuffix(Route.discovery.rawValue) { return nil }
        if let api = offer.userAPI {
            if api.takes(path) { return .userAPI }
            if path == api.emailsPath { return .userEmails }
        }
        if let route = otherOrigins.keys.first(where: { offer.path(of: $0) == path }) { return route }
        // Where the endpoints are elsewhere, the document is there as well.
        if path == offer.issuerBasePath + Route.discovery.rawValue, offer.publishesDocuments { return .discovery }
        guard path.hasPrefix(offer.basePath) else { return nil }
        return switch offer.route(at: String(path.dropFirst(offer.basePath.count))) {
        case .userAPI, .userEmails: nil
        case .discovery where !offer.publishesDocuments, .keys where !offer.publishesDocuments: nil
        case .token where !offer.hasTokenEndpoint: nil
        case .userInfo where !offer.hasUserInfo: nil
        case .endSession where !offer.hasEndSession: nil
        case .revocation where !offer.hasRevocation: nil
        case .introspection where !offer.hasIntrospection: nil
        case .pushedRequests where !offer.hasPushedRequests: nil
        case .registration where offer.registration == .none, .clientConfiguration where offer.registration == .none:
            nil
        case let route: route
        }
    }

    private func get(_ request: ProviderRequest, _ answer: () -> HTTPAnswer) -> HTTPAnswer {
        request.method == "GET" ? answer() : .methodNotAllowed(["GET", "HEAD"])
    }
}
