package import Conformance
import JSONTree

/// A user has the same subject in every session and at every client; two users have different subjects.
package enum SessionSubjectChecks {
    private static let noSub = "an ID Token has no sub (reported by another check)"

    static let isTheSameInASession = theSame(
        "idtoken.sub.is-the-same-without-sign-in",
        "A user's sub does not change within a session",
        [(.silentReturn, .promptNone), (.silentReturn, .hint), (.silentReturn, .young)],
        supersededBy: ["idtoken.sub.is-the-same-in-every-flow"],
        message: "returns in the same session",
        fix: "Use one sub for each user and client; it must not depend on the request."
    )

    static let isTheSameAfterSignIn = theSame(
        "idtoken.sub.is-the-same-after-sign-in-again",
        "A user's sub does not change after signing in again",
        [(.signInAgain, .joint)],
        supersededBy: ["idtoken.sub.is-the-same-in-every-flow", "idtoken.sub.is-the-same-without-sign-in"],
        message: "signs in again",
        fix: "Use one sub for each user and client; it must not depend on the session or the time of the sign-in."
    )

    static let differsBetweenUsers = Check(
        "idtoken.sub.differs-between-persons",
        "Two users have different values of sub",
        // Inferred from the definition of sub, which is an identifier of one End-User.
        .must,
        .safety,
        Citation(.core, "2", "A locally unique and never reassigned identifier within the Issuer for the End-User"),
        why: "One user gets access to the account of another.",
        endangers: .allUsers,
        reads: Sessions.pairs([(.twoUsers, .other)]),
        exempt: { pair, _ in
            let subs = [pair.first, pair.second].compactMap { $0.claims["sub"]?.stringValue }.filter { !$0.isEmpty }
            return subs.count == 2 ? nil : noSub
        },
        rule: { pair, facts in
            let names = ["sub"] + facts.profile.parameters.subjectClaims.filter { pair.first.claims.has($0) }
            // Users of a tenant share its identifier; together with the other claims it must distinguish them.
            let isReported = names.dropFirst().contains { pair.first.claims[$0] != pair.second.claims[$0] }
            var shared: [String] = pair.first.claims["sub"] == pair.second.claims["sub"] ? ["sub"] : []
            let isWhole = names.count > 1 && names.count == facts.profile.parameters.subjectClaims.count + 1
            if isWhole, !isReported { shared += names.dropFirst() }
            return shared.map { name in
                .claim(
                    name,
                    "Two different users have the same \(name).",
                    expected: "a unique value for each user",
                    found: pair.second.claims[name],
                    fix: "Derive \(name) from the account, not from the client, the tenant or a constant."
                )
            }
        }
    )

    static let isTheSameForEveryClient = Check(
        "idtoken.sub.is-the-same-for-every-client",
        "A user has the same sub at all clients if subjects are public",
        .must,
        .conformance,
        Citation(.core, "8", "public This provides the same sub (subject) value to all Clients."),
        why: "Two applications that compare users by sub treat one user as two.",
        reads: IDTokenQueries.together,
        exempt: { tokens, facts in
            if facts.subjectTypes != ["public"] { return "the provider does not say that all subjects are public" }
            return Set(tokens.map(\.asked.clientID)).count > 1 ? nil : "the configuration has only one client"
        },
        finding: { tokens, _ in
            let named = tokens.filter { $0.claims["sub"]?.stringValue != nil }
            guard let first = named.first else { return nil }
            // Another check compares the tokens of one client.
            let own = Set(named.filter { $0.asked.clientID == first.asked.clientID }.compactMap { $0.claims["sub"] })
            guard let other = named.first(where: { $0.asked.clientID != first.asked.clientID }),
                let sub = other.claims["sub"], !own.contains(sub)
            else { return nil }
            return .claim(
                "sub",
                "The same user has different values of sub at clients \(other.asked.clientID.quoted) and "
                    + "\(first.asked.clientID.quoted), although subject_types_supported is public only.",
                expected: first.claims["sub"]?.shown ?? "",
                found: sub,
                fix: "Issue the same sub to all clients, or add pairwise to subject_types_supported."
            )
        }
    )

    static let pairwiseIsOpaque = Check(
        "idtoken.sub.pairwise-is-opaque",
        "A pairwise sub is not a name or address of the user",
        .must,
        .safety,
        Citation(
            .core,
            "8.1",
            "The Subject Identifier value MUST NOT be reversible by any party other than the OpenID Provider."
        ),
        why: "An application can link its users with those of another, which pairwise subjects must prevent.",
        reads: StepResults.idTokens,
        exempt: { _, facts in
            facts.subjectTypes == ["pairwise"] ? nil : "the provider does not say that all subjects are pairwise"
        },
        finding: { token, facts in
            guard let sub = token.claims["sub"]?.stringValue, !sub.isEmpty else { return nil }
            let userInfo = StepResults.userInfo.samples(facts).compactMap(\.observation.value?.json?.objectValue)
            let name = ["email", "preferred_username", "phone_number", "name"]
                .first { name in ([token.claims] + userInfo).contains { $0[name]?.stringValue == sub } }
            guard let name else { return nil }
            return .claim(
                "sub",
                "subject_types_supported is pairwise only, but sub is the user's \(name).",
                expected: "a value that means nothing elsewhere",
                found: .string(sub),
                fix: "Derive sub from the sector, the account and a secret salt (Core section 8.1), or add public to "
                    + "subject_types_supported."
            )
        }
    )

    static let platformClaimsAreTheSame = Check(
        "idtoken.subject-claims.are-the-same",
        "The claims by which the platform identifies a user do not change",
        .platform,
        .safety,
        Citation(.experience, "", "oid and tid identify a user across applications, sub does not"),
        why: "The platform treats the user as another user at the next sign-in.",
        endangers: .allUsers,
        reads: Sessions.pairs([(.silentReturn, .young), (.signInAgain, .joint)]),
        exempt: { pair, facts in
            let names = facts.profile.parameters.subjectClaims
            if names.isEmpty { return "the profile identifies users by sub alone" }
            return names.contains { pair.first.claims.has($0) }
                ? nil : "the claims are missing (reported by another check)"
        },
        rule: { pair, facts in
            facts.profile.parameters.subjectClaims
                .filter { pair.first.claims.has($0) && pair.first.claims[$0] != pair.second.claims[$0] }
                .map { name in
                    .claim(
                        name,
                        "The \(name) of the same user changes between two ID Tokens.",
                        expected: pair.first.claims[name]?.shown ?? "",
                        found: pair.second.claims[name],
                        fix: "Use one \(name) for each user; it must not depend on the session."
                    )
                }
        }
    )

    package static let all: [Check] = [
        isTheSameInASession, isTheSameAfterSignIn, differsBetweenUsers, isTheSameForEveryClient, pairwiseIsOpaque,
        platformClaimsAreTheSame,
    ]

    private static func theSame(
        _ id: CheckID,
        _ title: String,
        _ steps: [(scenario: Scenario, id: StepID)],
        supersededBy: [CheckID],
        message: String,
        fix: String
    ) -> Check {
        Check(
            id,
            title,
            // Inferred from the definition of sub.
            .must,
            .safety,
            Citation(.core, "2", "A locally unique and never reassigned identifier within the Issuer for the End-User"),
            why:
                "A returning user finds an empty account, or another user with the same email address gets the account.",
            endangers: .allUsers,
            reads: Sessions.pairs(steps),
            supersededBy: supersededBy,
            exempt: { pair, _ in
                pair.first.claims["sub"]?.stringValue == nil || pair.second.claims["sub"]?.stringValue == nil
                    ? noSub : nil
            },
            finding: { pair, _ in
                guard let first = pair.first.claims["sub"], let second = pair.second.claims["sub"], first != second
                else { return nil }
                return .claim(
                    "sub",
                    "The same user \(message) and has another sub.",
                    expected: first.shown,
                    found: second,
                    fix: fix
                )
            }
        )
    }
}

extension Facts {
    /// The subject types that discovery lists; empty if it lists none.
    fileprivate var subjectTypes: [String] { metadata.value?.strings("subject_types_supported") ?? [] }
}
