internal import Conformance

/// The lines of an app that sign a user in through Firebase's `OAuthProvider` (Apple platforms).
extension RegistrationPlatform {
    package static let swift = RegistrationPlatform(
        name: "swift",
        title: "an app on Apple platforms with Firebase, Swift",
        profiles: IdentityPlatform.profiles,
        comments: .lines("//"),
        responseTypes: IdentityPlatform.responseTypes,
        proof: IdentityPlatform.proof,
        demands: { target, reserved in
            FirebaseApp.demands(target)
                + ConfigurationRequirement.reserved(target, reserved + FirebaseApp.reserved(target), "Firebase")
        },
        objections: IdentityPlatform.objections,
        draft: { context in Draft(text: FirebaseApp.code(context)) }
    )
}

enum FirebaseApp {
    static func demands(_ target: Target) -> [String] {
        if ["facebook.com", "apple.com"].contains(target.registration.providerID ?? "") {
            return [
                "registration.provider_id: Firebase has a separate class for this provider; OAuthProvider crashes the app"
            ]
        }
        return IdentityPlatform.demands(target)
    }

    /// The parameters that Firebase sets itself; a custom value is silently dropped.
    static func reserved(_ target: Target) -> [String] {
        let common = ["client_id", "response_type", "redirect_uri", "scope", "state"]
        return switch target.registration.providerID {
        case "github.com", "yahoo.com": common
        case "twitter.com":
            common + [
                "oauth_callback", "oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_signature_method",
                "oauth_timestamp", "oauth_token", "oauth_verifier", "oauth_version",
            ]
        default: common + ["response_mode"]
        }
    }

    static func code(_ context: RegistrationContext) -> String {
        let scopes = scopes(context)
        let parameters = context.target.customParameters
        var lines = [
            "import FirebaseAuth",
            "",
            "func signInWithProvider() async throws -> AuthDataResult {",
            "    let provider = OAuthProvider(providerID: \(QuotedText.swift(context.target.registration.providerID ?? "")))",
        ]
        if !scopes.isEmpty {
            lines.append("    provider.scopes = [\(scopes.map(QuotedText.swift).joined(separator: ", "))]")
        }
        if !parameters.isEmpty {
            let pairs = parameters.map { "\(QuotedText.swift($0.name)): \(QuotedText.swift($0.value))" }
            lines.append("    provider.customParameters = [\(pairs.joined(separator: ", "))]")
        }
        return
            (lines + [
                "    let credential = try await provider.credential(with: nil)",
                "    return try await Auth.auth().signIn(with: credential)",
                "}",
            ])
            .joined(separator: "\n") + "\n"
    }

    /// The scopes that Firebase does not request itself; OAuth 1.0a of Twitter has none.
    private static func scopes(_ context: RegistrationContext) -> [String] {
        switch context.target.registration.providerID {
        case "twitter.com": []
        case "github.com": context.flow.scopes.filter { $0 != "openid" }
        default: context.flow.scopes.filter { !["openid", "email", "profile"].contains($0) }
        }
    }
}
