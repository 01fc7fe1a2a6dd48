package import Conformance

/// All checks of this stage.
package enum IDTokenChecks {
    package static let all: [Check] =
        IDTokenFormChecks.all + IDTokenHeaderChecks.all + KeyNameChecks.all + IDTokenSignatureChecks.all
        + SigningKeyChecks.all + EveryIDTokenChecks.all + IssuerAudienceChecks.all + SubjectChecks.all
        + SessionSubjectChecks.all + TimeChecks.all + AuthTimeChecks.all + BindingChecks.all + ClaimTypeChecks.all
        + ClaimScopeChecks.all + ChoiceChecks.all + HybridChecks.all + RegisteredSignatureChecks.all
        + EncryptedIDTokenChecks.all + RegisteredClientChecks.tokens
}
