import Conformance
import JSONTree

/// The types of the standard claims (OpenID Connect Core section 5.1), the same in ID Tokens and at UserInfo.
enum StandardClaims {
    static let texts = [
        "name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website", "email", "gender", "birthdate", "zoneinfo", "locale", "phone_number",
    ]
    /// The members of the claim address (Core section 5.1.1).
    static let addressTexts = ["formatted", "street_address", "locality", "region", "postal_code", "country"]
    static let booleans = ["email_verified", "phone_number_verified"]
    /// The claims of the scope value `profile` (Core section 5.4).
    static let profile = [
        "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
    ]

    /// Text claims that are not strings; another rule checks for null.
    static func wrongTexts(_ claims: JSONObject) -> [Finding] {
        wrong(texts, claims, expected: "a string") { $0.stringValue != nil }
            + wrong(["address"], claims, expected: "a JSON object") { $0.objectValue != nil }
            + wrong(addressTexts, claims["address"]?.objectValue ?? JSONObject(), of: "address/", expected: "a string")
        { $0.stringValue != nil }
    }

    static func wrongBooleans(_ claims: JSONObject) -> [Finding] {
        wrong(booleans, claims, expected: "true or false, without quotation marks") { $0.boolValue != nil }
    }

    static func wrongUpdatedAt(_ claims: JSONObject) -> [Finding] {
        wrong(["updated_at"], claims, expected: "seconds since 1970, a JSON number") { $0.numberValue != nil }
    }

    /// An address without an at sign between two parts is not an `addr-spec`; nothing else is checked here.
    static func wrongEmail(_ claims: JSONObject) -> [Finding] {
        guard let email = claims["email"]?.stringValue, !email.isEmpty else { return [] }
        let parts = email.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count < 2 || parts.contains("") else { return [] }
        return [
            .claim(
                "email",
                "The claim email is not an address.",
                expected: "an address such as user@example.com",
                found: claims["email"],
                fix: "Return the address itself in email, or omit the claim."
            )
        ]
    }

    /// Standard claims, groups and roles that are null or an empty string.
    static func empties(_ claims: JSONObject) -> [Finding] {
        (texts + booleans + ["updated_at", "address", "groups", "roles"])
            .filter { claims[$0]?.isNull == true || claims[$0]?.stringValue == "" }
            .map { name in
                .claim(
                    name,
                    "The claim \(name) is present without a value.",
                    expected: "a value, or no \(name)",
                    found: claims[name],
                    fix: "Omit \(name) if it has no value."
                )
            }
    }

    private static func wrong(
        _ names: [String],
        _ claims: JSONObject,
        of parent: String = "",
        expected: String,
        isRight: (JSON) -> Bool
    ) -> [Finding] {
        names.compactMap { member in
            guard let value = claims[member], !value.isNull, !isRight(value) else { return nil }
            let name = parent + member
            return .claim(
                name,
                "The claim \(name) is \(value.kind.phrase).",
                expected: expected,
                found: value,
                fix: "Return \(name) as \(expected)."
            )
        }
    }
}
