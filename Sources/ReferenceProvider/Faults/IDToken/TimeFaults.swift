import Conformance
import JSONTree

/// Faults of the times in ID Tokens.
extension Fault {
    static let idTokenTimes: [Fault] = [
        .provider("idtoken.exp.is-present", "exp is missing") { $0.setClaim("exp", nil) },
        .provider("idtoken.exp.is-a-number", "exp is a string") { $0.setClaim("exp", "4102444800") },
        .provider("idtoken.times.are-readable", "nbf is a date") {
            $0.setClaim("nbf", "2026-01-31T00:00:00Z")
        },
        .provider("idtoken.iat.is-readable", "iat is a date") { $0.setClaim("iat", "2026-01-31T00:00:00Z") },
        .provider("idtoken.exp.is-in-the-future", "the ID Token expired an hour ago") { hooks in
            hooks.setTime("exp", afterIssue: -3_600)
        },
        .provider("idtoken.iat.is-present", "iat is missing") { $0.setClaim("iat", nil) },
        .provider("idtoken.iat.is-a-number", "iat is a string") { $0.setClaim("iat", "1700000000") },
        .provider("idtoken.iat.is-not-in-the-future", "iat is two minutes in the future") { hooks in
            hooks.setTime("iat", afterIssue: 120)
        },
        .provider("idtoken.iat.is-not-ahead", "iat is 20 seconds in the future") { $0.setTime("iat", afterIssue: 20) },
        .provider("idtoken.nbf.is-not-ahead", "nbf is 20 seconds in the future") { $0.setTime("nbf", afterIssue: 20) },
        .provider("idtoken.iat.is-not-far-in-the-future", "iat is ten minutes in the future") { hooks in
            hooks.setTime("iat", afterIssue: 600)
        },
        .provider(
            "idtoken.iat.is-in-seconds",
            "iat is in milliseconds",
            also: ["platform.firebase.id-token.is-not-from-the-future"]
        ) { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["iat"] = .integer(Int64((claims["iat"]?.numberValue ?? 0) * 1_000))
            }
        },
        .provider("idtoken.iat.is-recent", "iat is twenty minutes in the past") { hooks in
            hooks.setTime("iat", afterIssue: -1_200)
        },
        .provider("idtoken.nbf.is-a-number", "nbf is a string") { $0.setClaim("nbf", "1700000000") },
        .provider("idtoken.nbf.is-not-in-the-future", "nbf is an hour in the future") { hooks in
            hooks.setTime("nbf", afterIssue: 3_600)
        },
        .provider("idtoken.auth-time.is-a-number", "auth_time is a string") { $0.setClaim("auth_time", "1700000000") },
        .provider(
            "idtoken.auth-time.is-plausible",
            "auth_time is zero in ID Tokens of the authorization endpoint",
            also: ["idtoken.hybrid.authentication-is-in-both"]
        ) { hooks in
            hooks.idTokenClaims = { claims, place in
                if place == .authorizationEndpoint { claims["auth_time"] = 0 }
            }
        },
        .provider(
            "idtoken.auth-time.is-recent-after-sign-in-again",
            variant: "zero",
            "auth_time is always zero"
        ) { $0.setClaim("auth_time", 0) },
        .provider("idtoken.times.are-whole-seconds", "auth_time has a fraction") { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["auth_time"] = .real((claims["auth_time"]?.numberValue ?? 0) + 0.25)
            }
        },
        .provider("idtoken.exp.is-in-seconds", "exp is in milliseconds") { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["exp"] = .integer(Int64((claims["exp"]?.numberValue ?? 0) * 1_000))
            }
        },
        .provider("idtoken.lifetime.is-at-most-a-day", "the ID Token is valid for a week") { hooks in
            hooks.setTime("exp", afterIssue: 604_800)
        },
    ]
}
