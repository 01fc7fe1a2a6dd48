package import Conformance

/// The checks of this stage, subject by subject.
package enum DiscoveryChecks {
    package static let all: [Check] =
        DiscoveryResponseChecks.all + DiscoveryEverywhereChecks.all + DiscoveryIssuerChecks.all
        + RequiredMemberChecks.all + MemberTypeChecks.all + EndpointURLChecks.all + DiscoveryAlgorithmChecks.all
        + RegisteredNameChecks.all + PKCEMetadataChecks.all + ScopeAndLocaleChecks.all + DefaultChecks.all
        + DiscoveryTargetChecks.all + DiscoveryCachingChecks.all + ProviderClockChecks.all + MemberNameChecks.all
        + ServerMetadataChecks.all + WebFingerChecks.all
}
