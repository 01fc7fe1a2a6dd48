import JSONTree
import Transport

/// The events of the Network domain of Chromium's DevTools protocol, which come in any order: headers as they were on the wire may
/// come before or after what they belong to.
extension NetworkLog {
    /// Takes in an event.
    mutating func take(chromium event: JSON) {
        guard let method = event["method"]?.stringValue, let values = event["params"],
            let identifier = values["requestId"]?.stringValue
        else { return }
        let time = values["timestamp"]?.numberValue
        switch method {
        case "Network.requestWillBeSent": begin(identifier, values)
        case "Network.requestWillBeSentExtraInfo":
            sentHeaders[identifier, default: []].append(Self.fields(values["headers"]))
        case "Network.responseReceivedExtraInfo":
            let status = Int(values["statusCode"]?.integerValue ?? 0)
            answers[identifier, default: []].append((status, Self.fields(values["headers"])))
        case "Network.responseReceived":
            answer(identifier, values["response"], at: time)
            if let frame = values["frameId"]?.stringValue, let loader = values["loaderId"]?.stringValue {
                arrive(identifier, Self.kind(values["type"]), frame: frame, loader: loader)
            }
        case "Network.loadingFinished": end(identifier, at: time)
        case "Network.loadingFailed":
            end(identifier, at: time)
            let word = values["errorText"]?.stringValue ?? "failed"
            change(identifier) { request in
                if request.response == nil { request.failure = Self.failure(word) }
            }
        default: break
        }
    }

    private static func failure(_ word: String) -> BrowserRequestFailure {
        BrowserRequestFailure(
            word: word,
            kind: word.contains("ERR_ABORTED")
                ? .aborted : word.contains("TOO_MANY_REDIRECTS") ? .tooManyRedirects : .other
        )
    }

    private static func kind(_ type: JSON?) -> BrowserRequest.Kind {
        switch type?.stringValue {
        case "Document": .document
        case "XHR": .xhr
        case "Fetch": .fetch
        case "Script": .script
        case "Stylesheet": .stylesheet
        default: .other
        }
    }

    private mutating func begin(_ identifier: String, _ values: JSON) {
        guard let request = values["request"], let url = request["url"]?.stringValue, !url.hasPrefix("data:") else {
            return
        }
        if let redirect = values["redirectResponse"] {
            answer(identifier, redirect, at: values["timestamp"]?.numberValue)
        }
        begin(
            BrowserRequest(
                identifier: identifier,
                place: place(in: identifier),
                frame: values["frameId"]?.stringValue ?? "",
                kind: Self.kind(values["type"]),
                method: request["method"]?.stringValue ?? "GET",
                url: url + (request["urlFragment"]?.stringValue ?? ""),
                body: request["postData"]?.stringValue,
                headers: Self.fields(request["headers"]),
                startedAt: values["wallTime"]?.numberValue ?? 0,
                began: values["timestamp"]?.numberValue ?? 0
            ),
            loader: values["loaderId"]?.stringValue ?? ""
        )
    }

    private mutating func answer(_ identifier: String, _ response: JSON?, at time: Double?) {
        guard let response else { return }
        change(identifier) { request in
            request.response = HTTPResponse(
                status: Int(response["status"]?.integerValue ?? 0),
                reason: response["statusText"]?.stringValue ?? "",
                httpVersion: response["protocol"]?.stringValue == "h2" ? "2" : "1.1",
                headers: Self.fields(response["headers"])
            )
            request.ended = time
        }
    }

    /// Chromium joins fields of one name by line feeds.
    private static func fields(_ headers: JSON?) -> [HTTPField] {
        (headers?.objectValue?.members ?? [])
            .flatMap { member in
                (member.value.stringValue ?? "").split(separator: "\n", omittingEmptySubsequences: false)
                    .map { HTTPField(name: member.name, value: String($0)) }
            }
    }
}
