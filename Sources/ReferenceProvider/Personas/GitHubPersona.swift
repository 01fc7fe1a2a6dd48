import Conformance

extension NamedProvider {
    static let gitHub: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
