import Conformance
import JSONTree

/// Values of parameters that derive from what is configured and what the provider publishes.
extension ScenarioRunner {
    /// The text of a derived value; `nil` for a value from earlier steps.
    func derived(_ value: ParameterValue) -> String? {
        switch value {
        case .text, .captured, .extended, .varied: nil
        case .redirectURI(let variation): target.redirectURI.flatMap(variation.changed)
        case .firstListed(let member, let otherwise):
            provider.metadata?[member]?.strings?.first { !$0.isEmpty } ?? otherwise
        case .age(let seconds): "\(seconds + options.secondsOfSignIn)"
        }
    }

    /// Why a request's derived values cannot be had; `nil` when they can.
    func whyNotDerived(_ request: AuthorizationRequest) -> Reason? {
        for change in request.changes {
            guard case .redirectURI? = change.value, let value = change.value, derived(value) == nil else { continue }
            return .notAttempted("the redirect URI \((target.redirectURI ?? "").quoted) cannot be changed in this way")
        }
        return nil
    }
}
