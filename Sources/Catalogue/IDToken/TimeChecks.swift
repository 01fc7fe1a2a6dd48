package import Conformance
import JSONTree

/// The times in an ID Token, against the moment when it arrived.
package enum TimeChecks {
    /// Seconds by which clocks may differ; implementers commonly allow no more than a few minutes (RFC 7519 section 4.1.4).
    private static let leeway = 60.0
    private static let day = 86_400.0
    private static let clockHint = " This machine's clock is the measure; check it as well."

    package static let expIsPresent = present(
        "exp",
        .must,
        "exp REQUIRED. Expiration time",
        "A token that never ends can be replayed for ever."
    )
    package static let iatIsPresent = present(
        "iat",
        .must,
        "iat REQUIRED. Time at which the JWT was issued.",
        "Clients refuse tokens whose age they cannot tell."
    )

    package static let expIsANumber = number(
        "exp",
        .core,
        "2",
        "number representing the number of seconds from 1970-01-01T00:00:00Z"
    )
    package static let iatIsANumber = number(
        "iat",
        .core,
        "2",
        "number representing the number of seconds from 1970-01-01T00:00:00Z"
    )
    package static let nbfIsANumber = number(
        "nbf",
        .rfc7519,
        "4.1.5",
        "Its value MUST be a number containing a NumericDate value."
    )
    package static let authTimeIsANumber = number(
        "auth_time",
        .core,
        "2",
        "number representing the number of seconds from 1970-01-01T00:00:00Z"
    )

    package static let iatIsInSeconds = Check(
        "idtoken.iat.is-in-seconds",
        "iat is in seconds",
        .must,
        .signIn,
        Citation(.rfc7519, "4.1.6", "Its value MUST be a number containing a NumericDate value."),
        why: "A client takes milliseconds for a time in a far future and refuses the token.",
        reads: Conversations.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is no number, which another check reports" : nil },
        finding: { token, _ in isMilliseconds(token.time("iat")) ? late("iat", token, "") : nil }
    )

    package static let expIsInFuture = Check(
        "idtoken.exp.is-in-the-future",
        "The ID Token has not expired when it arrives",
        .must,
        .signIn,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim."),
        why: "Every client refuses an expired token.",
        reads: ProviderTime.tokens,
        exempt: { token, _ in token.time("exp") == nil ? "exp is no number, which another check reports" : nil },
        finding: { token, _ in
            guard let exp = token.time("exp"), exp <= token.facts.receivedAt else { return nil }
            return late(
                "exp",
                token,
                "The ID Token expired \(seconds(token.facts.receivedAt - exp)) before it arrived."
            )
        }
    )

    package static let iatIsNotFarInFuture = Check(
        "idtoken.iat.is-not-far-in-the-future",
        "The ID Token was issued no more than five minutes in the future",
        // Inferred: half of the measured clients refuse it, in five languages.
        .must,
        .signIn,
        Citation(.core, "2", "iat REQUIRED. Time at which the JWT was issued."),
        why: "Half of the client libraries refuse a token from the future, whatever difference of clocks they allow.",
        reads: ProviderTime.tokens,
        excusedBy: ["idtoken.iat.is-in-seconds"],
        exempt: { token, _ in token.time("iat") == nil ? "iat is no number, which another check reports" : nil },
        finding: { token, _ in ahead(of: 300, token) }
    )

    package static let iatIsNotInFuture = Check(
        "idtoken.iat.is-not-in-the-future",
        "The ID Token was not issued in the future",
        .risk,
        .signIn,
        Citation(.core, "2", "iat REQUIRED. Time at which the JWT was issued."),
        why: "Clients with a right clock refuse it, often for the first minutes only, which looks like chance.",
        reads: ProviderTime.tokens,
        excusedBy: ["idtoken.iat.is-in-seconds", iatIsNotFarInFuture.id],
        exempt: { token, _ in token.time("iat") == nil ? "iat is no number, which another check reports" : nil },
        finding: { token, _ in ahead(of: leeway, token) }
    )

    /// That the token was issued so many seconds after it arrived; `nil` where it was not.
    private static func ahead(of seconds: Double, _ token: IDToken) -> Finding? {
        guard let iat = token.time("iat"), iat > token.facts.receivedAt + seconds else { return nil }
        return late(
            "iat",
            token,
            "The ID Token says it was issued \(Self.seconds(iat - token.facts.receivedAt)) from now."
        )
    }

    package static let iatIsRecent = Check(
        "idtoken.iat.is-recent",
        "The ID Token was issued in the last ten minutes",
        .risk,
        .signIn,
        Citation(
            .core,
            "3.1.3.7",
            "The iat Claim can be used to reject tokens that were issued too far away from the current time"
        ),
        why: "Clients refuse tokens that seem old; a clock that runs behind makes every token seem old.",
        reads: ProviderTime.tokens,
        exempt: { token, _ in
            if token.place == .handedIn { return "the token was handed in and may be of any age" }
            return token.time("iat") == nil ? "iat is no number, which another check reports" : nil
        },
        finding: { token, _ in
            guard let iat = token.time("iat"), iat < token.facts.receivedAt - 600 else { return nil }
            return late("iat", token, "The ID Token says it was issued \(seconds(token.facts.receivedAt - iat)) ago.")
        }
    )

    package static let nbfIsNotInFuture = Check(
        "idtoken.nbf.is-not-in-the-future",
        "The ID Token is valid when it arrives",
        .must,
        .signIn,
        Citation(.rfc7519, "4.1.5", "the time before which the JWT MUST NOT be accepted for processing"),
        why: "Clients that look at nbf refuse the token until then.",
        reads: ProviderTime.tokens,
        exempt: { token, _ in token.time("nbf") == nil ? "the token has no numeric nbf, which is optional" : nil },
        finding: { token, _ in
            guard let nbf = token.time("nbf"), nbf > token.facts.receivedAt + leeway else { return nil }
            return late("nbf", token, "The ID Token is valid only \(seconds(nbf - token.facts.receivedAt)) from now.")
        }
    )

    package static let authTimeIsPlausible = Check(
        "idtoken.auth-time.is-plausible",
        "auth_time is a moment between a year ago and now",
        .risk,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "Clients that ask for a fresh sign-in compare it and send the user back again and again.",
        reads: ProviderTime.tokens,
        concerns: .ofClaim("auth_time"),
        excusedBy: ["idtoken.auth-time.is-recent-after-sign-in-again"],
        exempt: { token, _ in
            token.time("auth_time") == nil ? "the token has no numeric auth_time, which is optional here" : nil
        },
        finding: { token, _ in
            guard let time = token.time("auth_time"),
                time > token.facts.receivedAt + leeway || time < token.facts.receivedAt - 366 * day
            else { return nil }
            return late("auth_time", token, "auth_time lies outside the year before the token arrived.")
        }
    )

    package static let areIntegers = Check(
        "idtoken.times.are-whole-seconds",
        "Times are whole numbers",
        .may,
        .conformance,
        Citation(.rfc7519, "2", "non-integer values can be represented"),
        why: "A fraction or an exponent is legal, and typed clients fail on it all the same.",
        reads: Conversations.idTokens
    ) { token, _ in
        ["exp", "iat", "nbf", "auth_time"]
            .compactMap { name in
                guard let value = token.claims[name], value.kind == .number else { return nil }
                return .claim(
                    name,
                    "\(name) is written with a fraction or an exponent.",
                    expected: "whole seconds",
                    found: value,
                    fix: "Round \(name) to whole seconds."
                )
            }
    }

    package static let lifetimeIsSane = Check(
        "idtoken.lifetime.is-at-most-a-day",
        "The ID Token lives for a day at most",
        .risk,
        .safety,
        Citation(.experience, "", "An ID Token tells of one sign-in; it is no session."),
        why: "A thief can use a stolen token for as long as it lives.",
        reads: Conversations.idTokens,
        exempt: { token, _ in
            token.time("exp") == nil || token.time("iat") == nil ? "exp or iat is no number" : nil
        },
        finding: { token, _ in
            guard let exp = token.time("exp"), let iat = token.time("iat"), exp - iat > day else { return nil }
            return .claim(
                "exp",
                "The ID Token lives for \(seconds(exp - iat)).",
                expected: "at most 86400 s after iat",
                found: token.claims["exp"],
                fix: "Issue ID Tokens for an hour or less."
            )
        }
    )

    package static let all: [Check] = [
        expIsPresent, expIsANumber, expIsInFuture, iatIsPresent, iatIsANumber, iatIsInSeconds, iatIsNotFarInFuture,
        iatIsNotInFuture,
        iatIsRecent,
        nbfIsANumber, nbfIsNotInFuture, authTimeIsANumber, authTimeIsPlausible, areIntegers, lifetimeIsSane,
    ]

    /// Without either time client libraries refuse the token.
    private static func present(_ name: String, _ requirement: Requirement, _ words: String, _ why: String) -> Check {
        Check(
            CheckID("idtoken.\(name).is-present"),
            "\(name) is present",
            requirement,
            .signIn,
            Citation(.core, "2", words),
            why: why,
            reads: Conversations.idTokens,
            finding: { token, _ in
                guard !token.claims.has(name) else { return nil }
                return .claim(
                    name,
                    "The ID Token has no \(name).",
                    expected: "seconds since 1970",
                    found: nil,
                    fix: "Add \(name)."
                )
            }
        )
    }

    /// Client libraries read every time that is there, and refuse the token when one is no number.
    private static func number(
        _ name: String,
        _ document: Specification,
        _ section: String,
        _ words: String
    ) -> Check {
        Check(
            CheckID("idtoken.\(name.replacing("_", with: "-")).is-a-number"),
            "\(name) is a JSON number",
            .must,
            .signIn,
            Citation(document, section, words),
            why: "Clients refuse a token whose times are strings.",
            reads: Conversations.idTokens,
            concerns: .ofClaim(name),
            exempt: { token, _ in token.claims.has(name) ? nil : "the token has no \(name)" },
            finding: { token, _ in
                guard let value = token.claims[name], value.numberValue == nil else { return nil }
                return .claim(
                    name,
                    "\(name) is \(value.kind.phrase).",
                    expected: "seconds since 1970, a JSON number",
                    found: value,
                    fix: "Write \(name) as a number without quotation marks."
                )
            }
        )
    }

    /// Seconds reach such a number in the year 5138.
    private static func isMilliseconds(_ time: Double?) -> Bool { time.map { $0 > 1e11 && $0 < 1e15 } ?? false }

    private static func late(_ name: String, _ token: IDToken, _ message: String) -> Finding {
        let isMilliseconds = isMilliseconds(token.time(name))
        return .claim(
            name,
            isMilliseconds ? "\(name) is written in milliseconds." : message + clockHint,
            expected: "about \(Finding.dated(token.facts.receivedAt))",
            found: token.claims[name],
            fix: isMilliseconds
                ? "Divide \(name) by 1000: times are in seconds since 1970 UTC."
                : "Set the provider's clock by NTP, and write times in seconds since 1970 UTC."
        )
    }

    /// A duration in whole seconds; a number beyond all reason is named as such.
    private static func seconds(_ value: Double) -> String {
        abs(value) < 1e15 ? "\(Int64(value)) s" : "an eternity"
    }
}
