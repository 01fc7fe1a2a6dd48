import Conformance

extension NamedProvider {
    static let auth0: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
