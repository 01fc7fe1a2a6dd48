import Conformance
import JSONTree

/// Faults of documents that the provider fetches from its clients.
extension Fault {
    static let servedDocuments: [Fault] = [
        .special(
            "registration.sector-identifier-uri.matching-is-accepted",
            "clients with a sector_identifier_uri are refused"
        ) { seams in
            seams.registration.error = { metadata, error in
                metadata.has("sector_identifier_uri") ? "invalid_client_metadata" : error
            }
        },
        .special(
            "registration.sector-identifier-uri.mismatch-is-refused",
            "nobody looks into the document of a sector"
        ) { seams in
            seams.registration.looksIntoSectors = false
        },
        .special(
            "registration.sector-identifier-uri.gives-one-sub",
            "a sector is the host of the redirect URI, whatever sector_identifier_uri says"
        ) { seams in
            seams.registration.regardsSectorURI = false
        },
        .special("registration.jwks-uri.keys-are-used", "keys at jwks_uri are fetched and not used") { seams in
            seams.registration.usesFetchedKeys = false
        },
        .special("registration.jwks-uri.new-key-is-fetched", "keys at jwks_uri are fetched once and never again") {
            seams in
            seams.registration.fetchesKeysAgain = false
        },
        .special("registration.request-uris.objects-are-used", "request objects are fetched and passed over") { seams in
            seams.requests.readsFetchedObject = false
        },
        .special("registration.request-uris.unsigned-objects-are-used", "fetched request objects must be signed") {
            seams in
            seams.requests.takesUnsignedFetched = false
        },
        .special("registration.request-uris.others-are-refused", "request objects are fetched from any address") {
            seams in
            seams.requests.asksForRegisteredURI = false
        },
    ]
}
