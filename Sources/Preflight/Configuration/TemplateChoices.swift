internal import Conformance
internal import FoundationEssentials

/// What a template enters for a platform: what its profile's parameters and rules accept, as far as the provider offers it.
struct TemplateChoices {
    let parameters: ProfileParameters
    /// `nil` where there is no discovery document.
    let metadata: Metadata?

    // MARK: Client

    /// The identifier that the platform always has, or a made-up one.
    var clientID: String { parameters.words(.tokenAudiences)?.first ?? "my-client" }

    /// How the client authenticates; `nil` where its secret signs requests instead (OAuth 1.0a).
    var authentication: ClientAuthentication? {
        if parameters.usesOAuth1 { return nil }
        // There is nothing to authenticate for without a token endpoint.
        let redeemsCodes = flows.contains { ResponseType($0).hasCode }
        if !redeemsCodes, parameters.states(.clientIsConfidential) == nil { return ClientAuthentication.none }
        let accepted = acceptedAuthentication
        return accepted.first { offeredMethods.contains($0.rawValue) } ?? accepted.first ?? .clientSecretBasic
    }

    /// The methods of the discovery document, or the default; what a provider without one takes is the profile's matter.
    var offeredMethods: [String] {
        parameters.readsDiscovery ? metadata?.tokenEndpointAuthMethods ?? ["client_secret_basic"] : []
    }

    private var acceptedAuthentication: [ClientAuthentication] {
        if parameters.states(.clientIsPublic) != nil { return [.none] }
        if parameters.states(.secretInBody) != nil { return [.clientSecretPost] }
        let named = parameters.words(.clientAuthentication) ?? parameters.words(.metadataAuthentication)
        let methods = named?.compactMap { ClientAuthentication(rawValue: $0) } ?? usualAuthentication
        let isConfidential = parameters.states(.clientIsConfidential) != nil
        return isConfidential ? methods.filter { $0 != .none } : methods
    }

    /// A provider of plain OAuth documents its secret as one more parameter, unless its profile says otherwise.
    private var usualAuthentication: [ClientAuthentication] {
        parameters.readsDiscovery ? ClientAuthentication.allCases : [.clientSecretPost]
    }

    /// What the client registers for its ID Tokens; `nil` for the default, RS256 (Registration section 2).
    ///
    /// A profile's parameter begins with what the provider signs with; the lists of rules have no order.
    var idTokenAlgorithm: String? {
        guard let offered = metadata?.strings("id_token_signing_alg_values_supported") else { return nil }
        let usual = "RS256"
        let preferred = parameters.idTokenAlgorithms.first { offered.contains($0) }
        if let preferred { return preferred == usual ? nil : preferred }
        guard let accepted = parameters.words(.tokenAlgorithms) ?? parameters.words(.metadataAlgorithms) else {
            return nil
        }
        if accepted.contains(usual), offered.contains(usual) { return nil }
        return accepted.first { offered.contains($0) }
    }

    // MARK: Requests

    /// The flows that the platform uses and the provider offers; the code flow where that is not known.
    var flows: [String] {
        if parameters.usesOAuth1 { return [] }
        let stated = parameters.responseTypes.isEmpty ? nil : parameters.responseTypes
        let accepted = (parameters.words(.clientResponseTypes) ?? stated ?? parameters.words(.metadataResponseTypes))?
            .map { ResponseType($0) }
        let used = ConfigurationReader.knownFlows.filter { accepted?.contains(ResponseType($0)) ?? true }
        let usual = [used.first ?? "code"]
        guard let offered = metadata?.strings("response_types_supported")?.map({ ResponseType($0) }) else {
            return usual
        }
        let usable = used.filter { offered.contains(ResponseType($0)) }
        return usable.isEmpty ? usual : usable
    }

    var scopes: [String] {
        guard parameters.readsDiscovery else { return parameters.scopes }
        let wanted = ["openid", "email", "profile"]
        guard let offered = metadata?.strings("scopes_supported") else { return wanted }
        return wanted.filter { $0 == "openid" || offered.contains($0) }
    }

    /// An address like the platform's own, or one of an application.
    var redirectURI: String {
        if !parameters.redirectURIPath.isEmpty {
            return "https://my-project.firebaseapp.com" + parameters.redirectURIPath
        }
        return parameters.text(.redirectURI).flatMap(Self.address(like:)) ?? "https://app.example.com/callback"
    }

    /// An address that a pattern of the simplest kind allows; `nil` for another kind.
    private static func address(like pattern: String) -> String? {
        let text = pattern.replacing("https://[^/]+/", with: "https://platform.example.com/")
            .replacing("[^/]+", with: "my-tenant").replacing("\\.", with: ".")
        return matches(text, pattern) ? text : nil
    }

    // MARK: Registration

    /// What the platform calls the provider; `nil` where no rule is about that.
    var providerID: String? {
        let pattern =
            parameters.providerIDPattern.isEmpty ? parameters.text(.providerName) : parameters.providerIDPattern
        guard let pattern else { return nil }
        return Self.fixedName(pattern)
            ?? ["oidc.my-provider", "custom:my-provider", "my-provider"].first { Self.matches($0, pattern) }
    }

    /// The only name that a pattern allows; `nil` when it allows several.
    private static func fixedName(_ pattern: String) -> String? {
        guard pattern.hasPrefix("^"), pattern.hasSuffix("$") else { return nil }
        let name = pattern.dropFirst().dropLast().replacing("\\.", with: ".")
        return name.utf8.allSatisfy { $0 == 0x2E || (0x61...0x7A).contains($0) } ? String(name) : nil
    }

    private static func matches(_ text: String, _ pattern: String) -> Bool {
        (try? Regex(pattern)).map { text.wholeMatch(of: $0) != nil } ?? false
    }

    /// The response type that is switched on: the first that is tried.
    var switchedOn: String? { flows.first }
}
