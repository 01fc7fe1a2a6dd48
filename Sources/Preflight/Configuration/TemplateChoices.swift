internal import Catalogue
internal import Conformance
internal import FoundationEssentials
internal import JOSE

/// The placeholder for values that only the user knows; a run rejects it.
enum Placeholder {
    static let mark = "CHANGE-ME"

    /// An example of a profile in which the placeholder replaces the words in capital letters.
    static func inCapitals(of example: String) -> String {
        // By Unicode's default rules, a full stop between letters is no word boundary: PROJECT.example.com is one word.
        example.replacing(/\b[A-Z][A-Z0-9_-]+\b/.wordBoundaryKind(.simple), with: mark)
    }

    /// The message about an unfilled value; `nil` if it is filled in.
    ///
    /// - Parameter what: The expected value.
    static func problem(in text: String?, for what: String) -> String? {
        guard let text, text.contains(mark) else { return nil }
        return
            (text == mark ? "\(mark) is the placeholder of init" : "“\(text)” contains the placeholder \(mark) of init")
            + ": enter \(what)"
    }
}

/// The values of a template that both the profile accepts and the provider supports.
struct TemplateChoices {
    let profile: Profile
    /// `nil` without a discovery document.
    let metadata: Metadata?
    let issuer: String
    /// From the command line.
    var resource: String?
    var answers = TemplateAnswers()

    var parameters: ProfileParameters { profile.parameters }

    /// Whether the platform itself starts sign-ins; others only read documents and verify tokens.
    var signsIn: Bool {
        if parameters.usesOAuth1 || !parameters.readsDiscovery { return true }
        let stages: [Stage?] = [.authorization, .token, .userinfo]
        return Catalogue.all.contains { stages.contains($0.stage) && profile.includes($0.id) }
    }

    /// Whether the platform or a sign-in needs the credentials of the client.
    var needsCredentials: Bool {
        signsIn || parameters.states(.clientIsConfidential) || parameters.states(.clientHasSecret)
    }

    // MARK: Client

    /// The fixed identifier of the platform, or the placeholder.
    var clientID: String {
        answers.clientID.map(ConfigurationTemplate.quoted) ?? parameters[.tokenAudiences]?.first ?? Placeholder.mark
    }

    /// How the client authenticates; `nil` if its secret signs requests instead (OAuth 1.0a).
    var authentication: ClientAuthentication? {
        guard let usual = usualMethod, let hasSecret = answers.hasSecret, hasSecret != usual.takesSecret else {
            return usualMethod
        }
        guard hasSecret else { return ClientAuthentication.none }
        return acceptedAuthentication.filter(\.takesSecret).first { offeredMethods.contains($0.rawValue) }
            ?? .clientSecretBasic
    }

    /// The default method.
    private var usualMethod: ClientAuthentication? {
        if parameters.usesOAuth1 { return nil }
        // Without the token endpoint there is nothing to authenticate for.
        let redeemsCodes = flows.contains { ResponseType($0).hasCode }
        if !redeemsCodes, !parameters.states(.clientIsConfidential) { return ClientAuthentication.none }
        let accepted = acceptedAuthentication
        return accepted.first { offeredMethods.contains($0.rawValue) } ?? accepted.first ?? .clientSecretBasic
    }

    /// The methods of the discovery document, or the default; empty if the profile reads no document.
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

    /// Plain OAuth providers expect the secret in the body unless the profile says otherwise.
    private var usualAuthentication: [ClientAuthentication] {
        parameters.readsDiscovery ? ClientAuthentication.allCases : [.clientSecretPost]
    }

    /// The registered algorithm of ID Tokens; `nil` for the default, RS256 (Registration section 2).
    ///
    /// The platform's list of algorithms starts with the preferred one.
    var idTokenAlgorithm: String? {
        let accepted = parameters[.tokenAlgorithms] ?? parameters[.metadataAlgorithms] ?? []
        let offered = metadata?.strings("id_token_signing_alg_values_supported") ?? []
        // Without RS256 the registration has another algorithm, although RS256 is the default.
        if accepted.isEmpty, !offered.contains("RS256") {
            return offered.first { JWSAlgorithm(rawValue: $0)?.isSymmetric == false }
        }
        return accepted.first(where: offered.contains).flatMap { $0 == "RS256" ? nil : $0 }
    }

    // MARK: Requests

    /// The flow: code, if the platform uses it and the provider supports it.
    ///
    /// Only one, because a client usually has one flow, and each costs a sign-in.
    var flows: [String] { Array(usableFlows.prefix(1)) }

    /// Further flows, for a client that is registered for them.
    var furtherFlows: [String] { Array(usableFlows.dropFirst()) }

    /// The flows that the platform uses and the provider supports, code first; only code if unknown.
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

    /// A comment about common scopes that the document does not list.
    var unlistedScopes: [String] {
        guard parameters.readsDiscovery, metadata?.strings("scopes_supported") != nil else { return [] }
        let missing = ["email", "profile"].filter { !scopes.contains($0) }
        guard !missing.isEmpty else { return [] }
        return [
            "# Not listed by the provider: \(missing.joined(separator: ", ")). Without them the checks of their claims are skipped; add them if",
            "# the provider supports them anyway.",
        ]
    }

    /// The answer, else an example of the platform, else a placeholder.
    var redirectURI: String {
        answers.redirectURI.map(ConfigurationTemplate.quoted) ?? parameters.example(of: .redirectURI)
            .map { Placeholder.inCapitals(of: $0) }
            ?? "https://\(Placeholder.mark).example.com/callback"
    }

    /// The resource that the user named, or a placeholder if the platform names one; `nil` if it names none.
    var namedResource: String? {
        if let resource = resource ?? answers.resource { return ConfigurationTemplate.quoted(resource) }
        return parameters.states(.resourceIsNamed) ? "https://\(Placeholder.mark).example.com/mcp" : nil
    }

    // MARK: Registration

    /// The platform's name for the provider, derived from the issuer's host; `nil` if no rule restricts it.
    var providerID: String? {
        guard let pattern = parameters[.providerName] else { return nil }
        let name = Target.providerName(from: issuer)
        // An address begins with a digit, which platforms do not accept there.
        let candidates = ["oidc.", "custom:", ""].flatMap { [$0 + name, $0 + "idp-" + name] }
        return pattern.onlyText ?? candidates.first { pattern.matches($0) } ?? Placeholder.mark
    }

    /// The enabled response type: the first flow.
    var switchedOn: String? { flows.first }
}
