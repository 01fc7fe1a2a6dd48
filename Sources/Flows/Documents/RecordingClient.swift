import Conformance
import Transport

/// An HTTP client that records every exchange.
struct RecordingClient: Sendable {
    let client: HTTPClient
    let recorder: Recorder
    /// The origin for which scripts send requests; `nil` when requests are sent as by a server.
    var origin: String?
    /// Lets so many seconds pass.
    let wait: @Sendable (Double) async -> Void

    /// A response as received, with its recorded form.
    struct Answer: Sendable {
        /// With secrets; never kept.
        var raw: HTTPExchange
        var recorded: Exchange

        var id: Int { recorded.id }
        /// Why no complete response arrived; `nil` if one did.
        var failure: Reason? { recorded.failure?.reason }
    }

    func send(
        _ request: HTTPRequest,
        step: String,
        lane: Recorder.Lane,
        content: Recorder.Content
    ) async -> Answer {
        var request = request
        if case .document = content { request.isPublic = true }
        if let origin, case .api = content { request.headers.append(HTTPField(name: "Origin", value: origin)) }
        let raw = await client.send(request)
        return Answer(raw: raw, recorded: await recorder.record(raw, step: step, lane: lane, content: content))
    }
}

/// The parts of a run in the order in which their exchanges are listed.
enum Lanes {
    static let discovery = 0
    static let suggestions = 1
    static let keys = 2
    static let hosts = 3
    static let discoveryRefetched = 4
    static let keysRefetched = 5
    static let agents = 6
    static let addresses = 7
    static let scripts = 8
    static let oauth1 = 9
    /// After those of all scenarios, whose lanes begin at ten in the evidence of every version.
    static let serverMetadata = 9_999
    static let protectedResource = 9_998
    static let webFinger = 9_997

    /// Those of the documents that most checks need.
    static let ofDocuments: Set<Int> = [discovery, keys, discoveryRefetched, keysRefetched]

    /// The lane of the scenario at a place in the plan.
    static func scenario(_ index: Int) -> Int { 10 + index }
}
