import Conformance

/// Faults of clients that authenticate with `private_key_jwt`.
extension Fault {
    static let assertions: [Fault] = [
        .asserting("token.private-key-jwt.is-accepted", "private_key_jwt is advertised and refused") { _ in false },
        .asserting("token.private-key-jwt.other-key-is-refused", "signatures of assertions are not verified") {
            $0.isForThis && $0.isInTime
        },
        .asserting("token.private-key-jwt.expired-is-refused", "assertions never expire") {
            $0.isSigned && $0.isForThis
        },
        .asserting("token.private-key-jwt.other-audience-is-refused", "assertions may be for any server") {
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
