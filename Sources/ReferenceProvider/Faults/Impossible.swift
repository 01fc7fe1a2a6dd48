package import Conformance

extension Fault {
    /// Checks without a fault, each with the reason why the reference provider cannot have one.
    package static let impossible: [(check: CheckID, reason: String)] = [
        (
            "transport.authority.is-public",
            "the reference provider runs on loopback, where the check does not apply"
        ),
        (
            "idtoken.subject-claims.are-present",
            "no built-in profile identifies users by other claims than sub, so the check does not apply"
        ),
    ]
}
