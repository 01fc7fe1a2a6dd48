internal import Conformance
internal import Flows
internal import Profiles
internal import Transport

/// Clients that a run may register at the provider.
extension ConfigurationReader {
    func readDynamicRegistration(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.dynamicRegistration]?.mapping() else { return }
        // It must be enabled explicitly, because it changes the provider's state.
        let isEnabled = mapping[Keys.DynamicRegistration.enabled]?.boolean() ?? false
        let token = mapping[Keys.DynamicRegistration.initialAccessToken]
        configuration.secrets.initialAccessToken = isEnabled ? token.flatMap(secret) : nil
        var registration = DynamicRegistration(
            isEnabled: isEnabled,
            hasInitialAccessToken: isEnabled && token != nil
        )
        if let value = mapping[Keys.DynamicRegistration.documentListener], let place = value.string() {
            registration.documentListener = place
            if WebURL("http://" + place)?.port == nil {
                value.report("“\(place)” must be HOST:PORT, such as 127.0.0.1:8766")
            }
        }
        if let value = mapping[Keys.DynamicRegistration.documentsAt], let address = value.string() {
            registration.documentsAt = address
            if WebURL(address) == nil {
                value.report("“\(address)” must be an absolute URL, such as https://tunnel.example.com")
            }
            if registration.documentListener == nil {
                value.report("documents_at requires document_listener, which is missing")
            }
        }
        configuration.target.dynamicRegistration = registration
    }
}
