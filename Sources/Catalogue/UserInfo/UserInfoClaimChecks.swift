package import Conformance
import JSONTree

/// The claims that UserInfo returns.
package enum UserInfoClaimChecks {
    package static let subIsPresent = Check(
        "userinfo.sub.is-present",
        "UserInfo names the subject",
        .must,
        .signIn,
        Citation(.core, "5.3.2", "The sub (subject) Claim MUST always be returned in the UserInfo Response."),
        why: "Clients must compare it with the ID Token and ignore the answer without it.",
        reads: UserInfoSlots.claims
    ) { subject, _ in
        if let sub = subject.1["sub"]?.stringValue, !sub.isEmpty { return [] }
        return [
            .claim(
                "sub",
                "UserInfo has no usable sub.",
                expected: "the sub of the ID Token",
                found: subject.1["sub"],
                fix: "Return sub with every UserInfo response, as a string."
            )
        ]
    }

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
        rule: { subject, facts in
            guard let sub = subject.1["sub"]?.stringValue,
                let expected = UserInfoSlots.tokenSubject(subject.0.asked, facts), !sub.hasSameOctets(as: expected)
            else { return [] }
            return [
                .claim(
                    "sub",
                    "UserInfo names another subject than the ID Token.",
                    expected: expected.shown(),
                    found: .string(sub),
                    fix: "Return the same sub in both, pairwise identifiers included."
                )
            ]
        }
    )

    package static let textsAreStrings = Check(
        "userinfo.claims.have-right-types",
        "Names, addresses and the like are strings",
        .must,
        .signIn,
        Citation(.core, "5.1", "name string End-User's full name in displayable form"),
        why: "Typed clients refuse the whole answer when one claim has another type.",
        reads: UserInfoSlots.claims
    ) { subject, _ in StandardClaims.wrongTexts(subject.1) }

    package static let verifiedIsABoolean = Check(
        "userinfo.email-verified.is-a-boolean",
        "email_verified and phone_number_verified are true or false",
        .must,
        .signIn,
        Citation(.core, "5.1", "email_verified boolean True if the End-User's e-mail address has been verified"),
        why: "The string \"false\" counts as true in some languages, and an unverified address takes over an account.",
        reads: UserInfoSlots.claims
    ) { subject, _ in StandardClaims.wrongBooleans(subject.1) }

    package static let updatedAtIsANumber = Check(
        "userinfo.updated-at.is-a-number",
        "updated_at is a number of seconds",
        .must,
        .signIn,
        Citation(.core, "5.1", "updated_at number Time the End-User's information was last updated"),
        why: "Typed clients refuse the whole answer when the time is a text.",
        reads: UserInfoSlots.claims
    ) { subject, _ in StandardClaims.wrongUpdatedAt(subject.1) }

    package static let emailIsAnAddress = Check(
        "userinfo.email.is-an-address",
        "email is an e-mail address",
        .must,
        .conformance,
        Citation(.core, "5.1", "Its value MUST conform to the RFC 5322 [RFC5322] addr-spec syntax"),
        why: "Platforms keep it as the account's address and refuse what is none.",
        reads: UserInfoSlots.claims,
        exempt: { subject, _ in subject.1.has("email") ? nil : "UserInfo has no email" },
        rule: { subject, _ in StandardClaims.wrongEmail(subject.1) }
    )

    package static let haveValues = Check(
        "userinfo.claims.have-values",
        "No claim about the user is null or empty",
        .should,
        .conformance,
        Citation(.core, "5.3.2", "it SHOULD NOT be present with a null or empty string value"),
        why: "Typed clients fail on null, and an empty name is shown as one.",
        reads: UserInfoSlots.claims
    ) { subject, _ in StandardClaims.empties(subject.1) }

    package static let emailIsPresent = Check(
        "userinfo.email.is-present",
        "The scope email yields the user's address",
        .risk,
        .signIn,
        Citation(.core, "5.4", "This scope value requests access to the email and email_verified Claims."),
        why: "Platforms that know users by address create an account without one, or none at all.",
        reads: UserInfoSlots.claims,
        exempt: { subject, facts in UserInfoSlots.unlessGranted("email", subject.0.asked, facts) },
        rule: { subject, _ in
            guard !subject.1.has("email") else { return [] }
            return [
                .claim(
                    "email",
                    "The scope email was asked for, and UserInfo has no email.",
                    expected: "the user's address",
                    found: nil,
                    fix: "Return email at UserInfo for the scope email; give the test user an address."
                )
            ]
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
        rule: { subject, _ in
            guard !StandardClaims.profile.contains(where: subject.1.has) else { return [] }
            return [
                .claim(
                    "name",
                    "The scope profile was asked for, and UserInfo has none of its claims.",
                    expected: "name, given_name, preferred_username and the like",
                    found: nil,
                    fix: "Return the claims of the scope profile at UserInfo."
                )
            ]
        }
    )

    package static let nonceIsAbsent = Check(
        "userinfo.nonce.is-absent",
        "UserInfo has no nonce",
        .risk,
        .conformance,
        Citation(.core, "2", "String value used to associate a Client session with an ID Token"),
        why: "An answer that looks like an ID Token can be taken for one.",
        reads: UserInfoSlots.claims
    ) { subject, _ in
        guard let nonce = subject.1["nonce"] else { return [] }
        return [
            .claim(
                "nonce",
                "UserInfo has a nonce.",
                expected: "no nonce",
                found: nonce,
                fix: "Return claims about the user only; nonce belongs to the ID Token."
            )
        ]
    }

    package static let all: [Check] = [
        subIsPresent, subMatches, textsAreStrings, verifiedIsABoolean, updatedAtIsANumber, emailIsAnAddress,
        haveValues, emailIsPresent, profileIsPresent, nonceIsAbsent,
    ]
}
