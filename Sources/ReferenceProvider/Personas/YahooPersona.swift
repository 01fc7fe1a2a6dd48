import Conformance

extension NamedProvider {
    static let yahoo: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
