import Conformance
import Profiles
import Transport

/// Addresses of endpoints that no discovery document states.
extension ConfigurationReader {
    func readEndpoints(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["endpoints"]?.mapping() else { return }
        var endpoints: [String: String] = [:]
        for member in KnownAddress.members {
            guard let value = mapping[member], let address = value.string() else { continue }
            endpoints[member] = address
            if WebURL(address) == nil { value.report("“\(address)” must be an absolute URL") }
        }
        configuration.target.endpoints = endpoints
    }
}
