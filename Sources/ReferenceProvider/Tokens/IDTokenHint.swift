import JOSE

/// An ID Token that a client sends back to identify the user.
struct IDTokenHint: Sendable {
    /// The account's own subject, which may differ from the client's `sub`.
    var subject: String
    var clientID: String
    /// Its `sid`.
    var sessionID: String?
}

extension Provider {
    /// The user and the client of an ID Token that this provider issued; `nil` if it did not.
    ///
    /// An expired one is a valid hint (Core section 3.1.2.1, RP-Initiated Logout section 2). Issued ID Tokens are
    /// compared byte by byte, so that no key or claim has to be trusted.
    func hint(_ token: String) -> IDTokenHint? { store.hint(Self.fingerprint(token)) }

    /// Records an ID Token when it is issued.
    func remember(_ token: String, _ grant: Grant) {
        store.remember(
            Self.fingerprint(token),
            IDTokenHint(subject: grant.account.subject, clientID: grant.client.id, sessionID: grant.sessionID)
        )
    }

    private static func fingerprint(_ token: String) -> String {
        Base64URL.encode(Hashes.sha256(Array(token.utf8)))
    }
}
