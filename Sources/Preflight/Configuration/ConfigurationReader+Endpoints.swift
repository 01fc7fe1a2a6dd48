import Conformance
import Profiles
import Transport

/// Endpoints that are not in a discovery document.
extension ConfigurationReader {
    func readEndpoints(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root[Keys.endpoints]?.mapping() else { return }
        var endpoints: [String: String] = [:]
        for key in Keys.Endpoints.all {
            guard let value = mapping[key], let address = value.string() else { continue }
            endpoints[key.name] = address
            if WebURL(address) == nil { value.report("“\(address)” must be an absolute URL") }
        }
        configuration.target.endpoints = endpoints
    }
}
