internal import Conformance

/// The user's answers to the prompts of `init`; `nil` for questions that were not asked.
package struct TemplateAnswers: Sendable {
    package var clientID: String?
    package var hasSecret: Bool?
    /// The variable that contains the client secret.
    package var secretVariable: String?
    package var redirectURI: String?
    /// The protected resource of an AI host.
    package var resource: String?
    package var username: String?
    /// The variable that contains the user's password.
    package var passwordVariable: String?
    /// Whether the template has no test user.
    package var leavesOutUser = false

    package init() {}
}

/// The default values of a template.
package struct TemplateProposals: Sendable {
    /// `nil` if only the user knows it.
    package let clientID: String?
    /// `nil` if the platform determines it, or the secret does not authenticate the client.
    package let hasSecret: Bool?
    /// Whether a secret is needed at all.
    package let takesSecret: Bool
    /// An example address of the platform, in which capitals are placeholders; `nil` if there is none.
    package let redirectURI: String?
    /// Whether the platform names a protected resource that only the user knows.
    package let needsResource: Bool
    /// Whether the platform itself starts sign-ins.
    package let signsIn: Bool
    /// The flows in the discovery document; empty without a document.
    package let offeredFlows: [String]
    package let offeredMethods: [String]

    init(_ choices: TemplateChoices) {
        let parameters = choices.parameters
        clientID = choices.clientID == Placeholder.mark ? nil : choices.clientID
        let isFixed = parameters.states(.clientIsPublic) || parameters.states(.clientIsConfidential)
        hasSecret = isFixed || !choices.needsCredentials ? nil : choices.authentication?.takesSecret
        takesSecret = choices.needsCredentials && choices.authentication?.takesSecret ?? true
        redirectURI = parameters.example(of: .redirectURI)
        needsResource = choices.namedResource?.contains(Placeholder.mark) ?? false
        signsIn = choices.signsIn
        offeredFlows = choices.metadata?.strings("response_types_supported") ?? []
        offeredMethods = choices.metadata == nil ? [] : choices.offeredMethods
    }
}

extension ClientAuthentication {
    /// Whether it uses a secret.
    var takesSecret: Bool {
        switch self {
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT: true
        case .none, .privateKeyJWT: false
        }
    }
}
