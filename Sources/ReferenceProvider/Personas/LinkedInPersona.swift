import Conformance

extension NamedProvider {
    static let linkedIn: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
