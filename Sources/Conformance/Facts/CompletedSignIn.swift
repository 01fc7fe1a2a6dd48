/// A user's return to the client: the authorization response, and the token response if the flow has a code.
package struct CompletedSignIn: Sendable {
    package let run: ScenarioRun
    package let answer: AuthorizationAnswer
    /// `nil` for a flow without a code.
    package let token: EndpointAnswer?
}

extension Evidence {
    /// Whether the test user came back to the client in an ordinary flow, with tokens where there was a code.
    package func arrival(by type: ResponseType) -> Observation<CompletedSignIn> {
        guard let run = run(.flow(type)) else {
            let dropped = leftOut?.first { $0.scenario == .flow(type) && $0.isByHand != true }
            let limit = dropped.map { ": raise --max-sign-ins, which is \($0.limit)" } ?? ""
            return .notAttempted("the run did not sign in with response_type \(type)\(limit)")
        }
        return run.authorization.flatMap { answer in
            guard let redirect = answer.redirect, redirect.isRedirectURI else {
                return .absent("the sign-in did not end at the redirect URI")
            }
            if let error = redirect.error { return .absent("the sign-in ended with error=\(error.quoted)") }
            guard type.hasCode else { return .observed(CompletedSignIn(run: run, answer: answer, token: nil)) }
            return run.token.flatMap { token in
                guard isGrant(token) else {
                    return .absent("the token endpoint issued no tokens for the code")
                }
                return .observed(CompletedSignIn(run: run, answer: answer, token: token))
            }
        }
    }

    /// Whether a sign-in by OAuth 1.0 returned token credentials (RFC 5849 section 2.3).
    package func arrival(by session: OAuth1Session) -> Observation<OAuth1Answer> {
        session.token.flatMap { answer in
            let status = exchange(answer.exchange)?.response?.status ?? 0
            guard (200...299).contains(status), answer["oauth_token"] != nil, answer["oauth_token_secret"] != nil
            else { return .absent("the request for token credentials returned none") }
            return .observed(answer)
        }
    }
}
