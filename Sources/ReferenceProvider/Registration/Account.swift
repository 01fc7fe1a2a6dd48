package import Conformance
import JOSE
import JSONTree

/// A user who can sign in.
package struct Account: Sendable {
    package var username: String
    package var password: Secret
    /// The subject identifier, the same for every client (Core section 8: `public`).
    var subject: String
    /// The standard claims of Core section 5.1, without `sub`.
    var claims: JSONObject
    /// Claims by scope that are in every ID Token for that scope, and never at UserInfo.
    var tokenClaims: [String: JSONObject] = [:]

    /// The user's one-time codes, if the provider requires one.
    package var codes = AccountCodes(key: Array("12345678901234567890".utf8))

    /// The user's passkey, if the provider requires one.
    package var passkey: AccountPasskey?

    /// The claims that scopes request (Core section 5.4).
    func claims(for scopes: [String]) -> JSONObject {
        let names = scopes.flatMap { Self.claimNames[$0] ?? [] }
        return JSONObject(claims.members.filter { names.contains($0.name) })
    }

    /// The claims of ``tokenClaims`` for scopes.
    func tokenClaims(for scopes: [String]) -> JSONObject {
        scopes.compactMap { tokenClaims[$0] }.reduce(JSONObject()) { $0.merging($1) }
    }

    /// Individually requested claims (Core section 5.5); those that the user does not have are omitted.
    func claims(named names: [String]) -> JSONObject {
        JSONObject(claims.members.filter { names.contains($0.name) })
    }

    private static let claimNames = [
        "profile": [
            "name", "given_name", "family_name", "preferred_username", "zoneinfo", "locale", "updated_at",
        ],
        "email": ["email", "email_verified"],
        "address": ["address"],
        "phone": ["phone_number", "phone_number_verified"],
    ]

    /// Every claim that accounts can have.
    static let allClaimNames = [
        "name", "given_name", "family_name", "preferred_username", "zoneinfo", "locale", "updated_at", "email",
        "email_verified", "address", "phone_number", "phone_number_verified",
    ]
}

extension Account {
    /// The user whom ``Persona/credentials`` sign in.
    package static let alice = Account(
        username: "alice",
        password: Secret("correct horse battery staple"),
        subject: "248289761001",
        claims: [
            "name": "Alice Example", "given_name": "Alice", "family_name": "Example",
            "preferred_username": "alice", "zoneinfo": "Europe/Berlin", "locale": "en",
            "updated_at": 1_750_000_000, "email": "alice@example.com", "email_verified": true,
            "address": ["formatted": "Unter den Linden 1\n10117 Berlin", "country": "Germany"],
            "phone_number": "+49 30 901820", "phone_number_verified": true,
        ]
    )

    package static let bob = Account(
        username: "bob",
        password: Secret("tr0ub4dor and three"),
        subject: "248289761002",
        claims: [
            "name": "Bob Example", "given_name": "Bob", "family_name": "Example", "preferred_username": "bob",
            "zoneinfo": "Europe/Paris", "locale": "en", "updated_at": 1_750_000_001, "email": "bob@example.com",
            "email_verified": false, "address": ["country": "France"], "phone_number": "+33 1 99 00 12 34",
            "phone_number_verified": false,
        ],
        codes: AccountCodes(key: Array("another key than the first one's".utf8), digits: 8, hash: .sha256)
    )
}
