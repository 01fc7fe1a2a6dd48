package import Conformance
import JSONTree

/// The moment of the sign-in, over several requests of one session.
package enum AuthTimeChecks {
    /// Seconds by which clocks may differ.
    private static let leeway = 300.0
    private static let noNumber = "an ID Token has no numeric auth_time, which is optional here"

    package static let isPresent = Check(
        "idtoken.auth-time.is-present-with-max-age",
        "auth_time is present when max_age was sent",
        .must,
        .conformance,
        Citation(.core, "2", "When a max_age request is made … then this Claim is REQUIRED"),
        why: "A client that asked for the age of the sign-in must refuse a token that does not tell it.",
        reads: Sessions.pairs([(.silentReturn, .young), (.signInAgain, .joint)]),
        concerns: .ofClaim("auth_time"),
        finding: { pair, _ in
            guard pair.second.claims["auth_time"].map(\.isNull) ?? true else { return nil }
            return .claim(
                "auth_time",
                "The request had max_age, and its ID Token has no auth_time.",
                expected: "seconds since 1970",
                found: pair.second.claims["auth_time"],
                fix: "Add auth_time to the ID Token whenever the request has max_age."
            )
        }
    )

    package static let isUnchanged = Check(
        "idtoken.auth-time.is-unchanged-without-sign-in",
        "auth_time stays the same while nobody signs in again",
        // Inferred from the definition; a provider that asks another one may be told of a new authentication.
        .must,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "A client that asks how fresh the sign-in is takes every answer for a fresh one.",
        reads: Sessions.pairs([(.silentReturn, .young), (.silentReturn, .youngAgain)]),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            if pair.signedInAgain { return "the person was made to sign in again" }
            return times(pair) == nil ? noNumber : nil
        },
        finding: { pair, _ in
            // A fraction may be rounded differently from token to token.
            guard let (first, second) = times(pair), abs(first - second) >= 1 else { return nil }
            let isElsewhere = pair.second.asked.step.id.completed == .youngAgain
            return .claim(
                "auth_time",
                isElsewhere
                    ? "auth_time changed in this browser when the user signed in with another one."
                    : "auth_time changed between two ID Tokens without a sign-in.",
                expected: pair.first.time("auth_time").map { Finding.dated($0) } ?? "",
                found: pair.second.claims["auth_time"],
                fix: isElsewhere
                    ? "Keep the time of the sign-in with the session of the browser, and not with the user."
                    : "Keep the time of the sign-in with the session, and write it into every ID Token; it is not iat."
            )
        }
    )

    package static let isLater = Check(
        "idtoken.auth-time.is-later-after-sign-in-again",
        "auth_time is later when the person signed in again",
        // Inferred from the definition.
        .must,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "A client that asked for a fresh sign-in is told of the old one, and asks again for ever.",
        reads: Sessions.pairs([(.signInAgain, .joint)]),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            if !pair.signedInAgain { return "nobody was made to sign in again, which another check reports" }
            guard let (_, second) = times(pair) else { return noNumber }
            return isOld(second, pair) ? "auth_time is not of this run, which another check reports" : nil
        },
        finding: { pair, _ in
            guard let (first, second) = times(pair), second <= first else { return nil }
            return .claim(
                "auth_time",
                "The person signed in again, and auth_time is not later than before.",
                expected: "later than \(pair.first.time("auth_time").map { Finding.dated($0) } ?? "")",
                found: pair.second.claims["auth_time"],
                fix: "Set the session's time of sign-in anew when prompt=login or max_age led to the sign-in page."
            )
        }
    )

    package static let isRecent = Check(
        "idtoken.auth-time.is-recent-after-sign-in-again",
        "auth_time is a moment ago when the person has just signed in",
        // Inferred from the definition.
        .must,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "A client that asked for a fresh sign-in takes it for an old one, and asks again for ever.",
        reads: ProviderTime.pairs(Sessions.pairs([(.signInAgain, .joint)])),
        concerns: .ofClaim("auth_time"),
        exempt: { pair, _ in
            if !pair.signedInAgain { return "nobody was made to sign in again, which another check reports" }
            return pair.second.time("auth_time") == nil ? noNumber : nil
        },
        finding: { pair, _ in
            guard let time = pair.second.time("auth_time"), isOld(time, pair) else { return nil }
            return .claim(
                "auth_time",
                "The person signed in moments ago, and auth_time says otherwise. This machine's clock is the measure; "
                    + "check it as well.",
                expected: "a time near \(Finding.dated(pair.second.facts.receivedAt))",
                found: pair.second.claims["auth_time"],
                fix: "Write the moment of the sign-in into auth_time, in seconds since 1970 UTC."
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
