import Conformance
import JSONTree

/// The claims about the user: the common rules for ID Tokens and UserInfo (OpenID Connect Core section 5.1).
///
/// Each stage adds the consequence; title, citation and rule are the same.
struct UserClaims<Subject: Sendable>: Sendable {
    let stage: Stage
    /// The container of the claims, without an article: `token`, `answer`.
    let holder: String
    /// The container of the claims at the beginning of a clause: `the token`, `UserInfo`.
    let name: String
    let query: Query<Subject>
    let claims: @Sendable (Subject) -> JSONObject
    let asked: @Sendable (Subject) -> StepEvidence

    private func id(_ statement: String) -> CheckID { CheckID("\(stage.rawValue).\(statement)") }

    private func unless(_ claim: String) -> @Sendable (Subject, Facts) -> String? {
        { subject, _ in claims(subject).has(claim) ? nil : "\(name) has no \(claim)" }
    }

    private func titled(_ text: String) -> String { "In \(stage == .idtoken ? "the ID Token" : "UserInfo"), \(text)" }

    func textsAreStrings(_ consequence: Consequence) -> Check {
        Check(
            id("claims.have-right-types"),
            titled("names, addresses and other text claims are strings"),
            .must,
            consequence,
            Citation(.core, "5.1", "name string End-User's full name in displayable form"),
            why: "Typed clients reject the whole \(holder) if one claim has another type.",
            reads: query
        ) { subject, _ in StandardClaims.wrongTexts(claims(subject)) }
    }

    func verifiedIsABoolean(_ consequence: Consequence) -> Check {
        Check(
            id("email-verified.is-a-boolean"),
            titled("email_verified and phone_number_verified are booleans"),
            .must,
            consequence,
            Citation(.core, "5.1", "email_verified boolean True if the End-User's e-mail address has been verified"),
            why: "Some languages treat the string \"false\" as true, so an unverified address takes over an account.",
            reads: query
        ) { subject, _ in StandardClaims.wrongBooleans(claims(subject)) }
    }

    func updatedAtIsANumber(_ consequence: Consequence) -> Check {
        Check(
            id("updated-at.is-a-number"),
            titled("updated_at is a number of seconds"),
            .must,
            consequence,
            Citation(.core, "5.1", "updated_at number Time the End-User's information was last updated"),
            why: "Typed clients reject the whole \(holder) if the time is a string.",
            reads: query
        ) { subject, _ in StandardClaims.wrongUpdatedAt(claims(subject)) }
    }

    func updatedAtIsPlausible(_ consequence: Consequence) -> Check {
        Check(
            id("updated-at.is-plausible"),
            titled("updated_at is a time between 1990 and now"),
            .risk,
            consequence,
            Citation(.core, "5.1", "the number of seconds from 1970-01-01T00:00:00Z as measured in UTC"),
            why: "Applications that cache a profile until it changes never reload it, or reload it every time.",
            reads: query,
            supersededBy: [id("updated-at.is-a-number")],
            exempt: unless("updated_at"),
            rule: { subject, facts in StandardClaims.implausibleUpdatedAt(claims(subject), facts) }
        )
    }

    func emailIsAnAddress(_ consequence: Consequence) -> Check {
        Check(
            id("email.is-an-address"),
            titled("email is an e-mail address"),
            .must,
            consequence,
            Citation(.core, "5.1", "Its value MUST conform to the RFC 5322 [RFC5322] addr-spec syntax"),
            why: "Platforms store email as the account's address, and reject an invalid one.",
            reads: query,
            exempt: unless("email"),
            rule: { subject, _ in StandardClaims.wrongEmail(claims(subject)) }
        )
    }

    /// The citation is about UserInfo; for ID Tokens it is good advice.
    func haveValues(_ requirement: Requirement) -> Check {
        Check(
            id("claims.have-values"),
            titled("no claim about the user is null or empty"),
            requirement,
            .conformance,
            Citation(.core, "5.3.2", "it SHOULD NOT be present with a null or empty string value"),
            why: "Typed clients fail on null, and applications display an empty name.",
            reads: query
        ) { subject, _ in StandardClaims.empties(claims(subject)) }
    }

    func wereRequested(_ title: String, why: String) -> Check {
        Check(
            id("claims.were-asked-for"),
            title,
            .may,
            .conformance,
            Citation(.core, "5.4", "to specify what access privileges are being requested"),
            why: why,
            reads: query,
            supersededBy: [id("claims.have-right-types")],
            exempt: { subject, _ in StandardClaims.unlessAskedByScopes(asked(subject)) },
            rule: { subject, _ in StandardClaims.unasked(claims(subject), asked(subject)) }
        )
    }

    func groupsAreLists() -> Check {
        Check(
            id("groups.are-lists"),
            titled("groups and roles are lists"),
            .risk,
            .conformance,
            Citation(.experience, "", "groups as one string instead of a list"),
            why: "An application that searches a list for its group treats no user as a member.",
            reads: query,
            exempt: { subject, _ in
                StandardClaims.groups.contains(where: claims(subject).has)
                    ? nil : "\(name) has neither groups nor roles"
            },
            rule: { subject, _ in StandardClaims.looseGroups(claims(subject)) }
        )
    }

    /// Aggregated and distributed claims; null counts as a missing member.
    func sourcesAreStated(_ consequence: Consequence) -> Check {
        Check(
            id("claim-sources.are-stated"),
            titled("every claim in _claim_names names a member of _claim_sources"),
            .must,
            consequence,
            Citation(.core, "5.6.2", "references to the member names in the _claim_sources member"),
            why: "A client cannot fetch the claim. "
                + "go-oidc, and with it Kubernetes and Vault, rejects an ID Token with such a reference.",
            reads: query,
            exempt: { subject, _ in
                Self.references.contains { claims(subject)[$0].map { !$0.isNull } ?? false }
                    ? nil : "\(name) has no _claim_names"
            },
            rule: { subject, _ in
                let (claims, wrong) = (claims(subject), Self.wrongReferences(claims(subject)))
                guard wrong.isEmpty, let names = claims["_claim_names"]?.objectValue else { return wrong }
                let sources = claims["_claim_sources"]?.objectValue
                return names.members.filter { $0.value.stringValue.map { sources?.has($0) ?? false } != true }
                    .map { entry in
                        .claim(
                            "_claim_names/" + entry.name.shown(limit: 80),
                            "_claim_sources does not contain the source of \(entry.name.quoted).",
                            expected: "the name of a member of _claim_sources",
                            found: entry.value,
                            fix: "Add the source to _claim_sources, or return the claim directly."
                        )
                    }
            }
        )
    }

    private static var references: [String] { ["_claim_names", "_claim_sources"] }

    private static func wrongReferences(_ claims: JSONObject) -> [Finding] {
        references.compactMap { name in
            guard let value = claims[name], !value.isNull, value.objectValue == nil else { return nil }
            return .claim(
                name,
                "\(name) is \(value.kind.phrase).",
                expected: "a JSON object",
                found: value,
                fix: "Write \(name) as a JSON object, or remove it."
            )
        }
    }
}
