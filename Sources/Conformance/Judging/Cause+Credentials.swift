/// The advice for a client that the provider rejects.
extension Cause {
    /// The advice for a rejected client.
    static func credentialAdvice(_ client: Client?) -> String {
        if client?.authentication == ClientAuthentication.none {
            return
                "A confidential client needs its secret or its key: set client.secret, or "
                + "register it as a public client"
        }
        if client?.authentication == .privateKeyJWT {
            return
                "Check client.id, client.private_key (the registered public key, and kid) and client.authentication against "
                + "the registration; check client.assertion_audience, and the clock of this machine"
        }
        return
            "Check client.id, the client's secret and client.authentication against the registration; for a public client "
            + "set client.authentication: none"
    }

    /// The configuration keys of a client's credentials.
    static func credentialKeys(_ client: Client?) -> [String] {
        let credential = client?.authentication == .privateKeyJWT ? "client.private_key" : "client.secret"
        return ["client.id", credential, "client.authentication"]
    }
}
