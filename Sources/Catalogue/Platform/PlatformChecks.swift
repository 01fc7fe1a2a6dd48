package import Conformance

/// All checks of this stage.
package enum PlatformChecks {
    package static let all: [Check] =
        FirebaseRegistrationChecks.all + FirebaseRequestChecks.all + FirebaseTokenChecks.all + SPAChecks.all
        + IssuerRuleChecks.all + MetadataRuleChecks.all + DocumentRuleChecks.all + KeyRuleChecks.all
        + TokenRuleChecks.all + UserRuleChecks.all + ClientRuleChecks.all + RequestRuleChecks.all
        + UserAPIRuleChecks.all + PageRuleChecks.all + ResourceRuleChecks.all + HostRuleChecks.all
        + GitHubRegistrationChecks.all + GitHubTokenChecks.all + GitHubUserChecks.all + TwitterChecks.all
        + FirebaseChoiceChecks.all + FirebaseAccountChecks.all + MicrosoftIssuerChecks.all + MicrosoftAccountChecks.all
        + YahooChecks.all
}
