import Conformance

/// Faults in checking the assertions of configured clients.
extension Fault {
    static let signedAssertions: [Fault] = [
        assertion(
            "token.assertion.expired-is-refused",
            "exp of a client assertion is not checked",
            passing: .expiredAssertion
        ),
        assertion(
            "token.assertion.foreign-audience-is-refused",
            "aud of a client assertion is not checked",
            passing: .wrongAssertionAudience
        ),
        assertion(
            "token.assertion.unsigned-is-refused",
            "a client assertion with alg none is accepted",
            passing: .unsignedAssertion
        ),
        assertion(
            "token.code.needs-the-right-secret",
            variant: "assertion",
            "the signature of a client assertion is not verified",
            passing: .wrongAssertionSignature
        ),
        assertion(
            "token.assertion.is-single-use",
            "a client assertion can be replayed",
            passing: .reusedAssertion
        ),
        refusing(
            "token.assertion.issuer-audience-is-accepted",
            "a client assertion with the issuer as aud is rejected",
            isUnwanted: { !$0.hasSuffix("/token") }
        ),
        refusing(
            "token.assertion.endpoint-audience-is-accepted",
            "a client assertion with the token endpoint as aud is rejected",
            configure: { $0.client?.assertionAudience = .issuer },
            isUnwanted: { $0.hasSuffix("/token") }
        ),
    ]

    /// An invalid assertion that is accepted.
    private static func assertion(
        _ trips: CheckID,
        variant: String? = nil,
        _ title: String,
        passing reason: RejectionReason
    ) -> Fault {
        Fault(
            trips,
            variant: variant,
            title,
            persona: .assertionClient,
            change: { hooks in hooks.overrideRedemption { _, rejection in rejection == reason } }
        )
    }

    /// A valid assertion of the client with a key that is rejected.
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
            change: { hooks in
                hooks.tokenError = { parameters, error in
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
