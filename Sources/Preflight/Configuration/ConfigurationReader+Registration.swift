internal import Conformance
internal import Flows
internal import Profiles

/// Clients that a run may register at the provider.
extension ConfigurationReader {
    func readDynamicRegistration(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.dynamicRegistration]?.mapping() else { return }
        // What switches it on is one word that says so: it changes the provider's state.
        let isEnabled = mapping[Keys.DynamicRegistration.enabled]?.boolean() ?? false
        let token = mapping[Keys.DynamicRegistration.initialAccessToken]
        configuration.secrets.initialAccessToken = isEnabled ? token.flatMap(secret) : nil
        configuration.target.dynamicRegistration = DynamicRegistration(
            isEnabled: isEnabled,
            hasInitialAccessToken: isEnabled && token != nil
        )
    }
}
