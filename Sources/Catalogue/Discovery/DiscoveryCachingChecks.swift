import Conformance

/// How long the discovery document may be kept.
enum DiscoveryCachingChecks {
    static let isStated = Check(
        "discovery.cache-control.is-present",
        "The lifetime of the document is stated",
        .may,
        .conformance,
        Citation(.rfc9111, "4.2.2", "a cache MAY assign a heuristic expiration time"),
        why: "Without it each client decides for itself when a change of the provider reaches it.",
        reads: DiscoverySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        CacheControl.absence(in: exchange, of: "the discovery document")
    }

    static let allowsStoring = Check(
        "discovery.cache-control.allows-storing",
        "The document may be kept",
        .may,
        .conformance,
        Citation(.rfc9111, "5.2.2.5", "MUST NOT store any part of either the immediate request or the response"),
        why: "Every sign-in then has to wait for the document, and fails whenever it cannot be had.",
        reads: DiscoverySlots.answer,
        exempt: DiscoverySlots.unlessSuccessful
    ) { exchange, _ in
        CacheControl.noStore(in: exchange, of: "the discovery document")
    }

    static let all: [Check] = [isStated, allowsStoring]
}
