package import Conformance

/// What a registration can be written for: a platform, in the form that it takes.
package enum RegistrationPlatform: String, Sendable, CaseIterable {
    case identityPlatform = "identity-platform"
    case identityPlatformTerraform = "identity-platform-terraform"
    case supabase
    case cognito
    case cognitoTerraform = "cognito-terraform"
    case iam = "aws-iam"
    case iamTerraform = "aws-iam-terraform"
    case kubernetes
    case vault
    case swift

    /// What is written, in a few words.
    package var title: String {
        switch self {
        case .identityPlatform: "Firebase / Identity Platform, the body of the REST request"
        case .identityPlatformTerraform: "Firebase / Identity Platform, Terraform"
        case .supabase: "Supabase custom provider, the body of the REST request"
        case .cognito: "Amazon Cognito, the input of the AWS command line"
        case .cognitoTerraform: "Amazon Cognito, Terraform"
        case .iam: "AWS IAM, the input of the AWS command line"
        case .iamTerraform: "AWS IAM, Terraform"
        case .kubernetes: "Kubernetes AuthenticationConfiguration, YAML"
        case .vault: "Vault, configuration and role as JSON"
        case .swift: "an app on Apple platforms with Firebase, Swift"
        }
    }

    /// Whether a reason can be kept in the file itself: JSON that a platform reads has no room for one.
    package var takesComments: Bool { form.comments != .beside }

    /// The names of the profiles whose rules the platform goes by, the nearest first.
    ///
    /// Several are named because each of Firebase's ways in has a profile of its own.
    package func profiles(for target: Target) -> [String] {
        switch self {
        case .identityPlatform, .identityPlatformTerraform, .swift:
            switch target.registration.providerID {
            case "github.com": ["firebase-github", "firebase-oidc"]
            case "microsoft.com": ["firebase-microsoft", "firebase-oidc"]
            case "twitter.com": ["firebase-twitter", "firebase-oidc"]
            case "yahoo.com": ["firebase-yahoo", "firebase-oidc"]
            default: ["firebase-oidc"]
            }
        case .supabase: ["supabase"]
        case .cognito, .cognitoTerraform: ["aws-cognito"]
        case .iam, .iamTerraform: ["aws-iam"]
        case .kubernetes: ["kubernetes"]
        case .vault: ["vault"]
        }
    }

    /// The platform of that name, or of the name that its profile has.
    package init?(named name: String) {
        guard let platform = Self(rawValue: name) ?? Self.allCases.first(where: { $0.otherNames.contains(name) }) else {
            return nil
        }
        self = platform
    }

    /// What else it is called: `aws-cognito`, after its profile.
    package var otherNames: [String] {
        switch self {
        case .identityPlatform:
            [
                "firebase-oidc", "firebase-github", "firebase-microsoft", "firebase-twitter", "firebase-yahoo",
                "google-identity-platform",
            ]
        case .cognito: ["aws-cognito"]
        case .cognitoTerraform: ["aws-cognito-terraform"]
        case .iam: ["iam"]
        case .iamTerraform: ["iam-terraform"]
        case .identityPlatformTerraform: ["google-identity-platform-terraform"]
        case .supabase, .kubernetes, .vault, .swift: []
        }
    }

    /// What the configuration must say otherwise before a registration can be written from it.
    ///
    /// - Parameters:
    ///   - reserved: The parameters that the profile knows the platform to set itself.
    ///   - isForced: Whether it is written even though the platform will not take such an issuer.
    package func demands(_ target: Target, reserved: [String], isForced: Bool) -> [String] {
        guard target.client != nil || !target.clients.isEmpty else {
            return ["a registration names a client: add  client: { id: … }"]
        }
        return form.demands(target, reserved) + (isForced ? [] : form.objections(target))
    }

    var form: PlatformForm {
        switch self {
        case .identityPlatform: .identityPlatform
        case .identityPlatformTerraform: .identityPlatformTerraform
        case .supabase: .supabase
        case .cognito: .cognito
        case .cognitoTerraform: .cognitoTerraform
        case .iam: .iam
        case .iamTerraform: .iamTerraform
        case .kubernetes: .kubernetes
        case .vault: .vault
        case .swift: .swift
        }
    }
}

/// How the registration at one platform is written.
struct PlatformForm: Sendable {
    enum Comments: Sendable, Hashable {
        /// Comment lines at the head of the file, behind this mark.
        case lines(String)
        /// The form has a place of its own for them.
        case inside
        /// The file must hold nothing else: they go into another one beside it.
        case beside
    }

    var comments: Comments
    /// The response types that the registration can be made with, the best first.
    var responseTypes: @Sendable (Target) -> [ResponseType]
    var proof: @Sendable (Target) -> NeededProof = { _ in .idToken }
    var demands: @Sendable (Target, [String]) -> [String] = { _, _ in [] }
    /// Why the platform will not take this issuer.
    var objections: @Sendable (Target) -> [String]
    var draft: @Sendable (RegistrationContext) -> Draft
}

/// What a run must have shown before values are written down.
enum NeededProof: Sendable, Hashable {
    /// A flow that ended with an ID Token whose signature verified.
    case idToken
    /// A flow that ended with tokens: the provider issues no ID Token.
    case flow
    /// A sign-in by OAuth 1.0a that ended with token credentials.
    case oauth1
}

/// The values that a registration is written from.
struct RegistrationContext: Sendable {
    var target: Target
    var flow: ProvenFlow
    /// Whether the rules that opened the gate are about sign-ins, and not only about tokens that are brought.
    var judgesSignIns: Bool
    /// The sentences that say where the file comes from.
    var origin: [String]

    var client: Client? { target.client(for: flow.responseType) }
    var name: String { ProviderName.short(target) }
}

/// The text, and how it is brought to the platform.
struct Draft: Sendable {
    var text: String
    /// The commands that apply it; the argument is the file's name as a word of the shell.
    var commands: @Sendable (String) -> [String] = { _ in [] }
    /// What the file does not say and its reader must know.
    var notes: [String] = []
}
