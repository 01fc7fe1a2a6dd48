package import Conformance
import JSONTree

/// The claims that UserInfo returns.
package enum UserInfoClaimChecks {
    static let claims = UserClaims(
        stage: .userinfo,
        holder: "response",
        name: "UserInfo",
        query: UserInfoQueries.claims,
        claims: { $0.1 },
        asked: { $0.0.asked }
    )

    static let subIsPresent = Check(
        "userinfo.sub.is-present",
        "UserInfo contains sub",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The sub (subject) Claim MUST always be returned in the UserInfo Response."),
        why: "Clients must compare sub with the ID Token, and reject a response without it.",
        reads: UserInfoQueries.claims,
        finding: { subject, _ in
            if let sub = subject.1["sub"]?.stringValue, !sub.isEmpty { return nil }
            let members = subject.1.members.map(\.name)
            return Finding(
                "UserInfo does not contain the user's identifier, sub, as a string.",
                at: "/sub",
                expected: "the sub of the ID Token",
                found: subject.1["sub"]?.kind.phrase
                    ?? (members.isEmpty
                        ? "no members"
                        : "only \(members.prefix(8).map { $0.shown(limit: 40) }.joined(separator: ", "))"),
                fix: "Return sub as a string in every UserInfo response."
            )
        }
    )

    static let subMatches = Check(
        "userinfo.sub.matches-id-token",
        "UserInfo has the same sub as the ID Token",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "MUST be verified to exactly match the sub Claim in the ID Token"),
        why: "Clients must reject the response if sub differs, and the sign-in fails.",
        reads: UserInfoQueries.claims,
        supersededBy: ["idtoken.sub.is-present"],
        exempt: { subject, facts in
            if subject.1["sub"]?.stringValue == nil { return "UserInfo has no sub, which another check reports" }
            return UserInfoQueries.tokenSubject(subject.0.asked, facts) == nil
                ? "the flow returned no ID Token with a sub" : nil
        },
        finding: { subject, facts in
            guard let sub = subject.1["sub"]?.stringValue,
                let expected = UserInfoQueries.tokenSubject(subject.0.asked, facts), !sub.hasSameBytes(as: expected)
            else { return nil }
            return .claim(
                "sub",
                "sub at UserInfo differs from sub in the ID Token.",
                expected: expected.shown(),
                found: .string(sub),
                fix: "Return the same sub in both, also for pairwise identifiers."
            )
        }
    )

    static let subIsOfTheSecondUser = Check(
        "userinfo.sub.is-of-the-second-user",
        "UserInfo has the sub of the second user for the second user's access token",
        .must,
        .safety,
        Citation(.core, "5.3.2", "MUST be verified to exactly match the sub Claim in the ID Token"),
        why: "A client that does not compare sub signs one user in with the data of another.",
        endangers: .allUsers,
        reads: StepResults.answer(.twoUsers, .userInfo),
        supersededBy: ["userinfo.sub.is-present", "userinfo.sub.matches-id-token"],
        exempt: { subject, facts in
            if subject.object?["sub"]?.stringValue == nil { return "UserInfo has no sub, which another check reports" }
            return secondSubject(facts) == nil ? "the second user has no ID Token with a sub" : nil
        },
        finding: { subject, facts in
            guard let sub = subject.object?["sub"]?.stringValue, let expected = secondSubject(facts),
                !sub.hasSameBytes(as: expected)
            else { return nil }
            return .claim(
                "sub",
                "sub at UserInfo differs from sub in the ID Token of the second user.",
                expected: expected.shown(),
                found: .string(sub),
                fix: "Return the claims of the user to whom the access token was issued."
            )
        }
    )

    private static func secondSubject(_ facts: Facts) -> String? {
        StepResults.anyIDToken(.twoUsers, .other).samples(facts).first?.observation.value?.claims["sub"]?.stringValue
    }

    static let textsAreStrings = claims.textsAreStrings(.signIn)

    static let verifiedIsABoolean = claims.verifiedIsABoolean(.signIn)

    static let updatedAtIsANumber = claims.updatedAtIsANumber(.signIn)

    static let emailIsAnAddress = claims.emailIsAnAddress(.conformance)

    static let haveValues = claims.haveValues(.should)

    static let emailIsPresent = Check(
        "userinfo.email.is-present",
        "UserInfo returns email for the scope email",
        .risk,
        .signIn,
        Citation(.core, "5.4", "This scope value requests access to the email and email_verified Claims."),
        why: "Platforms that identify users by email address create an account without one, or none at all.",
        reads: UserInfoQueries.claims,
        exempt: { subject, facts in UserInfoQueries.unlessGranted("email", subject.0.asked, facts) },
        finding: { subject, _ in
            guard !subject.1.has("email") else { return nil }
            return .claim(
                "email",
                "UserInfo has no email although the scope email was requested.",
                expected: "the user's email address",
                found: nil,
                fix: "Return email at UserInfo for the scope email; give the test user an email address."
            )
        }
    )

    static let profileIsPresent = Check(
        "userinfo.profile-claims.are-present",
        "UserInfo returns at least one profile claim for the scope profile",
        .risk,
        .conformance,
        Citation(.core, "5.4", "This scope value requests access to the End-User's default profile Claims"),
        why: "Platforms cannot show the user's name or photo.",
        reads: UserInfoQueries.claims,
        exempt: { subject, facts in UserInfoQueries.unlessGranted("profile", subject.0.asked, facts) },
        finding: { subject, _ in
            guard !StandardClaims.profile.contains(where: subject.1.has) else { return nil }
            return .claim(
                "name",
                "UserInfo has no profile claim although the scope profile was requested.",
                expected: "at least one claim such as name, given_name or preferred_username",
                found: nil,
                fix: "Return the claims of the scope profile at UserInfo."
            )
        }
    )

    static let nonceIsAbsent = Check(
        "userinfo.nonce.is-absent",
        "UserInfo has no nonce",
        .risk,
        .conformance,
        Citation(.core, "2", "String value used to associate a Client session with an ID Token"),
        why: "A client may accept a response that looks like an ID Token as one.",
        reads: UserInfoQueries.claims,
        finding: { subject, _ in
            guard let nonce = subject.1["nonce"] else { return nil }
            return .claim(
                "nonce",
                "UserInfo contains a nonce.",
                expected: "no nonce",
                found: nonce,
                fix: "Omit nonce from UserInfo; only ID Tokens contain it."
            )
        }
    )

    package static let all: [Check] = [
        subIsPresent, subMatches, subIsOfTheSecondUser, textsAreStrings, verifiedIsABoolean, updatedAtIsANumber,
        emailIsAnAddress, haveValues, emailIsPresent, profileIsPresent, nonceIsAbsent,
    ]
}
