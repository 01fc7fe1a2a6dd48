package import Conformance

/// The checks of the authorization stage, by topic.
package enum AuthorizationChecks {
    package static let all: [Check] =
        OutcomeChecks.all + StateChecks.all + IssuerParameterChecks.all + PlacementChecks.all + ArtefactChecks.all
        + ErrorChecks.all + RequestChecks.all + PromptChecks.all + SilentPromptChecks.all + SignInAgainChecks.all
        + HintChecks.all + RedirectURIChecks.all + RepeatedParameterChecks.all + MalformedRequestChecks.all
        + FormPostChecks.all + ResponseTypeChecks.all + AdvertisedTypeChecks.all + OptionalParameterChecks.all
        + UnusualValueChecks.all + ResponseQualityChecks.all + SignInPageChecks.all + ClaimsParameterChecks.all
        + RequestObjectChecks.all + PushedRequestChecks.all + PushedRequestUseChecks.all
}
