import Conformance
import Transport

/// The requests with which a host finds the authorization server of a protected resource (RFC 9728 section 5).
extension Collection {
    /// The first message of an MCP client; a server that requires a token does not read it.
    private static let firstMessage =
        #"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"#
        + #""clientInfo":{"name":"oidc-preflight","version":"1"}}}"#
    private static let suffix = "/.well-known/oauth-protected-resource"

    /// Requests the resource without a token, and then its metadata; `nil` where none is configured or no chosen check reads it.
    ///
    /// Redirects are not followed, as for authorization server metadata. No secret is sent.
    func protectedResource() async -> ProtectedResource? {
        guard plan.needs.contains(.protectedResource), let url = plan.target.webResource.flatMap({ WebURL($0) })
        else { return nil }
        let request = HTTPRequest(
            method: "POST",
            url: url.textBeforeFragment,
            headers: [
                HTTPField(name: "Accept", value: "application/json, text/event-stream"),
                HTTPField(name: "Content-Type", value: "application/json"),
            ],
            body: Array(Self.firstMessage.utf8)
        )
        let step = "protected resource"
        let answer = await http.send(request, step: step, lane: Lanes.protectedResource, content: .document)
        guard let response = answer.recorded.response, answer.failure == nil else {
            let why: Reason = "\(answer.failure ?? "\(step): no response arrived")"
            return ProtectedResource(answer: .absent(why), metadata: .absent(why))
        }
        let stated = AuthenticationChallenge.parameter(
            "resource_metadata",
            in: response.joinedHeader("WWW-Authenticate")
        )
        let metadata = await metadata(at: stated.map { [$0] } ?? Self.wellKnown(url))
        return ProtectedResource(
            answer: .observed(answer.id),
            metadata: metadata.document,
            refused: stated == nil ? nil : metadata.refused
        )
    }

    /// RFC 9728 section 3.1: the well-known part goes between the host and the path; MCP clients then try the root.
    private static func wellKnown(_ url: WebURL) -> [String] {
        let path = url.path == "/" ? "" : url.path
        return [url.origin + suffix + path] + (path.isEmpty ? [] : [url.origin + suffix])
    }

    /// The first response of success, or else the last response; and the last exchange, if the host refused the connection.
    private func metadata(at addresses: [String]) async -> (document: Observation<Document>, refused: Int?) {
        var last: Observation<Document> = .absent("the protected resource names no metadata")
        var refused: Int?
        for address in addresses {
            let request = HTTPRequest(url: address, headers: [HTTPField(name: "Accept", value: "application/json")])
            let step = "protected resource metadata"
            var answer = await http.send(request, step: step, lane: Lanes.protectedResource, content: .document)
            if answer.recorded.failure?.kind == .refused {
                // A host that restarts refuses connections, too.
                await wait(Repetitions.recovery)
                await http.recorder.supersede(answer.id)
                answer = await http.send(request, step: step, lane: Lanes.protectedResource, content: .document)
            }
            refused = answer.recorded.failure?.kind == .refused ? answer.id : nil
            guard let response = answer.recorded.response, answer.failure == nil else {
                last = .absent(answer.failure ?? "\(step): no response arrived")
                continue
            }
            last = .observed(Document(origin: .exchange(answer.id), body: response.body))
            if response.status == 200 { break }
        }
        return (last, refused)
    }
}
