import Conformance
import Profiles
import ReferenceProvider

/// The results of every test provider at every platform.
enum PlatformMatrix {
    /// The providers: the standard one, and the personas of real ones.
    static let personas = Persona.allCases.filter { $0 == .standard || $0.isNamed }

    /// The platforms, in the order in which they are listed.
    static let platforms = ProfileLibrary.builtIn.map(\.name)

    /// The values registered at a platform and at the provider; each platform has its own redirect URI.
    static func registration(_ platform: String) -> Laboratory.Registration {
        registrations[platform] ?? Laboratory.Registration()
    }

    private static let registrations: [String: Laboratory.Registration] = [
        "firebase-oidc": Laboratory.Registration(providerID: "oidc.reference"),
        "google-identity-platform": Laboratory.Registration(providerID: "oidc.reference"),
        "spa": Laboratory.Registration(isPublic: true),
        "appauth": Laboratory.Registration(isPublic: true),
        "firebase-github": Laboratory.Registration(providerID: "github.com"),
        "firebase-microsoft": Laboratory.Registration(providerID: "microsoft.com"),
        "firebase-yahoo": Laboratory.Registration(providerID: "yahoo.com"),
        "firebase-twitter": Laboratory.Registration(providerID: "twitter.com"),
        "supabase": Laboratory.Registration(
            providerID: "custom:reference",
            redirectURI: "https://reference.supabase.co/auth/v1/callback"
        ),
        "aws-cognito": Laboratory.Registration(
            redirectURI: "https://reference.auth.eu-central-1.amazoncognito.com/oauth2/idpresponse"
        ),
        "entra-external-id": Laboratory.Registration(
            redirectURI: "https://reference.ciamlogin.com/reference.onmicrosoft.com/federation/oauth2"
        ),
        "auth0-enterprise": Laboratory.Registration(redirectURI: "https://reference.eu.auth0.com/login/callback"),
        "google-workload-identity": Laboratory.Registration(providerID: "reference"),
    ]

    /// The reports of a provider for every platform, in the order of the platforms.
    static func reports(_ persona: Persona) async throws -> [Report] {
        var groups: [Laboratory.Registration: [String]] = [:]
        for platform in platforms { groups[registration(platform), default: []].append(platform) }
        var reports: [String: Report] = [:]
        for (registration, members) in groups {
            let joint = try await Laboratory.judge(persona, for: members, registered: registration)
            for report in joint.reports { reports[report.profile.name] = report }
        }
        return platforms.compactMap { reports[$0] }
    }
}
