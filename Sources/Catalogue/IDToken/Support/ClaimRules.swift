import Conformance
import JSONTree

/// Rules about the user's claims that ID Tokens and UserInfo share.
extension StandardClaims {
    /// 1 January 1990, in seconds since 1970; no user information for OpenID is older.
    private static let nineties = 631_152_000.0

    /// An `updated_at` before 1990, or ahead of the observation by more than five minutes.
    static func implausibleUpdatedAt(_ claims: JSONObject, _ facts: Facts) -> [Finding] {
        guard let value = claims["updated_at"]?.numberValue, value < nineties || value > facts.observedAt + 300 else {
            return []
        }
        return [
            .claim(
                "updated_at",
                "updated_at is \(value < nineties ? "before 1990" : "in the future").",
                expected: "a time between 1990 and now, in seconds since 1970",
                found: claims["updated_at"],
                fix: "Write updated_at in seconds since 1970, not in milliseconds, or omit it."
            )
        ]
    }

    /// The scope values of Core section 5.4, with the claims that they request.
    static let byScope: [(scope: String, claims: [String])] = [
        ("profile", profile), ("email", ["email", "email_verified"]), ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]

    /// Standard claims whose scope value was not requested.
    static func unasked(_ claims: JSONObject, _ asked: StepEvidence) -> [Finding] {
        byScope.filter { !asked.askedScopes.contains($0.scope) }
            .compactMap { scope, names in
                let present = names.filter(claims.has)
                guard let first = present.first else { return nil }
                return .claim(
                    first,
                    "\(present.joined(separator: ", ")) \(present.count == 1 ? "is" : "are") returned although the scope "
                        + "\(scope) was not requested.",
                    expected: "claims of the requested scopes",
                    found: claims[first],
                    fix: "Return \(present.joined(separator: ", ")) only if the scope \(scope) was requested."
                )
            }
    }

    /// The reason why the claims cannot be compared with the requested scopes; `nil` if they can.
    static func unlessAskedByScopes(_ asked: StepEvidence) -> String? {
        if asked.askedScopes.isEmpty { return "the request had no scope" }
        return asked.sentParameter("claims") == nil ? nil : "the request had the parameter claims"
    }

    /// Claims about groups or roles that are one string instead of a list.
    static func looseGroups(_ claims: JSONObject) -> [Finding] {
        groups.filter { claims[$0]?.stringValue != nil }
            .map { name in
                .claim(
                    name,
                    "\(name) is one string.",
                    expected: "a list of strings, even with one element",
                    found: claims[name],
                    fix: "Return \(name) as a list; many providers have a mapper setting named multivalued."
                )
            }
    }

    static let groups = ["groups", "roles"]
}
