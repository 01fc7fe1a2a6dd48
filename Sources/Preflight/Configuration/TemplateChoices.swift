internal import Catalogue
internal import Conformance
internal import FoundationEssentials

/// What a template writes where only the user knows the value; a run refuses what still holds it.
enum Placeholder {
    static let mark = "CHANGE-ME"

    /// An example of a profile with the mark in the place of what only the user knows: the words in capital letters.
    static func inCapitals(of example: String) -> String {
        example.replacing(/\b[A-Z][A-Z0-9_-]+\b/, with: mark)
    }

    /// Why a value of the configuration will not do; `nil` when somebody has filled it in.
    ///
    /// - Parameter what: What is to stand there.
    static func problem(in text: String?, for what: String) -> String? {
        guard let text, text.contains(mark) else { return nil }
        return "“\(text)” still holds \(mark), which init wrote: enter \(what)"
    }
}

/// What a template enters for a platform: what its profile's parameters and rules accept, as far as the provider offers it.
struct TemplateChoices {
    let profile: Profile
    /// `nil` where there is no discovery document.
    let metadata: Metadata?
    var answers = TemplateAnswers()

    var parameters: ProfileParameters { profile.parameters }

    /// Whether the platform itself sends people to sign in; others read documents and verify the tokens brought to them.
    var signsIn: Bool {
        if parameters.usesOAuth1 || !parameters.readsDiscovery { return true }
        let stages: [Stage?] = [.authorization, .token, .userinfo]
        return Catalogue.all.contains { stages.contains($0.stage) && profile.includes($0.id) }
    }

    /// Whether what the client proves itself with is entered at the platform, or needed for a sign-in of its own.
    var needsCredentials: Bool {
        signsIn || parameters.states(.clientIsConfidential) || parameters.states(.clientHasSecret)
    }

    // MARK: Client

    /// The identifier that the platform always has, or a made-up one.
    var clientID: String {
        answers.clientID.map(ConfigurationTemplate.quoted) ?? parameters[.tokenAudiences]?.first ?? Placeholder.mark
    }

    /// How the client authenticates; `nil` where its secret signs requests instead (OAuth 1.0a).
    var authentication: ClientAuthentication? {
        guard let usual = usualMethod, let hasSecret = answers.hasSecret, hasSecret != usual.takesSecret else {
            return usualMethod
        }
        guard hasSecret else { return ClientAuthentication.none }
        return acceptedAuthentication.filter(\.takesSecret).first { offeredMethods.contains($0.rawValue) }
            ?? .clientSecretBasic
    }

    /// What is entered where nobody says otherwise.
    private var usualMethod: ClientAuthentication? {
        if parameters.usesOAuth1 { return nil }
        // There is nothing to authenticate for without a token endpoint.
        let redeemsCodes = flows.contains { ResponseType($0).hasCode }
        if !redeemsCodes, !parameters.states(.clientIsConfidential) { return ClientAuthentication.none }
        let accepted = acceptedAuthentication
        return accepted.first { offeredMethods.contains($0.rawValue) } ?? accepted.first ?? .clientSecretBasic
    }

    /// The methods of the discovery document, or the default; what a provider without one takes is the profile's matter.
    var offeredMethods: [String] {
        parameters.readsDiscovery ? metadata?.tokenEndpointAuthMethods ?? ["client_secret_basic"] : []
    }

    private var acceptedAuthentication: [ClientAuthentication] {
        if parameters.states(.clientIsPublic) { return [.none] }
        if parameters.states(.secretInBody) { return [.clientSecretPost] }
        let named = parameters[.clientAuthentication] ?? parameters[.metadataAuthentication]
        let methods = named?.compactMap { ClientAuthentication(rawValue: $0) } ?? usualAuthentication
        let isConfidential = parameters.states(.clientIsConfidential)
        return isConfidential ? methods.filter { $0 != .none } : methods
    }

    /// A provider of plain OAuth documents its secret as one more parameter, unless its profile says otherwise.
    private var usualAuthentication: [ClientAuthentication] {
        parameters.readsDiscovery ? ClientAuthentication.allCases : [.clientSecretPost]
    }

    /// What the client registers for its ID Tokens; `nil` for the default, RS256 (Registration section 2).
    ///
    /// A platform's list of algorithms begins with what it is best given.
    var idTokenAlgorithm: String? {
        let accepted = parameters[.tokenAlgorithms] ?? parameters[.metadataAlgorithms] ?? []
        let offered = metadata?.strings("id_token_signing_alg_values_supported") ?? []
        return accepted.first(where: offered.contains).flatMap { $0 == "RS256" ? nil : $0 }
    }

    // MARK: Requests

    /// The flow to try: code where the platform uses it and the provider offers it.
    ///
    /// One, because a client is registered for one as a rule, and each is a sign-in.
    var flows: [String] { Array(usableFlows.prefix(1)) }

    /// What else could be tried with a client that is registered for it.
    var furtherFlows: [String] { Array(usableFlows.dropFirst()) }

    /// The flows that the platform uses and the provider offers, code first; code alone where that is not known.
    private var usableFlows: [String] {
        if parameters.usesOAuth1 { return [] }
        let accepted = (parameters[.clientResponseTypes] ?? parameters[.metadataResponseTypes])?
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

    /// What is said of the scopes that most clients ask for and the document does not list.
    var unlistedScopes: [String] {
        guard parameters.readsDiscovery, metadata?.strings("scopes_supported") != nil else { return [] }
        let missing = ["email", "profile"].filter { !scopes.contains($0) }
        guard !missing.isEmpty else { return [] }
        return [
            "# Not listed: \(missing.joined(separator: ", ")). Without them a run does not judge the claims that they ask for; add them if",
            "# the provider knows them all the same.",
        ]
    }

    /// An address like the platform's own, or one of an application.
    var redirectURI: String {
        answers.redirectURI.map(ConfigurationTemplate.quoted) ?? parameters.example(of: .redirectURI)
            .map { Placeholder.inCapitals(of: $0) }
            ?? "https://\(Placeholder.mark).example.com/callback"
    }

    // MARK: Registration

    /// What the platform calls the provider; `nil` where no rule is about that.
    var providerID: String? {
        guard let pattern = parameters[.providerName] else { return nil }
        return pattern.onlyText
            ?? ["oidc.my-provider", "custom:my-provider", "my-provider"].first { pattern.matches($0) }
    }

    /// The response type that is switched on: the first that is tried.
    var switchedOn: String? { flows.first }
}
