import Conformance
import JSONTree

/// The times of ID Tokens if the provider's clock and this machine's are far apart.
enum ProviderTime {
    /// Allowed clock difference in seconds.
    static let leeway = 60.0

    /// ID Tokens whose times can be compared with this machine's clock.
    ///
    /// If `Date` and `iat` agree with each other but not with this machine, either clock may be wrong. The check of the
    /// provider's clock reports the difference once.
    static let tokens = StepResults.idTokens.narrowed(StepResults.idTokens.name) { sample, facts in
        Sample<IDToken>(
            sample.observation.flatMap { token in whyNot(token, facts).map { .absent($0) } ?? .observed(token) },
            label: sample.label,
            exchange: sample.exchange
        )
    }

    /// Pairs of ID Tokens whose second token is one of ``tokens``.
    static func pairs(_ query: Query<IDTokenPair>) -> Query<IDTokenPair> {
        query.narrowed(query.name) { sample, facts in
            Sample<IDTokenPair>(
                sample.observation.flatMap { pair in whyNot(pair.second, facts).map { .absent($0) } ?? .observed(pair)
                },
                label: sample.label,
                exchange: sample.exchange
            )
        }
    }

    /// `90 seconds`, `10 minutes`, `2 days`.
    static func apart(_ seconds: Double) -> String {
        for (unit, length) in [("day", 86_400.0), ("hour", 3_600), ("minute", 60)] where seconds >= 2 * length {
            return counted(Int(min(seconds / length, 1e9).rounded()), unit)
        }
        return counted(Int(seconds.rounded()), "second")
    }

    private static func whyNot(_ token: IDToken, _ facts: Facts) -> String? {
        whyNot(token.place, token.claims, token.facts.receivedAt, facts)
    }

    /// The reason why the times of a token cannot be evaluated; `nil` if they can.
    static func whyNot(_ place: IDTokenPlace, _ claims: JSONObject, _ receivedAt: Double, _ facts: Facts) -> String? {
        guard place != .offlineInput, let exchange = facts.evidence.exchange(facts.evidence.discoveryHops.last),
            let skew = ClockSkew.of(exchange), abs(skew) > leeway, let issuedAt = claims["iat"]?.numberValue,
            abs(issuedAt - receivedAt - skew) <= leeway
        else { return nil }
        return "the provider's clock and this machine's are \(apart(abs(skew))) apart, and the "
            + "token agrees with the provider's; set the wrong clock"
    }
}
