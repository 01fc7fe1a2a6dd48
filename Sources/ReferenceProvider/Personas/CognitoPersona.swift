import Conformance

extension NamedProvider {
    static let cognito: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.hasEndSession = true
        return provider
    }()
}
