package import Conformance
import JSONTree

/// Which claims UserInfo returns, and which of them were requested.
package enum UserInfoScopeChecks {
    static let updatedAtIsPlausible = UserInfoClaimChecks.claims.updatedAtIsPlausible(.conformance)

    static let wereRequested = UserInfoClaimChecks.claims.wereRequested(
        "UserInfo returns only requested claims about the user",
        why: "Users consent to scopes: the client receives claims that they did not agree to share."
    )

    static let addressIsPresent = present(
        "userinfo.address.is-present",
        "UserInfo returns address for the scope address",
        scope: "address",
        claim: "address",
        words: "This scope value requests access to the address Claim."
    )

    static let phoneIsPresent = present(
        "userinfo.phone-number.is-present",
        "UserInfo returns phone_number for the scope phone",
        scope: "phone",
        claim: "phone_number",
        words: "This scope value requests access to the phone_number and phone_number_verified Claims."
    )

    static let wereRequestedAlone = Check(
        "userinfo.claims.were-asked-for-by-one-scope",
        "UserInfo returns no claims of other scopes if a single scope is requested",
        .may,
        .conformance,
        Citation(.core, "5.4", "to specify what access privileges are being requested"),
        why: "A client that requests only the scope email gets profile claims that the user did not agree to share.",
        reads: UserInfoQueries.scopesAlone,
        supersededBy: ["userinfo.claims.were-asked-for"],
        rule: { subject, _ in StandardClaims.unasked(subject.1, subject.0.asked) }
    )

    static let arePresentAlone = Check(
        "userinfo.claims.are-present-by-one-scope",
        "UserInfo returns the claims of a scope that is requested without other scopes",
        .risk,
        .conformance,
        Citation(.core, "5.4", "to request that specific sets of information be made available as Claim Values"),
        why: "A client that requests only the scope it needs gets no claims, and must request scopes it does not need.",
        reads: UserInfoQueries.scopesAlone,
        supersededBy: ["userinfo.email.is-present"],
        exempt: { subject, facts in
            guard let (scope, claims) = alone(subject.0.asked) else { return "the request has no scope with claims" }
            if present(claims, facts).isEmpty { return "UserInfo has no claim of \(scope) with all scopes either" }
            return UserInfoQueries.unlessGranted(scope, subject.0.asked, facts)
        },
        finding: { subject, facts in
            guard let (scope, claims) = alone(subject.0.asked) else { return nil }
            let missing = present(claims, facts).filter { !subject.1.hasValue($0) }
            guard let first = missing.first else { return nil }
            let names = missing.conjoined
            return .claim(
                first,
                "UserInfo returns \(names) only if scopes other than openid and \(scope) are requested too.",
                expected: names,
                found: subject.1[first],
                fix: "Return \(names) for the scope \(scope), regardless of other scopes."
            )
        }
    )

    static let subIsTheSameAlone = Check(
        "userinfo.sub.is-the-same-by-one-scope",
        "UserInfo has the sub of the ID Token if a single scope is requested",
        .must,
        .conformance,
        Citation(.core, "5.3.2", "MUST be verified to exactly match the sub Claim in the ID Token"),
        why:
            "Clients that request fewer scopes must reject the response. Clients that request all scopes are not affected.",
        reads: UserInfoQueries.scopesAlone,
        supersededBy: ["userinfo.sub.matches-id-token", "userinfo.sub.is-present"],
        exempt: { subject, facts in
            UserInfoQueries.tokenSubject(subject.0.asked, facts) == nil ? "no ID Token has a sub" : nil
        },
        finding: { subject, facts in
            guard let expected = UserInfoQueries.tokenSubject(subject.0.asked, facts),
                subject.1["sub"]?.stringValue.map({ $0.hasSameBytes(as: expected) }) != true
            else { return nil }
            return .claim(
                "sub",
                "sub at UserInfo differs from sub in the ID Token if other scopes are not requested.",
                expected: expected.shown(),
                found: subject.1["sub"],
                fix: "Return the same sub for every scope."
            )
        }
    )

    static let emailIsVerified = Check(
        "userinfo.email-verified.is-true",
        "UserInfo returns email_verified true with the email address",
        .may,
        .signIn,
        Citation(.core, "5.1", "True if the End-User's e-mail address has been verified; otherwise false."),
        why: "Platforms that link accounts by email address reject an unverified one.",
        reads: UserInfoQueries.claims,
        supersededBy: ["userinfo.email-verified.is-a-boolean", "platform.firebase.email-verified.is-true"],
        exempt: { subject, _ in subject.1.has("email") ? nil : "UserInfo has no email" },
        finding: { subject, _ in
            guard subject.1["email_verified"]?.boolValue != true else { return nil }
            return .claim(
                "email_verified",
                "UserInfo returns email without email_verified true.",
                expected: "true",
                found: subject.1["email_verified"],
                fix:
                    "Return email_verified true for verified email addresses, and verify the test user's email address."
            )
        }
    )

    static let sourcesAreStated = UserInfoClaimChecks.claims.sourcesAreStated(.conformance)

    static let groupsAreLists = UserInfoClaimChecks.claims.groupsAreLists()

    package static let all: [Check] = [
        wereRequestedAlone, arePresentAlone, subIsTheSameAlone, updatedAtIsPlausible, wereRequested, addressIsPresent,
        phoneIsPresent, emailIsVerified, sourcesAreStated, groupsAreLists,
    ]

    /// The scope value of a request that has claims, with its claims.
    private static func alone(_ asked: StepEvidence) -> (scope: String, claims: [String])? {
        StandardClaims.byScope.first { asked.askedScopes.contains($0.scope) }
    }

    /// Those that UserInfo returns with a value if all configured scopes are requested.
    private static func present(_ claims: [String], _ facts: Facts) -> [String] {
        let answers = UserInfoQueries.claims.samples(facts).compactMap(\.observation.value?.1)
        return claims.filter { name in answers.contains { $0.hasValue(name) } }
    }

    /// A check that a scope value yields its main claim.
    private static func present(_ id: CheckID, _ title: String, scope: String, claim: String, words: String) -> Check {
        Check(
            id,
            title,
            .risk,
            .conformance,
            Citation(.core, "5.4", words),
            why: "Clients that need \(claim) must ask the user for it, or reject the user.",
            reads: UserInfoQueries.claims,
            exempt: { subject, facts in UserInfoQueries.unlessGranted(scope, subject.0.asked, facts) },
            finding: { subject, _ in
                guard !subject.1.has(claim) else { return nil }
                return .claim(
                    claim,
                    "UserInfo has no \(claim) although the scope \(scope) was requested.",
                    expected: "the claim \(claim)",
                    found: nil,
                    fix: "Return \(claim) at UserInfo for the scope \(scope); give the test user a value for it."
                )
            }
        )
    }
}

extension JSONObject {
    /// Whether the member is present, and neither null nor an empty string.
    fileprivate func hasValue(_ name: String) -> Bool { self[name].map { !$0.isNull && $0.stringValue != "" } ?? false }
}
