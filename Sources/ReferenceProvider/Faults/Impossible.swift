package import Conformance

extension Fault {
    /// Checks without a fault, each with the reason why the reference provider cannot have one.
    package static let impossible: [(check: CheckID, reason: String)] = [
        (
            "transport.protocol.is-tls-1-2-or-newer",
            "the server library that the reference provider is built on speaks nothing older than TLS 1.2"
        ),
        (
            "transport.authority.is-public",
            "the reference provider runs on loopback, where the check does not apply"
        ),
    ]
}
