import Conformance
import Profiles
import Transport

/// Addresses of endpoints that no discovery document states.
extension ConfigurationReader {
    func readEndpoints(_ root: StrictYAML.Mapping, into configuration: inout Configuration) {
        guard let mapping = root["endpoints"]?.mapping() else { return }
        mapping.allow(KnownAddress.members)
        var endpoints: [String: String] = [:]
        for (member, value) in mapping.pairs where KnownAddress.members.contains(member) {
            guard let address = value.string() else { continue }
            endpoints[member] = address
            if WebURL(address) == nil { value.report("“\(address)” must be an absolute URL") }
        }
        configuration.target.endpoints = endpoints
    }
}
