package import Transport

/// One request of a page, from the browser's log; each redirect is a request of its own.
package struct BrowserRequest: Sendable {
    /// The same for all requests of a chain of redirects.
    let identifier: String
    /// The place in that chain.
    let place: Int
    let frame: String
    package let kind: Kind
    package let method: String
    /// With its fragment.
    package let url: String
    /// The body of a form, `nil` if there is none or it is unknown.
    package let body: String?
    var headers: [HTTPField]
    /// Seconds since 1970.
    let startedAt: Double
    /// Seconds of a clock that answers are dated by as well.
    let began: Double
    var response: HTTPResponse?
    /// Whether the headers of the answer are as they were on the wire.
    var hasWireHeaders = false
    var ended: Double?
    /// Why there was no answer.
    package internal(set) var failure: BrowserRequestFailure?

    /// The initiator.
    package enum Kind: Sendable, Hashable {
        /// The page of a window or of a frame.
        case document
        case fetch, xhr, script, stylesheet
        /// Requests that change no page.
        case other
    }
}

/// Why a request of a page has no answer.
package struct BrowserRequestFailure: Sendable, Hashable {
    /// The browser's own word.
    let word: String
    package let kind: Kind

    package enum Kind: Sendable, Hashable {
        /// Another address was requested instead, or the request was withheld.
        case aborted
        case tooManyRedirects
        case other
    }
}

/// The requests of a browser's pages, from its events: those of Chromium's DevTools protocol, or of WebDriver BiDi.
package struct NetworkLog: Sendable {
    package private(set) var requests: [BrowserRequest] = []
    private var chains: [String: [Int]] = [:]
    /// The data on the wire, by request, if it is reported separately.
    var sentHeaders: [String: [[HTTPField]]] = [:]
    var answers: [String: [(status: Int, headers: [HTTPField])]] = [:]
    /// By request: the frame and the document that asked.
    private var underWay: [String: (frame: String, loader: String)] = [:]
    /// More are of a page that does not come to rest.
    static let mostRequests = 2_000

    init() {}

    /// Whether something is under way that may change the page.
    package var isUnderWay: Bool { !underWay.isEmpty }

    /// Records a request.
    ///
    /// - Parameter loader: The requesting document; a page is its own.
    mutating func begin(_ request: BrowserRequest, loader: String) {
        guard requests.count < Self.mostRequests else { return }
        chains[request.identifier, default: []].append(requests.count)
        requests.append(request)
        // Long-lived connections and requests that change no page are not waited for.
        if request.kind != .other { underWay[request.identifier] = (request.frame, loader) }
    }

    /// The place of the next request in a chain.
    func place(in identifier: String) -> Int { chains[identifier]?.count ?? 0 }

    /// Changes the last request of a chain.
    mutating func change(_ identifier: String, _ change: (inout BrowserRequest) -> Void) {
        if let last = chains[identifier]?.last { change(&requests[last]) }
    }

    /// The last request of a chain.
    func last(_ identifier: String) -> BrowserRequest? { chains[identifier]?.last.map { requests[$0] } }

    /// A new document ends the requests of the previous one, without an event; a script need not read its response.
    mutating func arrive(_ identifier: String, _ kind: BrowserRequest.Kind, frame: String, loader: String) {
        if kind == .fetch { underWay[identifier] = nil }
        guard kind == .document else { return }
        underWay = underWay.filter { $0.value.frame != frame || $0.value.loader == loader }
    }

    mutating func end(_ identifier: String, at time: Double?) {
        underWay[identifier] = nil
        change(identifier) { $0.ended = time }
    }

    /// The request whose answer led to another by a redirect.
    package func redirect(to index: Int) -> Int? {
        let request = requests[index]
        return request.place == 0 ? nil : chains[request.identifier]?[request.place - 1]
    }

    /// Whether the headers of an answer are known as they were on the wire.
    package func isWhole(_ index: Int) -> Bool {
        let request = requests[index]
        return request.hasWireHeaders || (answers[request.identifier]?.count ?? 0) > request.place
    }

    /// A request with its response as evidence; the body of the response is empty.
    package func exchange(_ index: Int) -> HTTPExchange {
        let request = requests[index]
        let sent = sentHeaders[request.identifier] ?? []
        let onWire = answers[request.identifier] ?? []
        var response = request.response
        if onWire.count > request.place {
            let raw = onWire[request.place]
            if response == nil { response = HTTPResponse(status: raw.status) }
            // The status on the wire is 304 where the browser had the page.
            if raw.status == response?.status { response?.headers = raw.headers }
        }
        let headers = sent.count > request.place ? sent[request.place] : request.headers
        var timings = Timings()
        if let ended = request.ended { timings.total = max(0, ended - request.began) }
        var failure: TransportFailure?
        if let reason = request.failure, response == nil {
            failure = TransportFailure(
                step: .waiting,
                host: WebURL(request.url)?.hostAndPort ?? "",
                cause: reason.kind == .tooManyRedirects
                    ? .protocolViolation(reason: "too many redirects") : .connectionLost(reason: reason.word)
            )
        }
        return HTTPExchange(
            request: HTTPRequest(
                method: request.method,
                url: String(request.url.prefix { $0 != "#" }),
                headers: headers.filter { !$0.name.hasPrefix(":") },
                body: request.body.map { Array($0.utf8) }
            ),
            response: response,
            failure: failure,
            timings: timings,
            startedAt: request.startedAt
        )
    }
}
