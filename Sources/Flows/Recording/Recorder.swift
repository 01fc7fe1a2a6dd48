import Conformance
import Transport

/// Keeps every exchange of a run, redacted at the moment of capture, and the TLS data of each host.
actor Recorder {
    /// The content of a response, which decides how it is redacted.
    enum Content: Sendable {
        /// A public document requested without credentials: its bytes are the evidence.
        case document
        /// JSON with tokens or claims.
        case api
        /// Pages and redirects on the way through the authorization endpoint; HTML is not kept.
        case pages
    }

    /// The part of the run that an exchange belongs to; exchanges are ordered by it in the end.
    typealias Lane = Int

    /// The exchanges of each lane, in the order of their capture.
    private var lanes: [Lane: [Exchange]] = [:]
    private var redactor: Redactor
    private var seen = HostLog()

    init(keepsTokens: Bool) {
        redactor = Redactor(keepsTokens: keepsTokens)
    }

    /// Takes note of a secret before it is sent.
    func learn(_ name: String, _ value: String, _ kind: Redactor.Kind) {
        redactor.learn(name, value, kind)
    }

    /// Takes note, before it is sent, of a value that the run made up to be rejected.
    func learn(bogus name: String, _ value: String, _ kind: Redactor.Kind) {
        redactor.learn(bogus: name, value, kind)
    }

    /// Takes note of values that the tool sends openly.
    func noteOpen(_ values: [String]) {
        redactor.noteOpen(values)
    }

    /// Takes note of the verifier in parameters that are about to be sent.
    func learn(plainChallengeOf fields: [Field]) {
        redactor.learn(plainChallengeOf: FormParameters(fields.map { FormParameter(name: $0.name, value: $0.value) }))
    }

    /// A text from the provider without secrets.
    func redact(_ text: String) -> String { redactor.redact(text) }

    /// The reason, without secrets, for which a request had no answer.
    func redact(_ text: String, _ failure: TransportFailure) -> Reason {
        Exchange.Failure(kind: .init(failure.cause), message: redactor.redact(text)).reason
    }

    /// The redactor with all that it has learned so far.
    func currentRedactor() -> Redactor { redactor }

    /// A URL from the provider without secrets.
    func redact(url: String) -> String { redactor.redact(url: url) }

    /// Keeps an exchange and returns it as it is kept.
    func record(
        _ exchange: HTTPExchange,
        step: String,
        lane: Lane,
        content: Content,
        isSignIn: Bool = false
    ) -> Exchange {
        learnSecrets(of: exchange, content)
        var recorded = Exchange(
            id: Exchange.id(lane: lane, ordinal: count(in: lane)),
            step: step,
            request: redacted(exchange.request, content),
            response: exchange.response.map { redacted($0, failure: exchange.failure, content) },
            failure: exchange.failure.map { failure in
                Exchange.Failure(kind: .init(failure.cause), message: redactor.redact("\(step): \(failure)"))
            },
            timings: Exchange.Timings(exchange.timings),
            peer: exchange.peer.map { peer in
                peer.address.contains(":") ? "[\(peer.address)]:\(peer.port)" : "\(peer.address):\(peer.port)"
            },
            tlsVersion: exchange.tls?.version,
            startedAt: exchange.startedAt
        )
        recorded.isSignIn = isSignIn ? true : nil
        lanes[lane, default: []].append(recorded)
        seen.note(exchange)
        return recorded
    }

    /// The TLS data of a host, if any exchange went there.
    func host(_ place: HostPlace) -> HostLog.Entry? { seen[place] }

    /// An exchange as it is kept, if there is one of that identifier.
    func exchange(_ id: Int?) -> Exchange? {
        id.flatMap { id in lanes[Exchange.lane(of: id)]?.first { $0.id == id } }
    }

    /// The HTTP status of an exchange, if an answer arrived.
    func status(of id: Int) -> Int? {
        exchange(id)?.response?.status
    }

    /// The meaning of an endpoint's response, as far as it is known during the run; `nil` if none was recorded.
    ///
    /// - Parameter endpoint: The metadata member of the endpoint.
    func outcome(of answer: EndpointAnswer, at endpoint: String) -> Outcome? {
        exchange(answer.exchange)?.response.map { Outcome(of: $0, answer.body.json, endpoint: endpoint) }
    }

    /// How the server failed or felt crowded in exchanges of the lane.
    ///
    /// - Parameter first: The place in the lane of the first exchange that is looked at.
    func serverErrors(lane: Lane, from first: Int) -> Set<ServerError> {
        let failures = (lanes[lane] ?? []).dropFirst(first)
            .compactMap { exchange -> ServerError? in
                guard let response = exchange.response, response.isServerError else { return nil }
                return ServerError(
                    endpoint: Self.endpoint(of: exchange.request),
                    request: Self.kind(of: exchange.request),
                    status: response.status,
                    isTemporary: response.isTemporary
                )
            }
        return Set(failures)
    }

    /// The addresses, without their queries, that returned something else than a server error.
    ///
    /// - Parameter first: The place in the lane of the first exchange that is looked at.
    func answeredEndpoints(lane: Lane, from first: Int) -> Set<String> {
        let answered = (lanes[lane] ?? []).dropFirst(first).filter { $0.response.map { !$0.isServerError } ?? false }
        return Set(answered.map { Self.endpoint(of: $0.request) })
    }

    private static func endpoint(of request: Exchange.Request) -> String { String(request.url.prefix { $0 != "?" }) }

    /// Whether a request of the lane failed by a server error that had come through as the same step of an earlier attempt.
    ///
    /// - Parameter first: The place in the lane of the attempt's first exchange.
    func isErratic(lane: Lane, from first: Int) -> Bool {
        let key = { (exchange: Exchange) in exchange.step + " " + Self.kind(of: exchange.request) }
        let earlier = (lanes[lane] ?? []).prefix(first).filter { $0.response.map { !$0.isServerError } ?? false }
        let cameThrough = Set(earlier.map(key))
        return (lanes[lane] ?? []).dropFirst(first)
            .contains { ($0.response?.isServerError ?? false) && cameThrough.contains(key($0)) }
    }

    /// How many exchanges a lane has so far.
    func count(in lane: Lane) -> Int { lanes[lane]?.count ?? 0 }

    /// Says of a lane's first exchanges that something else counts.
    func supersede(lane: Lane, before count: Int) {
        for ordinal in (lanes[lane] ?? []).indices.prefix(count) { lanes[lane]?[ordinal].isSuperseded = true }
    }

    /// Says of an exchange that its repetition counts.
    func supersede(_ id: Int) {
        let lane = Exchange.lane(of: id)
        guard let ordinal = lanes[lane]?.firstIndex(where: { $0.id == id }) else { return }
        lanes[lane]?[ordinal].isSuperseded = true
    }

    /// The kinds of requests that were answered by something else than a server error.
    func answeredKinds() -> Set<String> {
        let answered = lanes.values.joined().filter { $0.response.map { !$0.isServerError } ?? false }
        return Set(answered.map { Self.kind(of: $0.request) })
    }

    /// The kind of a request, whatever the values: method, address, the names of the parameters, and the grant type.
    private static func kind(of request: Exchange.Request) -> String {
        let parts = request.url.split(separator: "?", maxSplits: 1)
        let query = parts.count > 1 ? FormParameters(parsing: parts[1]).items : []
        let body = FormParameters(parsing: request.body ?? "").items
        let names = (query + body).map { $0.name == "grant_type" ? "grant_type=\($0.value)" : $0.name }.sorted()
        return ([request.method, String(parts.first ?? "")] + names).joined(separator: " ")
    }

    /// All exchanges, ordered by lane: those that ran side by side end in any order, and the same run writes the same
    /// evidence.
    func finished() -> [Exchange] { lanes.sorted { $0.key < $1.key }.flatMap(\.value) }

    // MARK: Redaction

    private func learnSecrets(of exchange: HTTPExchange, _ content: Content) {
        redactor.learn(fromCookies: exchange.request.headers)
        redactor.learn(fromURL: exchange.request.url)
        guard let response = exchange.response else { return }
        redactor.learn(fromCookies: response.headers)
        for location in response.headers(named: "Location") { redactor.learn(fromURL: location) }
        if case .pages = content { learnPages(of: exchange, response) }
        guard case .api = content else { return }
        redactor.learn(fromJSON: response.body)
        if response.isForm { redactor.learn(FormParameters(parsing: response.text)) }
        // Signed or encrypted UserInfo: the checks use extracted values, and the JWT is not kept.
        if response.mediaType == "application/jwt" {
            redactor.learn("jwt", response.text.trimmingASCIISpace, .token)
        }
    }

    /// Learns the links between the provider's pages; requests that leave its host are the client's.
    private func learnPages(of exchange: HTTPExchange, _ response: HTTPResponse) {
        redactor.learn(fromPage: exchange.request.url)
        guard let place = WebURL(exchange.request.url) else { return }
        for location in response.headers(named: "Location") {
            if let next = place.resolve(location), next.host == place.host { redactor.learn(fromPage: next.text) }
        }
    }

    private func redacted(_ request: HTTPRequest, _ content: Content) -> Exchange.Request {
        var body: String?
        if let bytes = request.body {
            var isPages = false
            if case .pages = content { isPages = true }
            let text = String(decoding: bytes, as: UTF8.self)
            body = redactor.redact(redactor.redact(parameters: text, all: isPages))
        }
        return Exchange.Request(
            method: request.method,
            url: redactor.redact(url: request.url),
            headers: redactor.redact(request.headers) + agent(of: request),
            body: body
        )
    }

    /// The field of another agent than the tool's own, whose name is in the evidence already.
    ///
    /// An empty value means no such field: no request of a run has an empty one.
    private func agent(of request: HTTPRequest) -> [Field] {
        switch request.agent {
        case .own: []
        case .none: [Field("User-Agent", "")]
        case .other(let agent): [Field("User-Agent", agent)]
        }
    }

    private func redacted(
        _ response: HTTPResponse,
        failure: TransportFailure?,
        _ content: Content
    ) -> Exchange.Response {
        Exchange.Response(
            status: response.status,
            headers: redactor.redact(response.headers),
            body: redactedBody(of: response, failure: failure, content),
            headFault: response.headFault?.rawValue
        )
    }

    private func redactedBody(of response: HTTPResponse, failure: TransportFailure?, _ content: Content) -> Body {
        if case .bodyTooLarge(let limit) = failure?.cause { return .omitted("an answer of more than \(limit) bytes") }
        switch content {
        case .document: return Body(redactor.redact(document: response.body))
        case .api:
            guard response.isForm else { return Body(redactor.redact(json: response.body)) }
            return Body(redactor.redact(Array(redactor.redact(parameters: response.text).utf8)))
        case .pages:
            if response.body.isEmpty { return Body([]) }
            let type = response.mediaType ?? ""
            guard type.hasSuffix("json") || type == "text/plain" else { return .omitted("a page of the sign-in") }
            return Body(redactor.redact(json: response.body))
        }
    }
}

extension Exchange.Timings {
    init(_ timings: Transport.Timings) {
        self.init()
        nameLookup = timings.nameLookup
        connect = timings.connect
        tls = timings.tls
        firstByte = timings.firstByte
        total = timings.total
    }
}

extension Exchange.Failure.Kind {
    init(_ cause: TransportFailure.Cause) {
        self =
            switch cause {
            case .nameNotResolved: .nameNotResolved
            case .refused: .refused
            case .timedOut: .timedOut
            case .tlsHandshake: .tlsHandshake
            case .certificateRefused: .certificateRefused
            case .addressRefused: .addressRefused
            case .bodyTooLarge, .headersTooLarge: .tooLarge
            case .truncated, .closedWithoutAnswer, .unanswered, .connectionLost: .truncated
            case .protocolViolation: .protocolViolation
            case .cancelled: .cancelled
            case .limitReached: .notSent
            case .unreachable, .schemeRefused, .invalidURL, .invalidRequest, .trustUnreadable, .proxyFailed,
                .hostNotAllowed, .other:
                .other
            }
    }
}
