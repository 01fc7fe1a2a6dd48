package import Conformance

/// A platform for which registrations can be written, in the format that it accepts.
///
/// Each is one value in a file of `Platforms`, and one entry of ``allCases``.
package struct RegistrationPlatform: Sendable {
    enum Comments: Sendable, Hashable {
        /// Comment lines at the beginning of the file, after this mark.
        case lines(String)
        /// The format has a member for them.
        case inside
        /// The file allows no comments, so they are in a separate file.
        case beside
    }

    /// The value of `--for`.
    package let name: String
    /// Other accepted names: `aws-cognito`, after its profile.
    package var otherNames: [String] = []
    /// The platform and the format, in a few words.
    package let title: String
    /// The names of the profiles with the platform's rules, the most specific first; several, because each Firebase
    /// provider has its own profile.
    let profiles: @Sendable (Target) -> [String]
    let comments: Comments
    /// The response types that the registration supports, the best first.
    let responseTypes: @Sendable (Target) -> [ResponseType]
    var proof: @Sendable (Target) -> NeededProof = { _ in .idToken }
    var demands: @Sendable (Target, [String]) -> [String] = { _, _ in [] }
    /// The members of the discovery document that the registration contains, because the platform does not read the document.
    var endpoints: [String] = []
    /// Why the platform rejects this issuer.
    let objections: @Sendable (Target) -> [String]
    let draft: @Sendable (RegistrationContext) -> Draft

    /// All platforms, in the order of the list.
    package static let allCases: [RegistrationPlatform] = [
        .identityPlatform, .identityPlatformTerraform, .supabase, .cognito, .cognitoTerraform, .iam, .iamTerraform,
        .kubernetes, .vault, .argoCD, .dex, .gitea, .grafana, .jupyterHub, .keycloak, .minIO, .synapse, .swift,
    ]

    /// The platform with that name, or with a profile of that name.
    package static func named(_ name: String) -> RegistrationPlatform? {
        allCases.first { $0.name == name } ?? allCases.first { $0.otherNames.contains(name) }
    }

    /// Whether the file can contain the reason; plain JSON cannot.
    package var takesComments: Bool { comments != .beside }

    /// The names of the profiles with the platform's rules, the most specific first.
    package func profiles(for target: Target) -> [String] { profiles(target) }

    /// The changes that the configuration needs before a registration can be written.
    ///
    /// - Parameters:
    ///   - reserved: The parameters that the platform sets itself according to the profile.
    ///   - isForced: Whether to write it even if the platform rejects such an issuer.
    package func demands(_ target: Target, reserved: [String], isForced: Bool) -> [String] {
        guard target.client != nil || !target.clients.isEmpty else {
            return ["a registration needs a client: add  client: { id: … }"]
        }
        return demands(target, reserved) + (isForced ? [] : objections(target))
    }
}

extension RegistrationPlatform: Hashable, CustomStringConvertible {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package var description: String { name }
}

/// The proof that a run must provide before values are written.
enum NeededProof: Sendable, Hashable {
    /// A flow that ended with an ID Token whose signature verified.
    case idToken
    /// A flow that ended with tokens: the provider issues no ID Token.
    case flow
    /// A sign-in with OAuth 1.0a that ended with token credentials.
    case oauth1
}

/// The values that a registration is written from.
struct RegistrationContext: Sendable {
    var target: Target
    var flow: ProvenFlow
    /// The addresses of the discovery document, by their members.
    var endpoints: [String: String]
    /// Whether the profile checks sign-ins, and not only given tokens.
    var checksSignIns: Bool
    /// The sentences about the origin of the file.
    var origin: [String]

    var client: Client? { target.client(for: flow.responseType) }
    var name: String { ProviderName.short(target) }
    /// The name for formats that allow letters, digits and underscores.
    var identifier: String { TerraformText.identifier(name) }
    /// The address of the discovery document (Discovery section 4).
    var document: String { WellKnown.address(of: target.issuer) }

    /// An address of the discovery document as a value.
    func endpoint(_ member: String) -> Node? { endpoints[member].map(Node.text) }
}

extension RegistrationPlatform {
    /// A platform that signs users in through the code flow of a client with a secret.
    ///
    /// - Parameters:
    ///   - product: Its name in messages.
    ///   - callback: How its own redirect URI ends, and an example of it.
    ///   - text: The file.
    static func signingIn(
        _ name: String,
        otherNames: [String] = [],
        title: String,
        product: String,
        profile: String,
        comments: Comments,
        endpoints: [String] = [],
        callback: (path: String, example: String),
        objections: @escaping @Sendable (Target) -> [String] = { _ in [] },
        text: @escaping @Sendable (RegistrationContext) -> String,
        commands: @escaping @Sendable (RegistrationContext, String) -> [String],
        notes: @escaping @Sendable (RegistrationContext) -> [String] = { _ in [] }
    ) -> RegistrationPlatform {
        RegistrationPlatform(
            name: name,
            otherNames: otherNames,
            title: title,
            profiles: { _ in [profile] },
            comments: comments,
            responseTypes: { _ in ["code"] },
            demands: { target, _ in
                ConfigurationRequirement.flow(target, "code", product)
                    + ConfigurationRequirement.secret(target, of: "code", product)
            },
            endpoints: endpoints,
            objections: objections,
            draft: { context in
                Draft(
                    text: text(context),
                    commands: { commands(context, $0) },
                    notes: notes(context) + Note.callback(context.target, callback.path, callback.example)
                        + Note.parameters(context.target)
                )
            }
        )
    }
}

/// The text, and the commands that apply it to the platform.
struct Draft: Sendable {
    var text: String
    /// The commands that apply it; the argument is the file's name as a shell word.
    var commands: @Sendable (String) -> [String] = { _ in [] }
    /// Notes for the user beyond the content of the file.
    var notes: [String] = []
}
