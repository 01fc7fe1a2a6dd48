package import Conformance
import JSONTree

/// The claims that UserInfo returns.
package enum UserInfoClaimChecks {
    static let claims = UserClaims(
        stage: .userinfo,
        holder: "answer",
        name: "UserInfo",
        slot: UserInfoSlots.claims,
        claims: { $0.1 },
        asked: { $0.0.asked }
    )

    package static let subIsPresent = Check(
        "userinfo.sub.is-present",
        "UserInfo names the subject",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The sub (subject) Claim MUST always be returned in the UserInfo Response."),
        why: "Clients must compare it with the ID Token and ignore the answer without it.",
        reads: UserInfoSlots.claims,
        finding: { subject, _ in
            if let sub = subject.1["sub"]?.stringValue, !sub.isEmpty { return nil }
            return .claim(
                "sub",
                "UserInfo has no usable sub.",
                expected: "the sub of the ID Token",
                found: subject.1["sub"],
                fix: "Return sub with every UserInfo response, as a string."
            )
        }
    )

    package static let subMatches = Check(
        "userinfo.sub.matches-id-token",
        "UserInfo and ID Token speak of the same subject",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "MUST be verified to exactly match the sub Claim in the ID Token"),
        why: "Clients must not use the answer when the two differ, and the sign-in ends.",
        reads: UserInfoSlots.claims,
        excusedBy: ["idtoken.sub.is-present"],
        exempt: { subject, facts in
            if subject.1["sub"]?.stringValue == nil { return "UserInfo has no sub, which another check reports" }
            return UserInfoSlots.tokenSubject(subject.0.asked, facts) == nil
                ? "the flow yielded no ID Token with a sub" : nil
        },
        finding: { subject, facts in
            guard let sub = subject.1["sub"]?.stringValue,
                let expected = UserInfoSlots.tokenSubject(subject.0.asked, facts), !sub.hasSameOctets(as: expected)
            else { return nil }
            return .claim(
                "sub",
                "UserInfo names another subject than the ID Token.",
                expected: expected.shown(),
                found: .string(sub),
                fix: "Return the same sub in both, pairwise identifiers included."
            )
        }
    )

    package static let textsAreStrings = claims.textsAreStrings(.signIn)

    package static let verifiedIsABoolean = claims.verifiedIsABoolean(.signIn)

    package static let updatedAtIsANumber = claims.updatedAtIsANumber(.signIn)

    package static let emailIsAnAddress = claims.emailIsAnAddress(.conformance)

    package static let haveValues = claims.haveValues(.should)

    package static let emailIsPresent = Check(
        "userinfo.email.is-present",
        "The scope email yields the user's address",
        .risk,
        .signIn,
        Citation(.core, "5.4", "This scope value requests access to the email and email_verified Claims."),
        why: "Platforms that know users by address create an account without one, or none at all.",
        reads: UserInfoSlots.claims,
        exempt: { subject, facts in UserInfoSlots.unlessGranted("email", subject.0.asked, facts) },
        finding: { subject, _ in
            guard !subject.1.has("email") else { return nil }
            return .claim(
                "email",
                "The scope email was asked for, and UserInfo has no email.",
                expected: "the user's address",
                found: nil,
                fix: "Return email at UserInfo for the scope email; give the test user an address."
            )
        }
    )

    package static let profileIsPresent = Check(
        "userinfo.profile-claims.are-present",
        "The scope profile yields something about the user",
        .risk,
        .conformance,
        Citation(.core, "5.4", "This scope value requests access to the End-User's default profile Claims"),
        why: "Platforms show users by name and picture and find neither.",
        reads: UserInfoSlots.claims,
        exempt: { subject, facts in UserInfoSlots.unlessGranted("profile", subject.0.asked, facts) },
        finding: { subject, _ in
            guard !StandardClaims.profile.contains(where: subject.1.has) else { return nil }
            return .claim(
                "name",
                "The scope profile was asked for, and UserInfo has none of its claims.",
                expected: "name, given_name, preferred_username and the like",
                found: nil,
                fix: "Return the claims of the scope profile at UserInfo."
            )
        }
    )

    package static let nonceIsAbsent = Check(
        "userinfo.nonce.is-absent",
        "UserInfo has no nonce",
        .risk,
        .conformance,
        Citation(.core, "2", "String value used to associate a Client session with an ID Token"),
        why: "An answer that looks like an ID Token can be taken for one.",
        reads: UserInfoSlots.claims,
        finding: { subject, _ in
            guard let nonce = subject.1["nonce"] else { return nil }
            return .claim(
                "nonce",
                "UserInfo has a nonce.",
                expected: "no nonce",
                found: nonce,
                fix: "Return claims about the user only; nonce belongs to the ID Token."
            )
        }
    )

    package static let all: [Check] = [
        subIsPresent, subMatches, textsAreStrings, verifiedIsABoolean, updatedAtIsANumber, emailIsAnAddress,
        haveValues, emailIsPresent, profileIsPresent, nonceIsAbsent,
    ]
}
