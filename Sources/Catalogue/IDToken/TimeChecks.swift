package import Conformance
import JSONTree

/// The times in an ID Token, compared with the time when it arrived.
package enum TimeChecks {
    /// Allowed clock difference in seconds; implementers commonly allow a few minutes at most (RFC 7519 section 4.1.4).
    private static let leeway = 60.0
    private static let day = 86_400.0
    private static let clockHint = " Times are compared with this machine's clock; check it as well."

    static let expIsPresent = present(
        "exp",
        .must,
        "exp REQUIRED. Expiration time",
        "A token that never expires can be replayed forever."
    )
    static let iatIsPresent = present(
        "iat",
        .must,
        "iat REQUIRED. Time at which the JWT was issued.",
        "Clients reject a token whose age is unknown."
    )

    static let expIsANumber = number(
        "exp",
        .core,
        "2",
        "number representing the number of seconds from 1970-01-01T00:00:00Z"
    )
    static let iatIsANumber = number(
        "iat",
        .core,
        "2",
        "number representing the number of seconds from 1970-01-01T00:00:00Z"
    )
    static let nbfIsANumber = number(
        "nbf",
        .rfc7519,
        "4.1.5",
        "Its value MUST be a number containing a NumericDate value."
    )
    static let authTimeIsANumber = number(
        "auth_time",
        .core,
        "2",
        "number representing the number of seconds from 1970-01-01T00:00:00Z"
    )

    static let areReadable = readable(
        "idtoken.times.are-readable",
        "The ID Token's exp and nbf are numbers below 2^63, or strings that contain such a number",
        "4.1.4",
        ["exp", "nbf"]
    )
    /// Many clients that compare exp do not read iat.
    static let iatIsReadable = readable(
        "idtoken.iat.is-readable",
        "The ID Token's iat is a number below 2^63, or a string that contains one",
        "4.1.6",
        ["iat"]
    )

    private static func readable(_ id: CheckID, _ title: String, _ section: String, _ names: [String]) -> Check {
        Check(
            id,
            title,
            .must,
            .signIn,
            Citation(.rfc7519, section, "Its value MUST be a number containing a NumericDate value."),
            why: "Clients that accept a string still convert it to a number, and reject the token if they cannot.",
            reads: StepResults.idTokens,
            rule: { token, _ in
                names.compactMap { name in
                    guard let value = token.claims[name], !value.isNull, !value.isReadableAsSeconds else { return nil }
                    return .claim(
                        name,
                        "\(name) is not a time.",
                        expected: "seconds since 1970, a JSON number",
                        found: value,
                        fix: "Write \(name) as a number of seconds since 1970."
                    )
                }
            }
        )
    }

    static let iatIsInSeconds = Check(
        "idtoken.iat.is-in-seconds",
        "The ID Token states iat in seconds",
        .must,
        .signIn,
        Citation(.rfc7519, "4.1.6", "Its value MUST be a number containing a NumericDate value."),
        why: "A client reads milliseconds as a time in the far future and rejects the token.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.time("iat") == nil ? "iat is not a number (reported by another check)" : nil },
        finding: { token, _ in isMilliseconds(token.time("iat")) ? late("iat", token, "") : nil }
    )

    static let expIsInSeconds = Check(
        "idtoken.exp.is-in-seconds",
        "The ID Token states exp in seconds",
        .must,
        .safety,
        Citation(.rfc7519, "4.1.4", "Its value MUST be a number containing a NumericDate value."),
        why: "An attacker can use a stolen token for thousands of years: a client reads milliseconds as seconds.",
        reads: StepResults.idTokens,
        exempt: { token, _ in token.time("exp") == nil ? "exp is not a number (reported by another check)" : nil },
        finding: { token, _ in
            guard isMilliseconds(token.time("exp")) else { return nil }
            return .claim(
                "exp",
                "exp is in milliseconds.",
                expected: "some minutes after iat, in seconds since 1970 UTC",
                found: token.claims["exp"],
                fix: "Divide exp by 1000: times are in seconds since 1970 UTC."
            )
        }
    )

    static let expIsInFuture = Check(
        "idtoken.exp.is-in-the-future",
        "The ID Token has not expired when it arrives",
        .must,
        .signIn,
        Citation(.core, "3.1.3.7", "The current time MUST be before the time represented by the exp Claim."),
        why: "Every client rejects an expired token.",
        reads: ProviderTime.tokens,
        exempt: { token, _ in token.time("exp") == nil ? "exp is not a number (reported by another check)" : nil },
        finding: { token, _ in
            guard let exp = token.time("exp"), exp <= token.facts.receivedAt else { return nil }
            let message = "The ID Token expired \(seconds(token.facts.receivedAt - exp)) before it arrived."
            guard let iat = token.time("iat"), abs(token.facts.receivedAt - iat) <= leeway else {
                return late("exp", token, message)
            }
            // By iat the provider's clock is right, so the lifetime is wrong.
            return .claim(
                "exp",
                message,
                expected: "later than \(Finding.dated(token.facts.receivedAt))",
                found: token.claims["exp"],
                fix: "Set exp to a few minutes after iat; iat is correct."
            )
        }
    )

    static let iatIsNotFarInFuture = Check(
        "idtoken.iat.is-not-far-in-the-future",
        "The ID Token's iat is at most five minutes in the future",
        // Inferred: half of the measured clients reject it, in five languages.
        .must,
        .signIn,
        Citation(.core, "2", "iat REQUIRED. Time at which the JWT was issued."),
        why: "Half of the client libraries reject a token from the future, whatever clock difference they allow.",
        reads: ProviderTime.tokens,
        supersededBy: ["idtoken.iat.is-in-seconds"],
        exempt: { token, _ in token.time("iat") == nil ? "iat is not a number (reported by another check)" : nil },
        finding: { token, _ in ahead(of: 300, token) }
    )

    static let iatIsNotInFuture = Check(
        "idtoken.iat.is-not-in-the-future",
        "The ID Token's iat is not in the future",
        .risk,
        .signIn,
        Citation(.core, "2", "iat REQUIRED. Time at which the JWT was issued."),
        why:
            "Clients with a correct clock reject the token, often only for the first minutes, so failures look random.",
        reads: ProviderTime.tokens,
        supersededBy: ["idtoken.iat.is-in-seconds", iatIsNotFarInFuture.id],
        exempt: { token, _ in token.time("iat") == nil ? "iat is not a number (reported by another check)" : nil },
        finding: { token, _ in ahead(of: leeway, token) }
    )

    static let iatIsNotAhead = Check(
        "idtoken.iat.is-not-ahead",
        "The ID Token's iat is at most five seconds in the future",
        // Measured: a quarter of the clients allow no difference.
        .risk,
        .signIn,
        Citation(.core, "2", "iat REQUIRED. Time at which the JWT was issued."),
        why: "Clients in Python that allow no clock difference reject the token for the first seconds.",
        reads: ProviderTime.tokens,
        supersededBy: ["idtoken.iat.is-in-seconds", iatIsNotFarInFuture.id, iatIsNotInFuture.id],
        exempt: { token, _ in token.time("iat") == nil ? "iat is not a number (reported by another check)" : nil },
        finding: { token, _ in ahead(of: 5, token) }
    )

    static let nbfIsNotAhead = Check(
        "idtoken.nbf.is-not-ahead",
        "The ID Token's nbf is at most five seconds in the future",
        // Measured: a quarter of the clients allow no difference.
        .risk,
        .signIn,
        Citation(.rfc7519, "4.1.5", "the time before which the JWT MUST NOT be accepted for processing"),
        why: "Clients in Python and JavaScript that allow no clock difference reject the token for the first seconds.",
        reads: ProviderTime.tokens,
        supersededBy: [nbfIsNotInFuture.id, "platform.id-token.times-are-current"],
        exempt: { token, _ in token.time("nbf") == nil ? "the token has no numeric nbf, which is optional" : nil },
        finding: { token, _ in
            guard let nbf = token.time("nbf"), nbf > token.facts.receivedAt + 5 else { return nil }
            return late("nbf", token, "The ID Token's nbf is \(seconds(nbf - token.facts.receivedAt)) in the future.")
        }
    )

    /// A finding if `iat` is more than this many seconds after the token arrived.
    private static func ahead(of seconds: Double, _ token: IDToken) -> Finding? {
        guard let iat = token.time("iat"), iat > token.facts.receivedAt + seconds else { return nil }
        return late("iat", token, "The ID Token's iat is \(Self.seconds(iat - token.facts.receivedAt)) in the future.")
    }

    static let iatIsRecent = Check(
        "idtoken.iat.is-recent",
        "The ID Token's iat is at most ten minutes in the past",
        .risk,
        .signIn,
        Citation(
            .core,
            "3.1.3.7",
            "The iat Claim can be used to reject tokens that were issued too far away from the current time"
        ),
        why: "Clients reject old tokens, and a slow clock makes every token look old.",
        reads: ProviderTime.tokens,
        exempt: { token, _ in
            if token.place == .offlineInput { return "the token was given as input and may have any age" }
            return token.time("iat") == nil ? "iat is not a number (reported by another check)" : nil
        },
        finding: { token, _ in
            guard let iat = token.time("iat"), iat < token.facts.receivedAt - 600 else { return nil }
            return late("iat", token, "The ID Token's iat is \(seconds(token.facts.receivedAt - iat)) in the past.")
        }
    )

    static let nbfIsNotInFuture = Check(
        "idtoken.nbf.is-not-in-the-future",
        "The ID Token's nbf is not in the future",
        .must,
        .signIn,
        Citation(.rfc7519, "4.1.5", "the time before which the JWT MUST NOT be accepted for processing"),
        why: "Clients that check nbf reject the token until then.",
        reads: ProviderTime.tokens,
        exempt: { token, _ in token.time("nbf") == nil ? "the token has no numeric nbf, which is optional" : nil },
        finding: { token, _ in
            guard let nbf = token.time("nbf"), nbf > token.facts.receivedAt + 45 else { return nil }
            return late("nbf", token, "The ID Token's nbf is \(seconds(nbf - token.facts.receivedAt)) in the future.")
        }
    )

    static let authTimeIsPlausible = Check(
        "idtoken.auth-time.is-plausible",
        "The ID Token's auth_time is within the last year",
        .risk,
        .conformance,
        Citation(.core, "2", "auth_time Time when the End-User authentication occurred."),
        why: "Clients that require a recent sign-in compare auth_time and send the user back to sign in repeatedly.",
        reads: ProviderTime.tokens,
        concerns: .ofClaim("auth_time"),
        supersededBy: ["idtoken.auth-time.is-recent-after-sign-in-again"],
        exempt: { token, _ in
            token.time("auth_time") == nil ? "the token has no numeric auth_time, which is optional here" : nil
        },
        finding: { token, _ in
            guard let time = token.time("auth_time"),
                time > token.facts.receivedAt + leeway || time < token.facts.receivedAt - 366 * day
            else { return nil }
            return late("auth_time", token, "auth_time is not within the year before the token arrived.")
        }
    )

    static let areIntegers = Check(
        "idtoken.times.are-whole-seconds",
        "The ID Token states times in whole seconds",
        .may,
        .conformance,
        Citation(.rfc7519, "2", "non-integer values can be represented"),
        why: "A fraction or an exponent is allowed, but typed clients fail to parse it.",
        reads: StepResults.idTokens
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

    static let lifetimeIsSane = Check(
        "idtoken.lifetime.is-at-most-a-day",
        "The ID Token is valid for at most a day",
        .risk,
        .safety,
        Citation(.experience, "", "An ID Token describes one sign-in; it is not a session."),
        why: "An attacker can use a stolen token until it expires.",
        reads: StepResults.idTokens,
        supersededBy: ["idtoken.exp.is-in-seconds"],
        exempt: { token, _ in token.time("exp") == nil || token.time("iat") == nil ? "exp or iat is not a number" : nil
        },
        finding: { token, _ in
            guard let exp = token.time("exp"), let iat = token.time("iat"), exp - iat > day else { return nil }
            return .claim(
                "exp",
                "The ID Token is valid for \(seconds(exp - iat)).",
                expected: "at most 86400 seconds (1 day) after iat",
                found: token.claims["exp"],
                fix: "Set exp to at most one hour after iat."
            )
        }
    )

    package static let all: [Check] = [
        areReadable, iatIsReadable, expIsPresent, expIsANumber, expIsInFuture, iatIsPresent, iatIsANumber,
        iatIsInSeconds, expIsInSeconds, iatIsNotFarInFuture, iatIsNotInFuture, iatIsNotAhead, iatIsRecent, nbfIsANumber,
        nbfIsNotInFuture, nbfIsNotAhead, authTimeIsANumber, authTimeIsPlausible, areIntegers, lifetimeIsSane,
    ]

    /// Client libraries reject a token that lacks either time.
    private static func present(_ name: String, _ requirement: Requirement, _ words: String, _ why: String) -> Check {
        Check(
            CheckID("idtoken.\(name).is-present"),
            "The ID Token has \(name)",
            requirement,
            .signIn,
            Citation(.core, "2", words),
            why: why,
            reads: StepResults.idTokens,
            finding: { token, _ in
                guard !token.claims.has(name) else { return nil }
                return .claim(
                    name,
                    "The ID Token has no \(name).",
                    expected: "seconds since 1970",
                    found: nil,
                    fix: "Add \(name), in seconds since 1970, to the ID Token."
                )
            }
        )
    }

    /// Client libraries parse every time that is present and reject the token if one is not a number.
    private static func number(_ name: String, _ document: Specification, _ section: String, _ words: String) -> Check {
        Check(
            CheckID("idtoken.\(name.replacing("_", with: "-")).is-a-number"),
            "The ID Token states \(name) as a JSON number",
            .must,
            .signIn,
            Citation(document, section, words),
            why: "Clients reject a token whose times are strings.",
            reads: StepResults.idTokens,
            concerns: .ofClaim(name),
            supersededBy: [name == "iat" ? "idtoken.iat.is-readable" : "idtoken.times.are-readable"],
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

    /// A time in seconds exceeds 1e11 only from the year 5138 on.
    private static func isMilliseconds(_ time: Double?) -> Bool {
        // The thousandth of a date in the far future, such as the year 9999, is none of these years.
        time.map { $0 > 1e11 && $0 < 1e15 && (1e9...5e9).contains($0 / 1_000) } ?? false
    }

    private static func late(_ name: String, _ token: IDToken, _ message: String) -> Finding {
        let isMilliseconds = isMilliseconds(token.time(name))
        return .claim(
            name,
            isMilliseconds ? "\(name) is in milliseconds." : message + clockHint,
            expected: "about \(Finding.dated(token.facts.receivedAt))",
            found: token.claims[name],
            fix: isMilliseconds
                ? "Divide \(name) by 1000: times are in seconds since 1970 UTC."
                : "Synchronise the provider's clock with NTP, and write times in seconds since 1970 UTC."
        )
    }

    /// A duration, with a fallback for numbers that do not fit into 64 bits.
    private static func seconds(_ value: Double) -> String {
        abs(value) < 1e15 ? ProviderTime.apart(value) : "more than 1e15 seconds"
    }
}
