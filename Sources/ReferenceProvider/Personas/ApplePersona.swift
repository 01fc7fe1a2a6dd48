import Conformance

extension NamedProvider {
    static let apple: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
