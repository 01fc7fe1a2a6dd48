import Conformance
import JSONTree
import Transport

/// Faults of successful authorization responses: what they hold, and where.
extension Fault {
    static let authorizationResponses: [Fault] = outcomes + states + issuerParameters + placements + artefacts

    private static let outcomes: [Fault] = [
        .provider("authorization.flow.succeeds", "the ordinary request is called invalid after sign-in") { seams in
            seams.onSuccess { response in
                response.parameters.removeAll { !["state", "iss"].contains($0.name) }
                response["error"] = "invalid_request"
            }
        },
        .provider(
            "authorization.response.goes-to-the-client-alone",
            "the response goes to a host that only begins like the client's",
            also: ["authorization.form-post.action-is-redirect-uri"]
        ) { seams in
            seams.onSuccess { response in
                guard let url = WebURL(response.redirectURI) else { return }
                response.redirectURI = "\(url.scheme)://\(url.host).evil.example\(url.path)"
            }
        },
        .provider("authorization.response.holds-what-was-asked", "the ID Token is left out") { seams in
            seams.onSuccess { $0["id_token"] = nil }
        },
        .provider(
            "authorization.response.holds-nothing-more",
            "id_token alone also brings an access token"
        ) { seams in
            seams.onSuccess { response in
                guard response["id_token"] != nil, response["access_token"] == nil, response["code"] == nil else {
                    return
                }
                response["access_token"] = "SlAV32hkKGnobodyAskedForThis"
                response["token_type"] = "Bearer"
            }
        },
        .provider("authorization.parameters.are-not-repeated", "state comes twice") { seams in
            seams.onSuccess { response in
                response.parameters += response.parameters.filter { $0.name == "state" }
            }
        },
    ]

    private static let states: [Fault] = [
        .provider("authorization.state.is-echoed", "state is lost") { seams in
            seams.onSuccess { $0["state"] = nil }
        },
        .provider("authorization.state.is-echoed", variant: "changed", "state comes back in capitals") { seams in
            seams.onSuccess { $0["state"] = ($0["state"] ?? "").uppercased() + "=" }
        },
        .provider("authorization.state.is-echoed-with-errors", "errors come without state") { seams in
            seams.onError { $0["state"] = nil }
        },
    ]

    private static let issuerParameters: [Fault] = [
        .provider("authorization.iss.matches-issuer", "iss has a slash too many") { seams in
            seams.onSuccess { $0["iss"] = ($0["iss"] ?? "") + "/" }
        },
        .provider("authorization.iss.matches-issuer-with-errors", "iss of errors has a slash too many") { seams in
            seams.onError { $0["iss"] = ($0["iss"] ?? "") + "/" }
        },
        .provider("authorization.iss.is-sent", "iss is promised and missing beside a code") { seams in
            seams.onSuccess { if $0["id_token"] == nil { $0["iss"] = nil } }
        },
        .provider("authorization.iss.is-sent-beside-id-token", "iss is promised and missing beside an ID Token") {
            seams in
            seams.onSuccess { if $0["id_token"] != nil { $0["iss"] = nil } }
        },
        .provider("authorization.iss.is-sent-with-errors", "iss is promised and missing in errors") { seams in
            seams.onError { $0["iss"] = nil }
        },
        .provider("authorization.iss.is-advertised", "iss is sent and not announced") { seams in
            seams.discovery = { document, _ in document["authorization_response_iss_parameter_supported"] = nil }
        },
    ]

    private static let placements: [Fault] = [
        .provider("authorization.tokens.are-not-in-query", "tokens are returned in the query") { seams in
            seams.onSuccess { if $0["id_token"] != nil, $0.mode == .fragment { $0.mode = .query } }
        },
        .provider("authorization.code.is-in-query", "the code is returned in the fragment") { seams in
            seams.onSuccess { if $0["id_token"] == nil, $0.mode == .query { $0.mode = .fragment } }
        },
        .provider("authorization.code.is-in-fragment", "the hybrid flow's code is returned in the query") { seams in
            seams.onAnswer(.authorization, 300...399) { $0.moveToQuery("code", ifBeside: "id_token") }
        },
        .provider("authorization.response.is-in-fragment", "state is returned in the query beside tokens") { seams in
            seams.onAnswer(.authorization, 300...399) { $0.moveToQuery("state", ifBeside: "id_token") }
        },
    ]

    private static let artefacts: [Fault] = [
        .provider(
            "authorization.code.is-long-enough",
            "the code is cut off",
            also: ["token.status.is-200"]
        ) { seams in
            seams.onSuccess { if $0["id_token"] == nil { $0["code"] = $0["code"].map { String($0.prefix(8)) } } }
        },
        .provider("authorization.code.has-no-spaces", "a + in the code is not percent-encoded") { seams in
            seams.parameters.makeCode = { "plus+" + Store.random() }
            seams.answer = { _, answer in
                let location = answer.headers.first { $0.isNamed("Location") }?.value
                answer.setHeader("Location", location?.replacing("code=plus%2B", with: "code=plus+"))
            }
        },
        .provider("authorization.code.is-varied", "codes are counted up") { seams in
            let counter = Counter(width: 40)
            seams.parameters.makeCode = { counter.next() }
        },
        Fault(
            "authorization.redirect-uri.query-is-kept",
            "the query of a redirect URI is lost",
            persona: .minimal,
            configure: { $0.redirectURI = RegisteredClient.redirectURI + "?tenant=1" },
            change: { seams in
                seams.acceptsRedirectURI = { asked, _ in asked == RegisteredClient.redirectURI + "?tenant=1" }
                seams.onSuccess { $0.redirectURI = RegisteredClient.redirectURI }
            }
        ),
        Fault(
            "authorization.access-token.opens-userinfo",
            "the access token beside a code opens nothing",
            persona: .manyKeys,
            change: { seams in
                seams.onSuccess { response in
                    guard response["code"] != nil, response["access_token"] != nil else { return }
                    response["access_token"] = "SlAV32hkKGthatOpensNothingAtAll"
                }
            }
        ),
        .provider("authorization.token-type.is-bearer", "token_type is missing beside an access token") { seams in
            seams.onSuccess { $0["token_type"] = nil }
        },
        .provider("authorization.expires-in.is-a-number", "expires_in is a word") { seams in
            seams.onSuccess { if $0["access_token"] != nil { $0["expires_in"] = "soon" } }
        },
        .provider("authorization.expires-in.accompanies-access-token", "expires_in comes beside an ID Token alone") {
            seams in
            seams.onSuccess { if $0["access_token"] == nil { $0["expires_in"] = "3600" } }
        },
    ]
}
