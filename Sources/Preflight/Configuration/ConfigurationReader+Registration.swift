internal import Conformance
internal import Flows
internal import Profiles

/// Clients that a run may register at the provider.
extension ConfigurationReader {
    func readDynamicRegistration(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["dynamic_registration"]?.mapping() else { return }
        mapping.allow(["enabled", "initial_access_token"])
        // What switches it on is one word that says so: it changes the provider's state.
        let isEnabled = mapping.required("enabled")?.boolean() ?? false
        let token = isEnabled ? mapping["initial_access_token"].flatMap(secret) : nil
        configuration.secrets.initialAccessToken = token
        configuration.target.dynamicRegistration = DynamicRegistration(
            isEnabled: isEnabled,
            hasInitialAccessToken: isEnabled && mapping["initial_access_token"] != nil
        )
    }
}
