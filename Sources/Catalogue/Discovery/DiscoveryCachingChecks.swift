import Conformance

/// How long clients may cache the discovery document.
enum DiscoveryCachingChecks {
    static let isStated = DiscoveryResponseChecks.document.statesItsLifetime(
        "The provider sends Cache-Control or Expires with the discovery document",
        why: "Without these headers, each client decides for itself how long it uses an outdated document."
    )

    static let allowsStoring = DiscoveryResponseChecks.document.allowsStoring(
        "The provider allows clients to cache the discovery document",
        why:
            "Clients must then fetch the document for every sign-in, which is slow and fails if the server is unavailable."
    )

    static let all: [Check] = [isStated, allowsStoring]
}
