import Conformance
import JSONTree

/// A provider of the world, as far as one that tries to register it can tell: what it offers, what it does its own way.
///
/// Each is one value in a file of its own. What it does differently from the specifications is in `habits`, which change
/// the same ``Seams`` that faults change; faults come after them.
struct NamedProvider: Sendable {
    /// The profile whose gate this provider opens.
    var profile = "openid"
    /// The checks whose advice it does not follow by that profile: none of them is an error.
    var remarks: [CheckID] = []
    /// The checks that it fails at level error: with any of them the gate of its profile stays closed.
    var failures: [CheckID] = []
    var offer = Offer()
    /// The flows that are configured to judge it.
    var flows: [ResponseType] = ["code"]
    /// How the configured client authenticates.
    var authentication = ClientAuthentication.clientSecretBasic
    /// What its clients send as `client_secret`, where that is not one text for ever.
    var clientSecret: (@Sendable () -> Secret?)?
    /// Another client for one of the flows, so that subjects can be compared.
    var clients: [ResponseTypeClient] = []
    var scopes = ["openid", "profile", "email"]
    /// What the platform calls it: `microsoft.com`; `nil` for a name of one's own.
    var providerID: String?
    var accounts: [Account] = [.alice, .bob]
    /// Faults that a demonstration shows, each in another room, so that the gate is closed by exactly these.
    var demonstration: [String] = []
    /// What it does its own way.
    var habits: @Sendable (inout Seams) -> Void = { _ in }
    /// What else is configured to judge it.
    var configure: @Sendable (inout Target) -> Void = { _ in }
}

extension Persona {
    /// What a provider of the world is like; `nil` for the kinds that only show what the specifications allow.
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
        default: nil
        }
    }
}
