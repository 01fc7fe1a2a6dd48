import Conformance

/// Faults of clients that authenticate with `private_key_jwt`.
extension Fault {
    static let assertions: [Fault] = [
        .asserting("token.private-key-jwt.is-accepted", "private_key_jwt is advertised but rejected") { _ in false },
        .asserting("token.private-key-jwt.other-key-is-refused", "the signature of a client assertion is not verified")
        {
            $0.isForThis && $0.isInTime
        },
        .asserting("token.private-key-jwt.expired-is-refused", "an expired client assertion is accepted") {
            $0.isSigned && $0.isForThis
        },
        .asserting(
            "token.private-key-jwt.other-audience-is-refused",
            "a client assertion for another server is accepted"
        ) {
            $0.isSigned && $0.isInTime
        },
    ]

    private static func asserting(
        _ trips: CheckID,
        _ title: String,
        _ accepts: @escaping @Sendable (AssertionRules) -> Bool
    ) -> Fault {
        .special(trips, title) { $0.registration.acceptsAssertion = accepts }
    }
}
