import Conformance

/// A real provider as a relying party sees it: its capabilities, and its deviations.
///
/// Each is one value in its own file. Deviations from the specifications are in `habits`, which change the same
/// ``Hooks`` as faults do; faults are applied after them.
struct NamedProvider: Sendable {
    /// The profile whose gate this provider passes.
    var profile = "openid"
    /// The checks of that profile that it fails below level error.
    var expectedWarnings: [CheckID] = []
    /// The checks that it fails at level error; any of them closes the gate of its profile.
    var failures: [CheckID] = []
    var offer = Offer()
    /// The configured flows.
    var flows: [ResponseType] = ["code"]
    /// How the configured client authenticates.
    var authentication = ClientAuthentication.clientSecretBasic
    /// The `client_secret` of its clients, if it is not constant.
    var clientSecret: (@Sendable () -> Secret?)?
    /// Another client for one of the flows, so that subjects can be compared.
    var clients: [ResponseTypeClient] = []
    var scopes = ["openid", "profile", "email"]
    /// The platform's name for it, such as `microsoft.com`; `nil` for a custom name.
    var providerID: String?
    var accounts: [Account] = [.alice, .bob]
    /// Faults for a demonstration, each in another part of the provider, so that exactly these close the gate.
    var demonstration: [String] = []
    /// Its deviations from the specifications.
    var habits: @Sendable (inout Hooks) -> Void = { _ in }
    /// Whether the configured client authenticates with its key.
    var isKeyed = false
    /// Further configuration for the run.
    var configure: @Sendable (inout Target) -> Void = { _ in }
}

extension NamedProvider {
    /// A provider that returns no `iss` in its responses and states no context classes, as most do.
    static func ordinary(_ describe: (inout NamedProvider) -> Void) -> NamedProvider {
        var provider = NamedProvider()
        provider.offer.sendsIssuer = false
        provider.offer.contextClasses = []
        describe(&provider)
        return provider
    }
}

extension Account {
    /// The two users of a provider that knows them in its own way.
    static func both(_ change: (inout Account) -> Void) -> [Account] {
        [alice, bob]
            .map { account in
                var account = account
                change(&account)
                return account
            }
    }
}

extension Persona {
    /// The real provider that it models; `nil` for kinds that only vary what the specifications allow.
    var named: NamedProvider? {
        switch self {
        case .microsoft: .microsoft(.common)
        case .microsoftTenant: .microsoft(.tenant)
        case .microsoftConsumers: .microsoft(.consumers)
        case .yahoo: .yahoo
        case .github: .gitHub
        case .twitter: .twitter
        case .google: .google
        case .apple: .apple
        case .line: .line
        case .auth0: .auth0
        case .cognito: .cognito
        case .linkedin: .linkedIn
        case .govUK: .govUK
        case .loginGov: .loginGov
        case .franceConnect: .franceConnect
        case .singpass: .singpass
        case .singpassFAPI: .singpassFAPI
        case .itsme: .itsme
        case .spid: .spid
        case .tara: .tara
        case .idPorten: .idPorten
        case .twitch: .twitch
        case .slack: .slack
        case .nhsLogin: .nhsLogin
        case .okta: .okta
        case .adfs: .adfs
        case .salesforce: .salesforce
        case .keycloak: .keycloak
        case .uaa: .uaa
        case .hydra: .hydra
        case .kakao: .kakao
        case .naver: .naver
        case .discord: .discord
        default: nil
        }
    }
}
