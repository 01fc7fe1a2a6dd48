import JSONTree
package import Transport

/// One request of a page, as the browser's log tells it; each redirect is one of its own.
package struct BrowserRequest: Sendable {
    /// The same for all requests of a chain of redirects.
    let identifier: String
    /// The place in that chain.
    let place: Int
    let frame: String
    /// Chromium's word for what asked, such as `Document`, `XHR`, `Fetch` or `Script`.
    package let kind: String
    package let method: String
    /// With its fragment.
    package let url: String
    /// What a form sent, `nil` where there is none or it is not told.
    package let body: String?
    fileprivate var headers: [HTTPField]
    fileprivate let startedAt: Double
    fileprivate let began: Double
    fileprivate var response: HTTPResponse?
    fileprivate var peer: Peer?
    fileprivate var ended: Double?
    /// Chromium's word for why there was no answer.
    package fileprivate(set) var failure: String?
}

/// What a browser's pages ask for, from the events of its performance log.
///
/// The events are those of the Network domain of Chromium's DevTools protocol, which come in any order: headers as they were on
/// the wire may come before or after what they belong to.
package struct NetworkLog: Sendable {
    package private(set) var requests: [BrowserRequest] = []
    private var chains: [String: [Int]] = [:]
    private var sentHeaders: [String: [[HTTPField]]] = [:]
    private var answers: [String: [(status: Int, headers: [HTTPField])]] = [:]
    /// By request: the frame and the document that asked.
    private var underWay: [String: (frame: String, loader: String)] = [:]
    /// More are of a page that does not come to rest.
    static let mostRequests = 2_000

    package init() {}

    /// Whether something is under way that may change the page.
    package var isUnderWay: Bool { !underWay.isEmpty }

    /// Takes in an event.
    mutating func take(_ event: JSON) {
        guard let method = event["method"]?.stringValue, let values = event["params"],
            let identifier = values["requestId"]?.stringValue
        else { return }
        switch method {
        case "Network.requestWillBeSent": begin(identifier, values)
        case "Network.requestWillBeSentExtraInfo":
            sentHeaders[identifier, default: []].append(Self.fields(values["headers"]))
        case "Network.responseReceivedExtraInfo":
            let status = Int(values["statusCode"]?.integerValue ?? 0)
            answers[identifier, default: []].append((status, Self.fields(values["headers"])))
        case "Network.responseReceived":
            answer(identifier, values["response"], at: values["timestamp"]?.numberValue)
            arrive(identifier, values)
        case "Network.loadingFinished": end(identifier, at: values["timestamp"]?.numberValue)
        case "Network.loadingFailed":
            end(identifier, at: values["timestamp"]?.numberValue)
            let text = values["errorText"]?.stringValue ?? "failed"
            if let last = chains[identifier]?.last, requests[last].response == nil { requests[last].failure = text }
        default: break
        }
    }

    private mutating func begin(_ identifier: String, _ values: JSON) {
        guard let request = values["request"], let url = request["url"]?.stringValue, !url.hasPrefix("data:"),
            requests.count < Self.mostRequests
        else { return }
        if let redirect = values["redirectResponse"] {
            answer(identifier, redirect, at: values["timestamp"]?.numberValue)
        }
        let kind = values["type"]?.stringValue ?? ""
        chains[identifier, default: []].append(requests.count)
        requests.append(
            BrowserRequest(
                identifier: identifier,
                place: (chains[identifier]?.count ?? 1) - 1,
                frame: values["frameId"]?.stringValue ?? "",
                kind: kind,
                method: request["method"]?.stringValue ?? "GET",
                url: url + (request["urlFragment"]?.stringValue ?? ""),
                body: request["postData"]?.stringValue,
                headers: Self.fields(request["headers"]),
                startedAt: values["wallTime"]?.numberValue ?? 0,
                began: values["timestamp"]?.numberValue ?? 0
            )
        )
        // What is held open for news, and what changes no page, keeps nobody waiting.
        if ["Document", "XHR", "Fetch", "Script", "Stylesheet"].contains(kind) {
            underWay[identifier] = (values["frameId"]?.stringValue ?? "", values["loaderId"]?.stringValue ?? "")
        }
    }

    private mutating func answer(_ identifier: String, _ response: JSON?, at time: Double?) {
        guard let last = chains[identifier]?.last, let response else { return }
        requests[last].response = HTTPResponse(
            status: Int(response["status"]?.integerValue ?? 0),
            reason: response["statusText"]?.stringValue ?? "",
            httpVersion: response["protocol"]?.stringValue == "h2" ? "2" : "1.1",
            headers: Self.fields(response["headers"])
        )
        requests[last].ended = time
        if let address = response["remoteIPAddress"]?.stringValue, let port = response["remotePort"]?.integerValue {
            requests[last].peer = Peer(address: address, port: Int(port))
        }
    }

    /// A document ends what the one before it asked for, without a word; a script need not read its answer.
    private mutating func arrive(_ identifier: String, _ values: JSON) {
        let kind = values["type"]?.stringValue
        if kind == "Fetch" { underWay[identifier] = nil }
        guard kind == "Document", let frame = values["frameId"]?.stringValue,
            let loader = values["loaderId"]?.stringValue
        else { return }
        underWay = underWay.filter { $0.value.frame != frame || $0.value.loader == loader }
    }

    private mutating func end(_ identifier: String, at time: Double?) {
        underWay[identifier] = nil
        if let last = chains[identifier]?.last { requests[last].ended = time }
    }

    /// Chromium joins fields of one name by line feeds.
    private static func fields(_ headers: JSON?) -> [HTTPField] {
        (headers?.objectValue?.members ?? [])
            .flatMap { member in
                (member.value.stringValue ?? "").split(separator: "\n", omittingEmptySubsequences: false)
                    .map { HTTPField(name: member.name, value: String($0)) }
            }
    }

    /// The request whose answer led to another by a redirect.
    package func redirect(to index: Int) -> Int? {
        let request = requests[index]
        return request.place == 0 ? nil : chains[request.identifier]?[request.place - 1]
    }

    /// Whether the headers of an answer are known as they were on the wire.
    package func isWhole(_ index: Int) -> Bool {
        let request = requests[index]
        return (answers[request.identifier]?.count ?? 0) > request.place
    }

    /// A request with its answer as evidence; the body of the answer is empty.
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
        if let text = request.failure, response == nil {
            failure = TransportFailure(
                step: .waiting,
                host: WebURL(request.url)?.hostAndPort ?? "",
                cause: text.contains("TOO_MANY_REDIRECTS")
                    ? .protocolViolation(reason: "too many redirects") : .connectionLost(reason: text)
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
            peer: request.peer,
            startedAt: request.startedAt
        )
    }
}
