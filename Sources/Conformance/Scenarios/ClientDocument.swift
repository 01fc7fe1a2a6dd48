/// A document of a client's own that the provider fetches from this machine during a scenario.
package enum ClientDocument: String, Sendable, Hashable, Codable, CaseIterable, CodingKeyRepresentable {
    /// The document of `sector_identifier_uri`: redirect URIs, those of the run among them (Registration section 5).
    case sector
    /// The same without those of the run.
    case foreignSector = "foreign-sector"
    /// The document of `jwks_uri`: the public keys of the client (Registration section 2).
    case keys
    /// A request object that is registered in `request_uris` (Core section 6.2).
    case requestObject = "request-object"
    /// One that is registered likewise, and not signed.
    case unsignedObject = "unsigned-object"
    /// One that is not registered.
    case unregisteredObject = "unregistered-object"
    /// The metadata of a client whose identifier is the address of this document.
    case metadata = "client-metadata"
    /// The same with the identifier of another client.
    case foreignMetadata = "foreign-metadata"
}

extension DynamicRegistration {
    /// Why the provider cannot be given addresses of documents on this machine; `nil` when it can.
    ///
    /// - Parameter issuer: A provider on this machine reaches every port of it.
    package func whyNothingIsServed(to issuer: String) -> String? {
        if documentListener != nil || Target.isLoopback(issuer) { return nil }
        return
            "the provider cannot fetch documents from this machine; set dynamic_registration.document_listener and "
            + "dynamic_registration.documents_at to an address that it can reach"
    }
}
