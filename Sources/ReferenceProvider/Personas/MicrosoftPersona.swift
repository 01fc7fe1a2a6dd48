import Conformance

extension NamedProvider {
    static let microsoft: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
