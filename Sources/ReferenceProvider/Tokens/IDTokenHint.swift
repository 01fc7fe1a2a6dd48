import Conformance
import JOSE

/// An ID Token that a client sends back to say whom it means.
struct IDTokenHint: Sendable {
    /// The account's own subject, whatever the client knows it as.
    var subject: String
    var clientID: String
}

extension Provider {
    /// The person and the client of an ID Token that this provider issued; `nil` when it did not.
    ///
    /// One that has expired is as good a hint as any (Core section 3.1.2.1, RP-Initiated Logout section 2). What was issued
    /// is remembered octet for octet, so that no key and no claim has to be trusted.
    func hint(_ token: String) -> IDTokenHint? { store.hint(Self.fingerprint(token)) }

    /// Remembers an ID Token as it leaves the provider.
    func remember(_ token: String, _ grant: Grant) {
        store.remember(
            Self.fingerprint(token),
            IDTokenHint(subject: grant.account.subject, clientID: grant.client.id)
        )
    }

    private static func fingerprint(_ token: String) -> String {
        Base64URL.encode(Hashes.sha256(Array(token.utf8)))
    }
}
