/// The members of metadata that name addresses which software asks.
package enum EndpointMembers {
    /// Those of an ordinary sign-in.
    package static let signIn = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]

    /// Those that specifications define: other names are extensions, which no client is known to read (Discovery section 3).
    package static let all =
        signIn + [
            "registration_endpoint", "revocation_endpoint", "introspection_endpoint", "device_authorization_endpoint",
            "pushed_authorization_request_endpoint", "backchannel_authentication_endpoint", "end_session_endpoint",
            "check_session_iframe",
        ]
}

extension HostObservation {
    /// The name in findings.
    var label: String { "\(host):\(port)" }

    /// Whether what is seen of the host is the provider's concern with its clients.
    ///
    /// A host that only an extension names may be ignored; an unreached one that no ordinary sign-in needs makes no check
    /// inconclusive.
    var matters: Bool {
        if members.contains("issuer") || members.contains(where: EndpointMembers.signIn.contains) { return true }
        return tls.value != nil && members.contains(where: EndpointMembers.all.contains)
    }
}
