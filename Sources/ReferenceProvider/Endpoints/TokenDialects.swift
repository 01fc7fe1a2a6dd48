import Conformance
import JSONTree

/// The deviations of a token endpoint from the JSON of RFC 6749 sections 5.1 and 5.2; the default has none.
struct TokenDialect: Sendable {
    /// Whether responses are form-encoded unless the request accepts JSON.
    var answersForms = false
    var scopeSeparator = " "
    var tokenType = "Bearer"
    /// Whether responses contain `expires_in`.
    var statesLifetime = true
    /// The status of every error; `nil` for the specification's.
    var errorStatus: Int?
    /// The code of an error.
    var errorName: @Sendable (OAuthError) -> String = { $0.code }
}

extension Provider {
    /// The response in the requested format, if the provider has more than one.
    func translated(_ answer: HTTPAnswer, to request: ProviderRequest) -> HTTPAnswer {
        let accept = hooks.dialect.accept(request.header("Accept")) ?? ""
        guard offer.tokenDialect.answersForms, !accept.lowercased().contains("json"),
            let object = try? JSONDocument.parse(answer.body).root.objectValue
        else { return answer }
        var answer = answer
        answer.setHeader("Content-Type", FormEncoding.mediaType + "; charset=utf-8")
        var fields = object.members.map { Field($0.name, $0.value.stringValue ?? $0.value.serialized()) }
        hooks.dialect.tokenForm(&fields)
        answer.text = FormEncoding.encode(fields)
        return answer
    }

    /// Reports an unregistered redirect URI to the user, or to the client at the registered one.
    func mismatch(_ parameters: [Field], _ client: RegisteredClient) -> HTTPAnswer {
        guard offer.reportsMismatchAtClient, let registered = client.redirectURIs.first else {
            return Page.problem(status: 400, "The redirect URI is not registered for this client.")
        }
        let request = AcceptedRequest(
            client: client,
            redirectURI: registered,
            responseType: "code",
            mode: .query,
            scopes: [],
            state: parameters.first("state")
        )
        return refuse(
            OAuthError("redirect_uri_mismatch", "The redirect URI must match the registered callback URL."),
            request
        )
    }
}
