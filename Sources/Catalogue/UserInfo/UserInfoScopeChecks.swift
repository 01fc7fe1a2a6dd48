package import Conformance
import JSONTree

/// Which claims UserInfo returns, and which of them were asked for.
package enum UserInfoScopeChecks {
    package static let updatedAtIsPlausible = UserInfoClaimChecks.claims.updatedAtIsPlausible(.conformance)

    package static let wereAskedFor = UserInfoClaimChecks.claims.wereAskedFor(
        "UserInfo tells nothing about the user that was not asked for",
        why: "Users consent to scopes; what goes beyond them was never asked."
    )

    package static let addressIsPresent = present(
        "userinfo.address.is-present",
        "The scope address yields the user's address",
        scope: "address",
        claim: "address",
        words: "This scope value requests access to the address Claim."
    )

    package static let phoneIsPresent = present(
        "userinfo.phone-number.is-present",
        "The scope phone yields the user's telephone number",
        scope: "phone",
        claim: "phone_number",
        words: "This scope value requests access to the phone_number and phone_number_verified Claims."
    )

    package static let wereAskedForAlone = Check(
        "userinfo.claims.were-asked-for-by-one-scope",
        "With the scope email alone, UserInfo tells nothing else about the user",
        .may,
        .conformance,
        Citation(.core, "5.4", "This scope value requests access to the email and email_verified Claims."),
        why: "An application that asks for an address alone gets a profile that the person did not agree to give.",
        reads: UserInfoSlots.emailAlone,
        excusedBy: ["userinfo.claims.were-asked-for"],
        rule: { subject, _ in StandardClaims.unasked(subject.1, subject.0.asked) }
    )

    package static let emailIsPresentAlone = Check(
        "userinfo.email.is-present-by-its-scope-alone",
        "The scope email yields the user's address without the scope profile",
        .risk,
        .conformance,
        Citation(.core, "5.4", "This scope value requests access to the email and email_verified Claims."),
        why: "An application that asks for no more than it needs gets no address, and must ask for the whole profile.",
        reads: UserInfoSlots.emailAlone,
        excusedBy: ["userinfo.email.is-present"],
        exempt: { subject, facts in
            let withProfile = UserInfoSlots.claims.samples(facts).compactMap(\.observation.value)
            if !withProfile.contains(where: { $0.1["email"]?.stringValue?.isEmpty == false }) {
                return "UserInfo has no email with all scopes either"
            }
            return UserInfoSlots.unlessGranted("email", subject.0.asked, facts)
        },
        finding: { subject, _ in
            guard subject.1["email"]?.stringValue?.isEmpty != false else { return nil }
            return .claim(
                "email",
                "With the scopes openid and email UserInfo has no email; with the other scopes it has.",
                expected: "the address of the user",
                found: subject.1["email"],
                fix: "Return email and email_verified for the scope email, whatever other scopes are granted."
            )
        }
    )

    package static let emailIsVerified = Check(
        "userinfo.email-verified.is-true",
        "The e-mail address is said to be verified",
        .may,
        .signIn,
        Citation(.core, "5.1", "True if the End-User's e-mail address has been verified; otherwise false."),
        why: "Platforms that link accounts by address refuse one that the provider does not vouch for.",
        reads: UserInfoSlots.claims,
        excusedBy: ["userinfo.email-verified.is-a-boolean", "platform.firebase.email-verified.is-true"],
        exempt: { subject, _ in subject.1.has("email") ? nil : "UserInfo has no email" },
        finding: { subject, _ in
            guard subject.1["email_verified"]?.boolValue != true else { return nil }
            return .claim(
                "email_verified",
                "The address comes without email_verified true.",
                expected: "true",
                found: subject.1["email_verified"],
                fix: "Return email_verified, and true for addresses that were verified; verify the test user's."
            )
        }
    )

    package static let sourcesAreStated = Check(
        "userinfo.claim-sources.are-stated",
        "Claims of other sources name a source that is there",
        .must,
        .conformance,
        Citation(.core, "5.6.2", "references to the member names in the _claim_sources member"),
        why: "A client looks the source up and has no place to fetch the claim from.",
        reads: UserInfoSlots.claims,
        exempt: { subject, _ in subject.1.has("_claim_names") ? nil : "no claim is left to another source" },
        rule: { subject, _ in
            let sources = subject.1["_claim_sources"]?.objectValue
            guard let names = subject.1["_claim_names"]?.objectValue else {
                return [noNames(subject.1["_claim_names"])]
            }
            return names.members.filter { $0.value.stringValue.map { sources?.has($0) ?? false } != true }
                .map { entry in
                    .claim(
                        "_claim_names/" + entry.name.shown(limit: 80),
                        "The source of \(entry.name.quoted) is not among _claim_sources.",
                        expected: "the name of a member of _claim_sources",
                        found: entry.value,
                        fix: "Add the source to _claim_sources, or return the claim itself."
                    )
                }
        }
    )

    package static let groupsAreLists = UserInfoClaimChecks.claims.groupsAreLists()

    package static let all: [Check] = [
        wereAskedForAlone, emailIsPresentAlone,
        updatedAtIsPlausible, wereAskedFor, addressIsPresent, phoneIsPresent, emailIsVerified, sourcesAreStated,
        groupsAreLists,
    ]

    private static func noNames(_ value: JSON?) -> Finding {
        .claim(
            "_claim_names",
            "_claim_names is \(value?.kind.phrase ?? "missing").",
            expected: "a JSON object",
            found: value,
            fix: "Write _claim_names as an object of claim names and their sources."
        )
    }

    /// A scope value that asks for one claim above all.
    private static func present(
        _ id: CheckID,
        _ title: String,
        scope: String,
        claim: String,
        words: String
    ) -> Check {
        Check(
            id,
            title,
            .risk,
            .conformance,
            Citation(.core, "5.4", words),
            why: "Applications that need it ask the user for it again, or turn the user away.",
            reads: UserInfoSlots.claims,
            exempt: { subject, facts in UserInfoSlots.unlessGranted(scope, subject.0.asked, facts) },
            finding: { subject, _ in
                guard !subject.1.has(claim) else { return nil }
                return .claim(
                    claim,
                    "The scope \(scope) was asked for, and UserInfo has no \(claim).",
                    expected: "the claim \(claim)",
                    found: nil,
                    fix: "Return \(claim) at UserInfo for the scope \(scope); give the test user one."
                )
            }
        )
    }
}
