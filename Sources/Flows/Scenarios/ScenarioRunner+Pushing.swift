import Conformance
import JSONTree

/// Requests that are pushed before the browser makes them (RFC 9126), if the provider or the platform accepts no others.
extension ScenarioRunner {
    /// The outcome of pushing a request.
    enum PushedRequest {
        /// The parameters that the browser takes to the authorization endpoint.
        case accepted([Field])
        case refused(AuthorizationAnswer)
        case failed(Reason)
    }

    /// Whether the request is pushed before it is made.
    func isToBePushed(_ request: AuthorizationRequest) -> Bool {
        guard request.mayBePushed, endpoint(Self.pushEndpoint).address != nil else { return false }
        return provider.metadata?["require_pushed_authorization_requests"] == true
            || collection.plan.profile.parameters.states(.requestsArePushed) || client?.requiresPushedRequests == true
    }

    /// Pushes the parameters as the client that makes the request.
    func push(
        _ fields: [Field],
        _ step: StepID,
        _ words: String,
        _ collected: inout CollectedRun
    ) async -> PushedRequest {
        guard let client else { return .failed(.notAttempted("no client in the configuration")) }
        var call = EndpointCall(Self.pushEndpoint)
        call.authentication = .asRegistered
        call.parameters = pushedParameters(fields, call.authentication, client)
        switch await self.call(call, step, words + ": pushed request", &collected) {
        case .absent(let why): return .failed(.absent(why))
        case .notAttempted(let why): return .failed(.notAttempted(why))
        case .observed(let answer):
            let body = answer.body.json
            if body?["request_uri"] != nil, let uri = collected.captured[.requestURI] {
                return .accepted([Field("client_id", client.id), Field("request_uri", uri.reveal())])
            }
            let error = body?["error"]?.stringValue
            let text = [error, answer.words].compactMap(\.self).joined(separator: ": ")
            var page = Conformance.PageSummary(
                address: endpoint(Self.pushEndpoint).address ?? "",
                status: await http.recorder.status(of: answer.exchange) ?? 0,
                title: nil,
                forms: [],
                text: text
            )
            page.pushError = error ?? ""
            return .refused(AuthorizationAnswer(ending: .page(page), exchange: answer.exchange))
        }
    }

    static let pushEndpoint = "pushed_authorization_request_endpoint"

    /// The parameters of an authorization request in the body of a call.
    func pushedParameters(
        _ fields: [Field],
        _ authentication: EndpointCall.Authentication,
        _ client: Client
    ) -> [EndpointCall.Parameter] {
        // Every other way of authenticating names the client in the body already.
        let isNamed: Bool =
            switch authentication {
            case .none, .basicUnencoded, .basicPercentEncoded, .unknownClient, .malformedBasic: false
            case .asRegistered, .wrongSecret(nil): client.authentication != .clientSecretBasic || !client.hasSecret
            case .method(let method), .wrongSecret(let method?): method != .clientSecretBasic
            case .identifierOnly, .basicAndPost, .otherClient, .assertion: true
            }
        return fields.filter { !isNamed || $0.name != "client_id" || $0.value != client.id }
            .map { EndpointCall.Parameter($0.name, .text($0.value)) }
    }
}
