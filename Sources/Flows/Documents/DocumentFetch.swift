import Conformance
import JSONTree
import Transport

/// A document that was asked for: what came, and the exchanges that led there.
struct FetchedDocument: Sendable {
    var observation: Observation<Document>
    var hops: [Int]
    /// The status of the last answer.
    var status: Int?
    /// The address that was asked last, redirects followed.
    var url: String?
    /// The number of the host's address that answered.
    var peer: String?
    /// The octets of a successful answer (RFC 9110 section 15.3); `nil` for anything else.
    var octets: [UInt8]?

    static func absent(_ reason: Reason) -> FetchedDocument {
        FetchedDocument(observation: .absent(reason), hops: [])
    }

    static func notAttempted(_ reason: Reason) -> FetchedDocument {
        FetchedDocument(observation: .notAttempted(reason), hops: [])
    }

    /// The document as a JSON object; `nil` when it is not one or was not there.
    var object: JSONObject? {
        octets.flatMap { try? JSONDocument.parse($0).root.objectValue }
    }

    /// Why there is no JSON object, for what depends on it.
    var whyNoObject: Reason {
        switch observation {
        case .absent(let why), .notAttempted(let why): why
        case .observed:
            octets == nil
                ? "it was answered with HTTP status \(status ?? 0)" : "what was answered is not a JSON object"
        }
    }
}

extension RecordingClient {
    private static let redirectLimit = 3

    /// Fetches a public document; a redirect is followed, but each hop is an exchange of its own.
    ///
    /// Any answer counts as observed, whatever its status: judging it is not done here.
    ///
    /// - Parameter variation: What is different from the ordinary request, at every hop.
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
                // Half of the checks stand on it: one answer that was lost on the way must not leave them unjudged.
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
                return FetchedDocument(observation: .absent(answer.failure ?? "\(step): no answer arrived"), hops: hops)
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
                octets: (200...299).contains(response.status) ? response.body : nil
            )
        }
    }

    /// The seconds after which a document that most checks stand on is asked for once more, where a server says “for now”;
    /// `nil` where it wants more time than a run has.
    private func whenBack(_ answer: Answer, _ lane: Recorder.Lane) -> Double? {
        guard Lanes.ofDocuments.contains(lane), let response = answer.recorded.response, response.saysForNow else {
            return nil
        }
        let seconds = max(response.retryAfter ?? 0, Repetitions.recovery)
        return seconds <= Self.longestWait ? seconds : nil
    }

    /// Seconds.
    private static let longestWait = 15.0

    /// Where an answer redirects to, if it does (RFC 9110 section 15.4).
    static func redirect(_ response: HTTPResponse, from address: String) -> String? {
        guard [301, 302, 303, 307, 308].contains(response.status), let location = response.header("Location") else {
            return nil
        }
        return WebURL(address)?.resolve(location)?.textBeforeFragment
    }

    /// Whether a redirect leaves TLS: what comes from there is anybody's who sits on the way, so it is not asked for.
    static func isDowngrade(from address: String, to next: String) -> Bool {
        WebURL(address)?.scheme == "https" && WebURL(next)?.scheme != "https"
    }

    /// Looks for the document where it is often found instead; only answers with an issuer count.
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
    /// Whether the same request may be answered the next time.
    fileprivate var mayPass: Bool {
        switch cause {
        case .timedOut, .truncated, .closedWithoutAnswer, .connectionLost, .protocolViolation, .unreachable, .other:
            true
        case .nameNotResolved, .refused, .tlsHandshake, .certificateRefused, .addressRefused, .bodyTooLarge,
            .headersTooLarge, .schemeRefused, .invalidURL, .invalidRequest, .trustUnreadable, .proxyFailed, .cancelled,
            .limitReached:
            false
        }
    }
}
