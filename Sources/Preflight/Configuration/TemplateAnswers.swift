internal import Conformance

/// What somebody has said of what a template would leave to be filled in; `nil` for what was not asked.
package struct TemplateAnswers: Sendable {
    package var clientID: String?
    package var hasSecret: Bool?
    /// The variable that holds the client's secret.
    package var secretVariable: String?
    package var redirectURI: String?
    package var username: String?
    /// The variable that holds the user's password.
    package var passwordVariable: String?
    /// Whether nobody is to sign in for now.
    package var leavesOutUser = false

    package init() {}
}

/// What a template enters where nobody says otherwise.
package struct TemplateProposals: Sendable {
    /// `nil` where only the user knows it.
    package let clientID: String?
    /// `nil` where the platform leaves no choice, or the client's secret does not authenticate it.
    package let hasSecret: Bool?
    /// Whether a secret is needed at all.
    package let takesSecret: Bool
    /// An address like the platform's own, in which capitals stand for what only the user knows; `nil` where none is known.
    package let redirectURI: String?
    /// Whether the platform itself sends people to sign in.
    package let signsIn: Bool
    /// What the provider offers, for who is asked; empty where there is no document.
    package let offeredFlows: [String]
    package let offeredMethods: [String]

    init(_ choices: TemplateChoices) {
        let parameters = choices.parameters
        clientID = choices.clientID == Placeholder.mark ? nil : choices.clientID
        let isFixed = parameters.states(.clientIsPublic) || parameters.states(.clientIsConfidential)
        hasSecret = isFixed || !choices.needsCredentials ? nil : choices.authentication?.takesSecret
        takesSecret = choices.needsCredentials && choices.authentication?.takesSecret ?? true
        redirectURI = parameters.example(of: .redirectURI)
        signsIn = choices.signsIn
        offeredFlows = choices.metadata?.strings("response_types_supported") ?? []
        offeredMethods = choices.metadata == nil ? [] : choices.offeredMethods
    }
}

extension ClientAuthentication {
    /// Whether it takes a secret.
    var takesSecret: Bool {
        switch self {
        case .clientSecretBasic, .clientSecretPost, .clientSecretJWT: true
        case .none, .privateKeyJWT: false
        }
    }
}
