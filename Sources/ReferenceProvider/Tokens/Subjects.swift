import JOSE

/// Subject identifiers (OpenID Connect Core section 8).
extension Provider {
    /// The subject of a grant.
    func subject(of grant: Grant) -> String {
        subject(of: grant.account, at: grant.client, grant.authenticatedAt, authorization: grant.family)
    }

    /// The subject of a session's user at a client.
    func subject(of session: Session, at client: RegisteredClient) -> String {
        subject(of: session.account, at: client, session.authenticatedAt, authorization: "")
    }

    /// The account's own subject, or one per sector; changed by the hooks.
    private func subject(
        of account: Account,
        at client: RegisteredClient,
        _ authenticatedAt: Double,
        authorization: String
    ) -> String {
        var subject = account.subject
        if offer.subjectTypes == ["pairwise"] { subject = pairwiseSubject(of: account, at: client) }
        if client.wishes.isPairwise {
            subject = hooks.registration.pairwiseSubject(pairwiseSubject(of: account, at: client), account.subject)
        }
        return hooks.session.subject(
            subject,
            ClientUser(
                username: account.username,
                clientID: client.id,
                authenticatedAt: authenticatedAt,
                authorization: authorization
            )
        )
    }

    /// Section 8.1, the second method: sector, account and a secret salt.
    private func pairwiseSubject(of account: Account, at client: RegisteredClient) -> String {
        let named = client.sectorURI
        let address = (hooks.registration.regardsSectorURI ? named : nil) ?? client.redirectURIs.first
        let sector = address.map(Self.host) ?? client.id
        return Base64URL.encode(Hashes.sha256(Array((sector + "\n" + account.subject + "\n" + salt).utf8)))
    }

    private static func host(_ uri: String) -> String {
        let rest = uri.firstRange(of: "://").map { uri[$0.upperBound...] } ?? uri[...]
        return String(rest.prefix { !"/?#:".contains($0) })
    }
}
