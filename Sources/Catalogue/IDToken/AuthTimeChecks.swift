package import Conformance
import JSONTree

/// The time of the sign-in, over several requests of one session.
package enum AuthTimeChecks {
    /// Allowed clock difference in seconds.
    private static let leeway = 300.0
    private static let noNumber = "an ID Token has no numeric auth_time, which is optional here"

    static let isPresent = Check(
        "idtoken.auth-time.is-present-with-max-age",
        "The ID Token has auth_time if the request had max_age",
        .must,
        .conformance,
        Citation(.core, "2", "When a max_age request is made … then this Claim is REQUIRED"),
        why: "A client that sent max_age must reject a token without auth_time.",
        reads: Sessions.pairs([(.silentReturn, .young), (.signInAgain, .joint)]),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            // The request for less that was granted may be the one without max_age.
            pair.second.asked.sentParameter("max_age") == nil ? "no request with max_age was granted" : nil
        },
        finding: { pair, _ in
            guard pair.second.claims["auth_time"].map(\.isNull) ?? true else { return nil }
            return .claim(
                "auth_time",
                "The request had max_age, but its ID Token has no auth_time.",
                expected: "seconds since 1970",
                found: pair.second.claims["auth_time"],
                fix: "Add auth_time to the ID Token whenever the request has max_age."
            )
        }
    )

    static let isUnchanged = Check(
        "idtoken.auth-time.is-unchanged-without-sign-in",
        "auth_time does not change until the user signs in again",
        // Inferred from the definition; a provider that delegates to another one may learn of a new authentication.
        .must,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "A client that requires a recent sign-in treats an old one as recent.",
        reads: Sessions.pairs([(.silentReturn, .young), (.silentReturn, .youngAgain)]),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            if pair.signedInAgain { return "the user had to sign in again" }
            return times(pair) == nil ? noNumber : nil
        },
        finding: { pair, _ in
            // A fraction may be rounded differently from token to token.
            guard let (first, second) = times(pair), abs(first - second) >= 1 else { return nil }
            let isElsewhere = pair.second.asked.step.id.completed == .youngAgain
            return .claim(
                "auth_time",
                isElsewhere
                    ? "auth_time changes in this browser when the user signs in with another one."
                    : "auth_time changes between two ID Tokens without a sign-in.",
                expected: pair.first.time("auth_time").map { Finding.dated($0) } ?? "",
                found: pair.second.claims["auth_time"],
                fix: isElsewhere
                    ? "Store the time of the sign-in with the session of the browser, not with the user."
                    : "Store the time of the sign-in with the session, and set auth_time to it, not to iat, in every ID Token."
            )
        }
    )

    static let isLater = Check(
        "idtoken.auth-time.is-later-after-sign-in-again",
        "auth_time is later after the user signs in again",
        // Inferred from the definition.
        .must,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "A client that requires a new sign-in sees the old one and asks again in an endless loop.",
        reads: Sessions.pairs([(.signInAgain, .joint)]),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            if !pair.signedInAgain { return "the user did not have to sign in again (reported by another check)" }
            guard let (_, second) = times(pair) else { return noNumber }
            return isOld(second, pair) ? "auth_time is not a time of this run (reported by another check)" : nil
        },
        finding: { pair, _ in
            guard let (first, second) = times(pair), second <= first else { return nil }
            return .claim(
                "auth_time",
                "The user signed in again, but auth_time is not later than before.",
                expected: "later than \(pair.first.time("auth_time").map { Finding.dated($0) } ?? "")",
                found: pair.second.claims["auth_time"],
                fix: "Update the session's auth_time when the user signs in again because of prompt=login or max_age."
            )
        }
    )

    static let isRecent = Check(
        "idtoken.auth-time.is-recent-after-sign-in-again",
        "auth_time is the current time after the user signs in again",
        // Inferred from the definition.
        .must,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "A client that requires a new sign-in treats it as an old one and asks again in an endless loop.",
        reads: ProviderTime.pairs(Sessions.pairs([(.signInAgain, .joint)])),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            if !pair.signedInAgain { return "the user did not have to sign in again (reported by another check)" }
            return pair.second.time("auth_time") == nil ? noNumber : nil
        },
        finding: { pair, _ in
            guard let time = pair.second.time("auth_time"), isOld(time, pair) else { return nil }
            return .claim(
                "auth_time",
                "The user signed in a moment ago, but auth_time is more than 300 seconds away. Times are compared with "
                    + "this machine's clock; check it as well.",
                expected: "a time near \(Finding.dated(pair.second.facts.receivedAt))",
                found: pair.second.claims["auth_time"],
                fix: "Set auth_time to the time of the sign-in, in seconds since 1970 UTC."
            )
        }
    )

    package static let all: [Check] = [isPresent, isUnchanged, isLater, isRecent]

    private static func times(_ pair: IDTokenPair) -> (Double, Double)? {
        guard let first = pair.first.time("auth_time"), let second = pair.second.time("auth_time") else { return nil }
        return (first, second)
    }

    private static func isOld(_ time: Double, _ pair: IDTokenPair) -> Bool {
        abs(pair.second.facts.receivedAt - time) > leeway
    }
}
