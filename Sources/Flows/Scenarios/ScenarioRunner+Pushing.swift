import Conformance
import JOSE
import JSONTree
import Transport

/// Requests that are pushed before the browser makes them (RFC 9126), where the provider or the platform takes no others.
extension ScenarioRunner {
    /// What came of pushing a request.
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
            || collection.plan.profile.parameters.states(.requestsArePushed)
    }

    /// Pushes the parameters as the client that makes the request.
    func push(
        _ parameters: AuthorizationParameters,
        _ words: String,
        _ collected: inout CollectedRun
    ) async -> PushedRequest {
        guard let address = endpoint(Self.pushEndpoint).address, let client else {
            return .failed(.notAttempted("no client in the configuration"))
        }
        let isOfClient = own == nil && client.isConfidential
        if isOfClient, let why = await collection.clientAttempts.whyNot(client.id) { return .failed(.absent(why)) }
        var call = EndpointCall(Self.pushEndpoint)
        call.authentication = .asRegistered
        call.parameters = pushedParameters(parameters, call.authentication, client)
        let request: ClientRequest
        do throws(JOSEError) {
            request = try await clientRequest(call, client, &collected)
        } catch {
            if isOfClient { await collection.clientAttempts.ended(nil, by: client.id, at: call.endpoint) }
            return .failed(.notAttempted("the client assertion could not be signed: \(error)"))
        }
        let answer = await http.send(
            request.request(to: address, method: "POST"),
            step: words + ": pushed request",
            lane: lane,
            content: .api
        )
        if isOfClient { await collection.clientAttempts.ended(answer.raw.response, by: client.id, at: call.endpoint) }
        guard let response = answer.raw.response, answer.failure == nil else {
            return .failed(.absent(answer.failure ?? "no answer arrived"))
        }
        if let uri = TokenResponseSecrets(response).requestURI {
            return .accepted([Field("client_id", client.id), Field("request_uri", uri.reveal())])
        }
        let error = answer.recorded.response?.body.json
        let said = ["error", "error_description"].compactMap { error?[$0]?.stringValue }.joined(separator: ": ")
        var page = Conformance.PageSummary(address: address, status: response.status, title: nil, forms: [], text: said)
        page.pushError = error?["error"]?.stringValue ?? ""
        return .refused(AuthorizationAnswer(ending: .page(page), exchange: answer.id))
    }

    private static let pushEndpoint = "pushed_authorization_request_endpoint"

    /// The parameters of an authorization request in the body of a call.
    func pushedParameters(
        _ parameters: AuthorizationParameters,
        _ authentication: EndpointCall.Authentication,
        _ client: Client
    ) -> [EndpointCall.Parameter] {
        // Every other way of authenticating names the client in the body already.
        let isNamed: Bool =
            switch authentication {
            case .none, .basicUnencoded, .unknownClient: false
            case .asRegistered, .wrongSecret(nil): client.authentication != .clientSecretBasic || !client.hasSecret
            case .method(let method), .wrongSecret(let method?): method != .clientSecretBasic
            case .identifierOnly, .basicAndPost, .otherClient, .assertion: true
            }
        return parameters.fields.filter { !isNamed || $0.name != "client_id" || $0.value != client.id }
            .map { EndpointCall.Parameter($0.name, .text($0.value)) }
    }
}
