import Conformance

/// How long the discovery document may be kept.
enum DiscoveryCachingChecks {
    static let isStated = DiscoveryResponseChecks.document.statesItsLifetime(
        "The lifetime of the document is stated",
        why: "Without it each client decides for itself when a change of the provider reaches it."
    )

    static let allowsStoring = DiscoveryResponseChecks.document.mayBeKept(
        "The document may be kept",
        why: "Every sign-in then has to wait for the document, and fails whenever it cannot be had."
    )

    static let all: [Check] = [isStated, allowsStoring]
}
