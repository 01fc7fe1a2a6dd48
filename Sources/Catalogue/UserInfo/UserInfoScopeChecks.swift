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
        "With one scope alone, UserInfo tells nothing that belongs to another",
        .may,
        .conformance,
        Citation(.core, "5.4", "to specify what access privileges are being requested"),
        why: "An application that asks for an address alone gets a profile that the person did not agree to give.",
        reads: UserInfoSlots.scopesAlone,
        excusedBy: ["userinfo.claims.were-asked-for"],
        rule: { subject, _ in StandardClaims.unasked(subject.1, subject.0.asked) }
    )

    package static let arePresentAlone = Check(
        "userinfo.claims.are-present-by-one-scope",
        "A scope yields its claims without the other scopes",
        .risk,
        .conformance,
        Citation(.core, "5.4", "to request that specific sets of information be made available as Claim Values"),
        why: "An application that asks for no more than it needs gets nothing, and must ask for what it does not need.",
        reads: UserInfoSlots.scopesAlone,
        excusedBy: ["userinfo.email.is-present"],
        exempt: { subject, facts in
            guard let (scope, claims) = alone(subject.0.asked) else { return "the request named no scope of claims" }
            if held(claims, facts).isEmpty { return "with all scopes UserInfo has no claim of \(scope) either" }
            return UserInfoSlots.unlessGranted(scope, subject.0.asked, facts)
        },
        finding: { subject, facts in
            guard let (scope, claims) = alone(subject.0.asked) else { return nil }
            let missing = held(claims, facts).filter { !subject.1.hasValue($0) }
            guard let first = missing.first else { return nil }
            let names = missing.joined(separator: ", ")
            return .claim(
                first,
                "With the scopes openid and \(scope) UserInfo has no \(names); with the other scopes it has.",
                expected: names,
                found: subject.1[first],
                fix: "Return \(names) for the scope \(scope), whatever other scopes are granted."
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
        wereAskedForAlone, arePresentAlone,
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

    /// The one scope value of a request that brings claims, with them.
    private static func alone(_ asked: Asked) -> (scope: String, claims: [String])? {
        StandardClaims.byScope.first { asked.askedScopes.contains($0.scope) }
    }

    /// Those that UserInfo has with a value when all configured scopes are asked for.
    private static func held(_ claims: [String], _ facts: Facts) -> [String] {
        let answers = UserInfoSlots.claims.samples(facts).compactMap(\.observation.value?.1)
        return claims.filter { name in answers.contains { $0.hasValue(name) } }
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

extension JSONObject {
    /// Whether the member is there, and neither null nor an empty text.
    fileprivate func hasValue(_ name: String) -> Bool {
        self[name].map { !$0.isNull && $0.stringValue != "" } ?? false
    }
}
