import Conformance
import JSONTree
import Transport

/// A requested document: the result, and the exchanges that produced it.
struct FetchedDocument: Sendable {
    var observation: Observation<Document>
    var hops: [Int]
    /// The status of the last response.
    var status: Int?
    /// The address that was requested last, redirects followed.
    var url: String?
    /// The IP address that responded.
    var peer: String?
    /// The bytes of a successful response (RFC 9110 section 15.3); `nil` for anything else.
    var bytes: [UInt8]?

    /// The address, or why no request was sent.
    var place: Observation<String> {
        url.map { .observed($0) } ?? observation.flatMap { _ in .absent("no request was sent") }
    }

    static func absent(_ reason: Reason) -> FetchedDocument {
        FetchedDocument(observation: .absent(reason), hops: [])
    }

    static func notAttempted(_ reason: Reason) -> FetchedDocument {
        FetchedDocument(observation: .notAttempted(reason), hops: [])
    }

    /// The document as a JSON object; `nil` when it is not one or was not there.
    var object: JSONObject? {
        bytes.flatMap { try? JSONDocument.parse($0).root.objectValue }
    }

    /// Why there is no JSON object, for what depends on it.
    var whyNoObject: Reason {
        switch observation {
        case .absent(let why), .notAttempted(let why): why
        case .observed:
            bytes == nil
                ? "the response has HTTP status \(status ?? 0)" : "the response is not a JSON object"
        }
    }
}

extension RecordingClient {
    private static let redirectLimit = 3

    /// Fetches a public document; a redirect is followed, but each hop is an exchange of its own.
    ///
    /// Any response counts as observed, whatever its status: evaluating it is not done here.
    ///
    /// - Parameter variation: The difference from the ordinary request, at every hop.
    func document(
        at address: String,
        step: String,
        lane: Recorder.Lane,
        _ variation: (inout HTTPRequest) -> Void = { _ in }
    ) async -> FetchedDocument {
        var address = address
        var visited: Set<String> = []
        var hops: [Int] = []
        while true {
            visited.insert(address)
            var request = HTTPRequest(url: address, headers: [HTTPField(name: "Accept", value: "application/json")])
            variation(&request)
            var answer = await send(request, step: step, lane: lane, content: .document)
            if let failure = answer.raw.failure, failure.mayPass, Lanes.ofDocuments.contains(lane) {
                // Half of the checks depend on it: one lost response must not make them inconclusive.
                await recorder.supersede(answer.id)
                answer = await send(request, step: step, lane: lane, content: .document)
            }
            if let seconds = whenBack(answer, lane) {
                await wait(seconds)
                await recorder.supersede(answer.id)
                answer = await send(request, step: step, lane: lane, content: .document)
            }
            hops.append(answer.id)
            guard let response = answer.raw.response, let recorded = answer.recorded.response, answer.failure == nil
            else {
                return FetchedDocument(
                    observation: .absent(answer.failure ?? "\(step): no response arrived"),
                    hops: hops
                )
            }
            if hops.count <= Self.redirectLimit, let next = Self.redirect(response, from: address),
                !visited.contains(next), !Self.isDowngrade(from: address, to: next)
            {
                address = next
                continue
            }
            return FetchedDocument(
                observation: .observed(Document(origin: .exchange(answer.id), body: recorded.body)),
                hops: hops,
                status: response.status,
                url: address,
                peer: answer.raw.peer?.address,
                bytes: (200...299).contains(response.status) ? response.body : nil
            )
        }
    }

    /// The delay after which a document that most checks need is requested again, if the server reports a temporary error;
    /// `nil` if it requires more time than a run has.
    private func whenBack(_ answer: Answer, _ lane: Recorder.Lane) -> Double? {
        guard Lanes.ofDocuments.contains(lane), let response = answer.recorded.response, response.isTemporary else {
            return nil
        }
        let seconds = max(response.retryAfter ?? 0, Repetitions.recovery)
        return seconds <= Self.longestWait ? seconds : nil
    }

    /// Seconds.
    private static let longestWait = 15.0

    /// The target of a redirect, if the response is one (RFC 9110 section 15.4).
    static func redirect(_ response: HTTPResponse, from address: String) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
            return nil
        }
        return WebURL(address)?.resolve(location)?.textBeforeFragment
    }

    /// Whether a redirect leaves TLS: an attacker on the network could forge the target, so it is not requested.
    static func isDowngrade(from address: String, to next: String) -> Bool {
        WebURL(address)?.scheme == "https" && WebURL(next)?.scheme != "https"
    }

    /// Looks for the document in other common places; only responses with an issuer count.
    func suggestions(for issuer: String) async -> [IssuerSuggestion] {
        let addresses = DiscoveryAddress.alternatives(to: issuer)
        let found = await withTaskGroup(of: (Int, IssuerSuggestion?).self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask {
                    let document = await self.document(
                        at: address,
                        step: "discovery document elsewhere",
                        lane: Lanes.suggestions
                    )
                    let issuer = document.object?["issuer"]?.stringValue
                    return (index, issuer.map { IssuerSuggestion(address: address, issuer: $0) })
                }
            }
            var found: [(Int, IssuerSuggestion)] = []
            for await case (let index, let suggestion?) in group { found.append((index, suggestion)) }
            return found
        }
        return found.sorted { $0.0 < $1.0 }.map(\.1)
    }
}

extension TransportFailure {
    /// Whether a retry of the same request may succeed.
    fileprivate var mayPass: Bool {
        switch cause {
        case .timedOut, .truncated, .closedWithoutAnswer, .connectionLost, .protocolViolation, .unreachable, .other:
            true
        case .nameNotResolved, .refused, .tlsHandshake, .certificateRefused, .addressRefused, .bodyTooLarge,
            .headersTooLarge, .schemeRefused, .invalidURL, .invalidRequest, .trustUnreadable, .proxyFailed, .cancelled,
            .limitReached, .hostNotAllowed, .unanswered:
            false
        }
    }
}
