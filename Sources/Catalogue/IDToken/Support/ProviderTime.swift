import Conformance
import JSONTree

/// The times of ID Tokens where the provider's clock and this machine's are far apart.
enum ProviderTime {
    /// Seconds by which clocks may differ without a word.
    static let leeway = 60.0

    /// ID Tokens whose times can be held against this machine's clock.
    ///
    /// Where the provider dates answers and tokens alike, it contradicts nothing but this machine, and which of the two
    /// clocks is wrong cannot be seen from here: that they differ is told once, by the check of the provider's clock.
    static let tokens = Conversations.idTokens.narrowed(Conversations.idTokens.name) { sample, facts in
        Sample<IDToken>(
            sample.observation.flatMap { token in whyNot(token, facts).map { .absent($0) } ?? .observed(token) },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// Pairs of ID Tokens of which the second is one of ``tokens``.
    static func pairs(_ slot: Slot<IDTokenPair>) -> Slot<IDTokenPair> {
        slot.narrowed(slot.name) { sample, facts in
            Sample<IDTokenPair>(
                sample.observation.flatMap { pair in
                    whyNot(pair.second, facts).map { .absent($0) } ?? .observed(pair)
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    private static func whyNot(_ token: IDToken, _ facts: Facts) -> String? {
        whyNot(token.place, token.claims, token.facts.receivedAt, facts)
    }

    /// Why the times of a token say nothing; `nil` when they do.
    static func whyNot(_ place: IDTokenPlace, _ claims: JSONObject, _ receivedAt: Double, _ facts: Facts) -> String? {
        guard place != .handedIn, let exchange = facts.evidence.exchange(facts.evidence.discoveryHops.last),
            let skew = ClockSkew.of(exchange), abs(skew) > leeway, let issuedAt = claims["iat"]?.numberValue,
            abs(issuedAt - receivedAt - skew) <= leeway
        else { return nil }
        return
            "the provider's clock and this machine's are \(Int(min(abs(skew), 1e9).rounded())) seconds apart, and the "
            + "token fits the provider's: set the one that is wrong"
    }
}
