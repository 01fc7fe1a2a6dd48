import Conformance

extension NamedProvider {
    static let twitter: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
