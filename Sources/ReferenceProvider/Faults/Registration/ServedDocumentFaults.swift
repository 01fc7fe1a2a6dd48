import Conformance
import JSONTree

/// Faults of documents that the provider fetches from its clients.
extension Fault {
    static let servedDocuments: [Fault] = [
        .special(
            "registration.sector-identifier-uri.matching-is-accepted",
            "registrations with sector_identifier_uri are rejected"
        ) { hooks in
            hooks.registration.error = { metadata, error in
                metadata.has("sector_identifier_uri") ? "invalid_client_metadata" : error
            }
        },
        .special(
            "registration.sector-identifier-uri.mismatch-is-refused",
            "redirect URIs are not compared with the document at sector_identifier_uri"
        ) { hooks in
            hooks.registration.looksIntoSectors = false
        },
        .special(
            "registration.sector-identifier-uri.gives-one-sub",
            "sector_identifier_uri is ignored in the computation of sub"
        ) { hooks in
            hooks.registration.regardsSectorURI = false
        },
        .special("registration.jwks-uri.keys-are-used", "keys at jwks_uri are fetched but not used") { hooks in
            hooks.registration.usesFetchedKeys = false
        },
        .special("registration.jwks-uri.new-key-is-fetched", "keys at jwks_uri are fetched only once") {
            hooks in
            hooks.registration.fetchesKeysAgain = false
        },
        .special("registration.request-uris.objects-are-used", "request objects are fetched but ignored") { hooks in
            hooks.requests.readsFetchedObject = false
        },
        .special("registration.request-uris.unsigned-objects-are-used", "unsigned fetched request objects are rejected")
        {
            hooks in
            hooks.requests.takesUnsignedFetched = false
        },
        .special(
            "registration.request-uris.others-are-refused",
            "request objects are fetched from an unregistered request_uri"
        ) {
            hooks in
            hooks.requests.requestsRegisteredURI = false
        },
    ]
}
