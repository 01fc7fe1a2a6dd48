import Conformance

/// Faults in judging the assertions of clients of the configuration.
extension Fault {
    static let signedAssertions: [Fault] = [
        assertion("token.assertion.expired-is-refused", "exp is not looked at", passing: "the assertion has expired"),
        assertion(
            "token.assertion.foreign-audience-is-refused",
            "aud is not looked at",
            passing: "the assertion is for another server"
        ),
        assertion(
            "token.assertion.unsigned-is-refused",
            "alg none is taken",
            passing: "the assertion is not signed"
        ),
        assertion(
            "token.code.needs-the-right-secret",
            variant: "assertion",
            "the signature of an assertion is not looked at",
            passing: "the assertion's signature does not match"
        ),
        assertion(
            "token.assertion.is-single-use",
            "jti is not looked at",
            passing: "the assertion was used before"
        ),
        refusing(
            "token.assertion.issuer-audience-is-accepted",
            "the issuer is no audience",
            isUnwanted: { !$0.hasSuffix("/token") }
        ),
        refusing(
            "token.assertion.endpoint-audience-is-accepted",
            "the token endpoint is no audience",
            configure: { $0.client?.assertionAudience = .issuer },
            isUnwanted: { $0.hasSuffix("/token") }
        ),
    ]

    /// An assertion that is taken although something is wrong with it.
    private static func assertion(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        passing reason: String
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            persona: .assertionClient,
            change: { seams in seams.letCodePass { _, text in text == reason } }
        )
    }

    /// An assertion of the client with a key that is refused although nothing is wrong with it.
    private static func refusing(
        _ trips: CheckID,
        _ title: String,
        configure: @escaping @Sendable (inout Target) -> Void = { _ in },
        isUnwanted: @escaping @Sendable (String) -> Bool
    ) -> Fault {
        Fault(
            trips,
            title,
            persona: .assertionClient,
            configure: configure,
            change: { seams in
                seams.tokenError = { parameters, error in
                    guard let assertion = parameters["client_assertion"].map({ ReceivedAssertion($0) }),
                        assertion.text("sub") == RegisteredClient.keyed.id,
                        assertion.audiences.contains(where: isUnwanted)
                    else { return error }
                    return OAuthError("invalid_client", "the assertion is for somebody else")
                }
            }
        )
    }
}
