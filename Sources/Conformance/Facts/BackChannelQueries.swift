package import JSONTree

/// A logout token whose header and claims are JSON objects.
package struct LogoutToken: Sendable {
    package let facts: TokenFacts
    package let header: JSONObject
    package let claims: JSONObject
}

/// The queries for the messages that the provider sends by itself.
package enum BackChannelMessages {
    private static let needs: Set<Need> = [.discovery, .keys, .probe(Scenario.logout.id)]

    /// All messages together; an empty list when none arrived.
    package static let all = Query<[BackChannelMessage]>("back-channel logout messages", needs: needs) { facts in
        [Sample(facts.evidence.backChannel)]
    }

    package static let each = Query<BackChannelMessage>(
        "each back-channel logout message",
        needs: needs,
        whenEmpty: "no back-channel logout message arrived"
    ) { facts in
        switch facts.evidence.backChannel {
        case .absent(let why): [Sample(.absent(why))]
        case .notAttempted(let why): [Sample(.notAttempted(why))]
        case .observed(let messages): messages.map { Sample(.observed($0)) }
        }
    }

    package static let tokens = each.narrowed("each logout token") { sample, facts in
        Sample<LogoutToken>(
            sample.observation.flatMap { message in
                guard let token = message.token else { return .absent("the message has no logout_token") }
                guard let decoded = facts.decoded(token).value else {
                    return .absent("the logout token could not be decoded")
                }
                return .observed(LogoutToken(facts: token, header: decoded.header, claims: decoded.claims))
            }
        )
    }
}
