import JSONTree
import Transport

/// The events of the network module of WebDriver BiDi: each request by itself, redirects of one chain with the same identifier.
extension NetworkLog {
    /// Takes in an event.
    ///
    /// - Parameter body: The body that a form or a script sent.
    mutating func take(bidi event: JSON, body: String?) {
        guard let method = event["method"]?.stringValue, let values = event["params"], let request = values["request"],
            let identifier = request["request"]?.stringValue
        else { return }
        // Thousandths of a second since 1970.
        let time = values["timestamp"]?.numberValue.map { $0 / 1_000 }
        switch method {
        case "network.beforeRequestSent": begin(identifier, values, request, body, at: time)
        case "network.responseStarted":
            answer(identifier, values["response"], request, at: time)
            if let last = last(identifier), !Self.isRedirect(last.response) {
                arrive(identifier, last.kind, frame: last.frame, loader: Self.loader(values))
            }
        case "network.responseCompleted":
            answer(identifier, values["response"], request, at: time)
            // The target of a redirect is in flight.
            if let response = last(identifier)?.response, !Self.isRedirect(response) { end(identifier, at: time) }
        case "network.fetchError":
            end(identifier, at: time)
            fail(identifier, values["errorText"]?.stringValue ?? "failed", at: time)
        default: break
        }
    }

    private static func isRedirect(_ response: HTTPResponse?) -> Bool {
        guard let response else { return false }
        return (300..<400).contains(response.status) && response.header("Location") != nil
    }

    private static func loader(_ values: JSON) -> String { values["navigation"]?.stringValue ?? "" }

    private mutating func begin(
        _ identifier: String,
        _ values: JSON,
        _ request: JSON,
        _ body: String?,
        at time: Double?
    ) {
        guard let url = request["url"]?.stringValue, !url.hasPrefix("data:") else { return }
        begin(
            BrowserRequest(
                identifier: identifier,
                place: place(in: identifier),
                frame: values["context"]?.stringValue ?? "",
                kind: Self.kind(values, request),
                method: request["method"]?.stringValue ?? "GET",
                url: FirefoxHandlers.address(behind: url),
                body: body,
                headers: Self.fields(request["headers"]),
                startedAt: time ?? 0,
                began: time ?? 0
            ),
            loader: Self.loader(values)
        )
    }

    /// Whether a request is for the page of a window or of a frame.
    static func isDocument(_ values: JSON, _ request: JSON) -> Bool { kind(values, request) == .document }

    private static func kind(_ values: JSON, _ request: JSON) -> BrowserRequest.Kind {
        if values["navigation"]?.stringValue != nil { return .document }
        switch request["initiatorType"]?.stringValue {
        case "fetch": return .fetch
        case "xmlhttprequest": return .xhr
        default: break
        }
        switch request["destination"]?.stringValue {
        case "document", "iframe", "frame": return .document
        case "script": return .script
        case "style": return .stylesheet
        default: return .other
        }
    }

    private mutating func answer(_ identifier: String, _ response: JSON?, _ request: JSON, at time: Double?) {
        guard let response else { return }
        change(identifier) { known in
            known.headers = Self.fields(request["headers"])
            known.response = HTTPResponse(
                status: Int(response["status"]?.integerValue ?? 0),
                reason: response["statusText"]?.stringValue ?? "",
                httpVersion: response["protocol"]?.stringValue == "h2" ? "2" : "1.1",
                headers: Self.fields(response["headers"])
            )
            known.hasWireHeaders = true
            known.ended = time
        }
    }

    /// A redirect to an application's own scheme ends here: the browser does not request its target.
    private mutating func fail(_ identifier: String, _ word: String, at time: Double?) {
        guard let last = last(identifier) else { return }
        if word == "NS_ERROR_UNKNOWN_PROTOCOL", let location = last.response?.header("Location") {
            let next = BrowserRequest(
                identifier: identifier,
                place: last.place + 1,
                frame: last.frame,
                kind: last.kind,
                method: "GET",
                url: location,
                body: nil,
                headers: [],
                startedAt: time ?? 0,
                began: time ?? 0
            )
            begin(next, loader: "")
            end(identifier, at: time)
        } else if last.response != nil, word != "NS_ERROR_REDIRECT_LOOP" {
            return
        }
        change(identifier) { request in
            if word == "NS_ERROR_REDIRECT_LOOP" { request.response = nil }
            request.failure = BrowserRequestFailure(word: word, kind: Self.failureKind(word))
        }
    }

    private static func failureKind(_ word: String) -> BrowserRequestFailure.Kind {
        switch word {
        case "NS_BINDING_ABORTED", "NS_ERROR_ABORT", "NS_BINDING_REDIRECTED", "NS_BINDING_CANCELLED_OLD_LOAD",
            "NS_ERROR_UNKNOWN_PROTOCOL":
            .aborted
        case "NS_ERROR_REDIRECT_LOOP": .tooManyRedirects
        default: .other
        }
    }

    private static func fields(_ headers: JSON?) -> [HTTPField] {
        (headers?.arrayValue ?? [])
            .compactMap { header in
                guard let name = header["name"]?.stringValue else { return nil }
                return HTTPField(name: name, value: header["value"]?["value"]?.stringValue ?? "")
            }
    }
}
