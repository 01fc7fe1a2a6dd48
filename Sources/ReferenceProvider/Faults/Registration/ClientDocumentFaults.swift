import Conformance

/// Faults with clients whose identifier is the address of their metadata.
extension Fault {
    static let clientDocuments: [Fault] = [
        .special(
            "registration.client-document.can-sign-in",
            "client metadata is fetched, and no such client is accepted"
        ) {
            $0.registration.acceptsClientDocument = { _, _ in false }
        },
        .special(
            "registration.client-document.loopback-port-may-vary",
            "the port of a loopback redirect URI is compared with the client's metadata"
        ) { $0.registration.letsPortsVary = false },
        .special(
            "registration.client-document.mismatch-is-refused",
            "client_id in client metadata is not compared with its address"
        ) { $0.registration.acceptsClientDocument = { _, _ in true } },
    ]
}
