package import Conformance

/// What a registration can be written for: a platform, in the form that it takes.
///
/// One of them is one value in a file of `Platforms`, and one entry of ``allCases``.
package struct RegistrationPlatform: Sendable {
    enum Comments: Sendable, Hashable {
        /// Comment lines at the head of the file, behind this mark.
        case lines(String)
        /// The form has a place of its own for them.
        case inside
        /// The file must hold nothing else: they go into another one beside it.
        case beside
    }

    /// As it is written after `--for`.
    package let name: String
    /// What else it is called: `aws-cognito`, after its profile.
    package var otherNames: [String] = []
    /// What is written, in a few words.
    package let title: String
    /// The names of the profiles whose rules the platform goes by, the nearest first; several, because each of Firebase's
    /// ways in has a profile of its own.
    let profiles: @Sendable (Target) -> [String]
    let comments: Comments
    /// The response types that the registration can be made with, the best first.
    let responseTypes: @Sendable (Target) -> [ResponseType]
    var proof: @Sendable (Target) -> NeededProof = { _ in .idToken }
    var demands: @Sendable (Target, [String]) -> [String] = { _, _ in [] }
    /// Why the platform will not take this issuer.
    let objections: @Sendable (Target) -> [String]
    let draft: @Sendable (RegistrationContext) -> Draft

    /// Every one, in the order in which they are listed.
    package static let allCases: [RegistrationPlatform] = [
        .identityPlatform, .identityPlatformTerraform, .supabase, .cognito, .cognitoTerraform, .iam, .iamTerraform,
        .kubernetes, .vault, .swift,
    ]

    /// The platform of that name, or of the name that its profile has.
    package static func named(_ name: String) -> RegistrationPlatform? {
        allCases.first { $0.name == name } ?? allCases.first { $0.otherNames.contains(name) }
    }

    /// Whether a reason can be kept in the file itself: JSON that a platform reads has no room for one.
    package var takesComments: Bool { comments != .beside }

    /// The names of the profiles whose rules the platform goes by, the nearest first.
    package func profiles(for target: Target) -> [String] { profiles(target) }

    /// What the configuration must say otherwise before a registration can be written from it.
    ///
    /// - Parameters:
    ///   - reserved: The parameters that the profile knows the platform to set itself.
    ///   - isForced: Whether it is written even though the platform will not take such an issuer.
    package func demands(_ target: Target, reserved: [String], isForced: Bool) -> [String] {
        guard target.client != nil || !target.clients.isEmpty else {
            return ["a registration names a client: add  client: { id: … }"]
        }
        return demands(target, reserved) + (isForced ? [] : objections(target))
    }
}

extension RegistrationPlatform: Hashable, CustomStringConvertible {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package var description: String { name }
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
