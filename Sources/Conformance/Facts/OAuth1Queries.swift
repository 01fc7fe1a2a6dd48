package import JSONTree

/// A signed request that was answered.
package struct OAuth1Response: Sendable {
    package let answer: OAuth1Answer
    package let response: Exchange.Response

    package subscript(name: String) -> String? { answer[name] }
    package var isSuccess: Bool { response.grants(json) }
    /// Whether it contains credentials.
    package var isIssued: Bool { isSuccess && answer["oauth_token"] != nil }
    /// The body as a JSON object; `nil` when it is none.
    package var object: JSONObject? { json?.objectValue }
    private var json: JSON? { response.body.bytes.flatMap { try? JSONDocument.parse($0) }?.root }
    /// Status and the beginning of the body, as a report shows them.
    package var phrase: String {
        var text = "HTTP status \(response.status)"
        if !isSuccess, case .text(let body) = response.body, !body.isEmpty { text += ": \(body.quoted)" }
        return text
    }
}

/// The queries for a sign-in by OAuth 1.0.
package enum OAuth1Queries {
    private static let whyNot = "no sign-in by OAuth 1.0 was part of this run"

    // MARK: Temporary credentials

    /// The response to the request for temporary credentials.
    package static let temporary = Query<OAuth1Response>(
        "response to the request for temporary credentials",
        needs: [.oauth1(.temporaryCredentials)]
    ) { facts in [sample(\.temporary, facts)] }

    package static let replayed = probe("the same request for temporary credentials again", \.replayed)
    package static let badlySigned = probe("request for temporary credentials, badly signed", \.badlySigned)
    package static let foreignCallback = probe("request with a callback that is not registered", \.foreignCallback)

    // MARK: Sign-ins

    /// How the provider's pages ended, in each session that sends nothing unusual.
    package static let authorizations = Query<(OAuth1Session, AuthorizationAnswer)>(
        "path through the provider's pages",
        needs: [.oauth1(.signIns)]
    ) { facts in
        sessions(facts) { session in session.authorization.map { (session, $0) } }
    }

    /// The redirects to the callback.
    package static let arrivals = Query<(OAuth1Session, RedirectAnswer)>(
        "redirect to the callback",
        needs: [.oauth1(.signIns)]
    ) { facts in
        sessions(facts) { session in
            session.authorization.flatMap { answer in
                answer.redirect.map { .observed((session, $0)) }
                    ?? .absent("the sign-in ended at a page of the provider")
            }
        }
    }

    /// The way through the pages with the parameters that the application adds.
    package static let custom = Query<(OAuth1Session, AuthorizationAnswer)>(
        "path through the provider's pages with custom parameters",
        needs: [.oauth1(.signIns)]
    ) { facts in
        [sample(facts) { run in run.custom.authorization.map { (run.custom, $0) } }]
    }

    /// The token credentials of each session.
    package static let tokens = Query<OAuth1Response>("token credentials", needs: [.oauth1(.signIns)]) { facts in
        sessions(facts) { session in session.token.flatMap { response($0, facts) } }
    }

    /// Every answer that contains credentials.
    package static let credentials = Query<OAuth1Response>(
        "responses with credentials",
        needs: [.oauth1(.temporaryCredentials)]
    ) { facts in
        let issued = { (observation: Observation<OAuth1Response>) in
            observation.flatMap { $0.isIssued ? Observation.observed($0) : .absent("no credentials were issued") }
        }
        let temporary = sample(\.temporary, facts)
        let tokens = facts.evidence.oauth1?.first.token.flatMap { response($0, facts) } ?? .notAttempted(whyNot)
        return [
            Sample(issued(temporary.observation), label: "temporary credentials", exchange: temporary.exchange),
            Sample(issued(tokens), label: "token credentials", exchange: tokens.value?.answer.exchange),
        ]
    }

    package static let wrongVerifier = afterSignIn(
        "token request with a wrong verification code",
        \.custom.wrongVerifier
    )
    package static let reused = afterSignIn("token request with used temporary credentials", \.first.reused)
    package static let userWithoutSecret = afterSignIn("API call without the token's secret", \.first.userWithoutSecret)

    /// The user, according to the provider's API.
    package static let user = Query<OAuth1Response>("response of the user API", needs: [.oauth1(.signIns)]) { facts in
        [sample(\.first.user, facts)]
    }

    /// The token credentials and their user.
    package static let tokenAndUser = Query<(token: OAuth1Response, user: JSONObject)>(
        "token credentials and the user",
        needs: [.oauth1(.signIns)]
    ) { facts in
        [
            sample(facts) { run in
                run.first.token.flatMap { response($0, facts) }
                    .flatMap { token in
                        run.first.user.flatMap { response($0, facts) }
                            .flatMap { user in
                                guard user.isSuccess, let object = user.object else {
                                    return .absent("the user API did not identify the user")
                                }
                                return .observed((token, object))
                            }
                    }
            }
        ]
    }

    /// Two token credentials of one user.
    package static let twoTokens = Query<(OAuth1Response, OAuth1Response)>(
        "token credentials of two sessions",
        needs: [.oauth1(.signIns)]
    ) { facts in
        [
            sample(facts) { run in
                run.first.token.flatMap { response($0, facts) }
                    .flatMap { first in run.second.token.flatMap { response($0, facts) }.map { (first, $0) } }
            }
        ]
    }

    // MARK: Helpers

    private typealias Path = KeyPath<OAuth1Run, Observation<OAuth1Answer>> & Sendable

    /// A request that must be rejected; it shows something only if the valid baseline request is accepted.
    private static func probe(_ name: String, _ path: any Path) -> Query<OAuth1Response> {
        Query(name, needs: [.oauth1(.temporaryCredentials)]) { facts in
            [refusable(path, after: \.temporary, facts)]
        }
    }

    private static func afterSignIn(_ name: String, _ path: any Path) -> Query<OAuth1Response> {
        Query(name, needs: [.oauth1(.signIns)]) { facts in [refusable(path, after: \.first.token, facts)] }
    }

    private static func refusable(_ path: any Path, after right: any Path, _ facts: Facts) -> Sample<OAuth1Response> {
        let probed = sample(path, facts)
        let observation = sample(right, facts).observation
            .flatMap { honest -> Observation<OAuth1Response> in
                guard honest.isIssued else { return .absent("the baseline request was rejected, too") }
                return probed.observation.flatMap { answer in
                    answer.response.isServerError ? .absent("the server failed: \(answer.phrase)") : .observed(answer)
                }
            }
        return Sample(observation, exchange: probed.exchange)
    }

    private static func sample(_ path: any Path, _ facts: Facts) -> Sample<OAuth1Response> {
        guard let run = facts.evidence.oauth1 else { return Sample(.notAttempted(whyNot)) }
        let answer = run[keyPath: path]
        return Sample(answer.flatMap { response($0, facts) }, exchange: answer.value?.exchange)
    }

    private static func sample<Value>(
        _ facts: Facts,
        _ read: (OAuth1Run) -> Observation<Value>
    ) -> Sample<Value> {
        guard let run = facts.evidence.oauth1 else { return Sample(.notAttempted(whyNot)) }
        return Sample(read(run))
    }

    private static func sessions<Value>(
        _ facts: Facts,
        _ read: (OAuth1Session) -> Observation<Value>
    ) -> [Sample<Value>] {
        guard let run = facts.evidence.oauth1 else { return [Sample(.notAttempted(whyNot))] }
        return run.sessions.map { name, session in
            Sample(
                read(session),
                label: name,
                exchange: session.token.value?.exchange ?? session.authorization.value?.exchange
            )
        }
    }

    private static func response(_ answer: OAuth1Answer, _ facts: Facts) -> Observation<OAuth1Response> {
        guard let exchange = facts.evidence.exchange(answer.exchange), let response = exchange.response else {
            return .absent("no response arrived")
        }
        return .observed(OAuth1Response(answer: answer, response: response))
    }
}
