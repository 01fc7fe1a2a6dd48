import Conformance
import JSONTree

/// Rules about the user's claims that ID Tokens and UserInfo share.
extension StandardClaims {
    /// 1 January 1990, before any user information was kept for OpenID, in seconds since 1970.
    private static let nineties = 631_152_000.0

    /// An `updated_at` before 1990, or ahead of the observation by more than five minutes.
    static func implausibleUpdatedAt(_ claims: JSONObject, _ facts: Facts) -> [Finding] {
        guard let value = claims["updated_at"]?.numberValue,
            !(nineties...facts.observedAt + 300).contains(value)
        else { return [] }
        return [
            .claim(
                "updated_at",
                "updated_at lies \(value < nineties ? "before 1990" : "in the future").",
                expected: "a moment between 1990 and now, in seconds since 1970",
                found: claims["updated_at"],
                fix: "Write updated_at in seconds since 1970, not in milliseconds, or leave it out."
            )
        ]
    }

    /// The scope values of Core section 5.4, with the claims that they ask for.
    static let byScope: [(scope: String, claims: [String])] = [
        ("profile", profile), ("email", ["email", "email_verified"]), ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]

    /// Standard claims whose scope value was not asked for.
    static func unasked(_ claims: JSONObject, _ asked: Asked) -> [Finding] {
        byScope.filter { !asked.askedScopes.contains($0.scope) }
            .compactMap { scope, names in
                let present = names.filter(claims.has)
                guard let first = present.first else { return nil }
                return .claim(
                    first,
                    "\(present.joined(separator: ", ")) came though the scope \(scope) was not asked for.",
                    expected: "claims of the scopes that were asked for",
                    found: claims[first],
                    fix: "Return \(present.joined(separator: ", ")) for the scope \(scope) only."
                )
            }
    }

    /// Why nothing can be said of claims that were not asked for.
    static func unlessAskedByScopes(_ asked: Asked) -> String? {
        if asked.askedScopes.isEmpty { return "the request named no scope" }
        return asked.sentParameter("claims") == nil ? nil : "the request asked for claims one by one"
    }

    /// Claims that name groups or roles and are one string instead of a list.
    static func looseGroups(_ claims: JSONObject) -> [Finding] {
        groups.filter { claims[$0]?.stringValue != nil }
            .map { name in
                .claim(
                    name,
                    "\(name) is one string.",
                    expected: "a list of strings, also when there is one",
                    found: claims[name],
                    fix: "Map \(name) as a list; at many providers this is a setting named multivalued."
                )
            }
    }

    static let groups = ["groups", "roles"]
}
