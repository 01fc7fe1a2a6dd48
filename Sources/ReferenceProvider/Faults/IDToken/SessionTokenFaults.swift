import Conformance
import JSONTree
import Synchronization

/// Faults of ID Tokens that show only when several are compared: subjects and times of sign-in.
extension Fault {
    static let sessionTokens: [Fault] = sessionSubjects + signInTimes + sessionNonces

    private static let sessionNonces: [Fault] = [
        .provider(
            "idtoken.nonce.is-of-its-own-request",
            "the nonce is stored with the session, so a second request replaces it",
            persona: .codeOnly
        ) { hooks in
            hooks.session.keepsNonceWithSession = true
        }
    ]

    private static let sessionSubjects: [Fault] = [
        .provider(
            "idtoken.sub.is-the-same-without-sign-in",
            "sub changes with every authorization",
            persona: .codeOnly
        ) { hooks in
            hooks.session.subject = { subject, user in subject + "-" + user.authorization.prefix(8) }
        },
        .provider(
            "idtoken.sub.is-the-same-after-sign-in-again",
            "sub changes with every sign-in",
            persona: .codeOnly
        ) { hooks in
            hooks.session.subject = { subject, user in "\(subject)-\(Int64(user.authenticatedAt))" }
        },
        .provider("idtoken.sub.differs-between-persons", "all users have the same sub") { hooks in
            hooks.session.subject = { _, _ in "user" }
        },
        .provider(
            "idtoken.sub.is-the-same-for-every-client",
            "sub differs between clients although only public is advertised",
            persona: .manyKeys
        ) { hooks in
            hooks.session.subject = { subject, user in subject + "-" + user.clientID }
        },
        .provider("idtoken.sub.pairwise-is-opaque", "the pairwise sub is the user name", persona: .pairwise) { hooks in
            hooks.session.subject = { _, user in user.username }
        },
        Fault(
            "idtoken.subject-claims.are-the-same",
            "oid changes with every ID Token",
            demand: { $0.subjectClaims = ["oid"] },
            change: { hooks in
                hooks.idTokenClaims = { claims, _ in claims["oid"] = .string(Store.random()) }
            }
        ),
    ]

    private static let signInTimes: [Fault] = [
        .provider("idtoken.auth-time.is-present-with-max-age", "auth_time is missing") {
            $0.setClaim("auth_time", nil)
        },
        .provider(
            "idtoken.auth-time.is-unchanged-without-sign-in",
            "auth_time is the time at which the ID Token was issued"
        ) { hooks in
            hooks.setTime("auth_time", afterIssue: 0)
            // A refresh may or may not fall within the same second.
            hooks.life.refreshedClaims = { $0["auth_time"] = nil }
        },
        .provider(
            "idtoken.auth-time.is-unchanged-without-sign-in",
            variant: "other-browser",
            "auth_time is the user's latest sign-in in any browser"
        ) { $0.session.keepsTimeWithUser = true },
        .provider(
            "idtoken.auth-time.is-later-after-sign-in-again",
            "auth_time is never updated after the first sign-in"
        ) { hooks in
            let first = FirstTimestamp()
            hooks.idTokenClaims = { claims, _ in
                if let time = claims["auth_time"]?.integerValue { claims["auth_time"] = .integer(first.keep(time)) }
            }
        },
        .provider("idtoken.auth-time.is-recent-after-sign-in-again", "auth_time is an hour early") { hooks in
            hooks.idTokenClaims = { claims, _ in
                if let time = claims["auth_time"]?.integerValue { claims["auth_time"] = .integer(time - 3_600) }
            }
        },
    ]
}

/// Stores the first time that it receives.
private final class FirstTimestamp: Sendable {
    private let first = Mutex<Int64?>(nil)

    func keep(_ time: Int64) -> Int64 {
        first.withLock { first in
            let kept = first ?? time
            first = kept
            return kept
        }
    }
}
