/// Where a rule is written: the document, the section, and the few words relied on.
package struct Citation: Sendable, Hashable, Codable, CustomStringConvertible {
    package let document: SpecificationDocument
    /// The section's number, `3.1.3.7`; empty when the document as a whole is meant.
    package let section: String
    /// The words of the document that the check relies on, short enough to compare at a glance.
    package let words: String

    package init(_ document: SpecificationDocument, _ section: String, _ words: String) {
        self.document = document
        self.section = section
        self.words = words
    }

    package var description: String {
        section.isEmpty ? document.title : "\(document.title), section \(section)"
    }

    /// The address of the section.
    package var link: String { document.link(section: section) }
}

/// A document that rules are cited from.
package enum SpecificationDocument: String, Sendable, Codable, CaseIterable {
    case core
    case discovery
    case registration
    case multipleResponseTypes
    case formPostResponseMode
    case rpInitiatedLogout
    case sessionManagement
    case frontChannelLogout
    case backChannelLogout
    case rfc3986
    case rfc5280
    case rfc5646
    case rfc5849
    case rfc6125
    case rfc6749
    case rfc6750
    case rfc6797
    case rfc7009
    case rfc7515
    case rfc7516
    case rfc7517
    case rfc7518
    case rfc7519
    case rfc7521
    case rfc7523
    case rfc7591
    case rfc7592
    case rfc7636
    case rfc7638
    case rfc7662
    case rfc8037
    case rfc8252
    case rfc8259
    case rfc8414
    case rfc8705
    case rfc8707
    case rfc8725
    case rfc9068
    case rfc9101
    case rfc9110
    case rfc9111
    case rfc9126
    case rfc9207
    case rfc9325
    case rfc9700
    /// Google Cloud's and Firebase's documentation of OpenID Connect providers.
    case identityPlatform
    /// The REST reference of Identity Platform: `oauthIdpConfigs`, `createAuthUri`, `signInWithIdp`.
    case identityPlatformREST
    /// Behaviour recorded against the platform in production, by a named third party.
    case identityPlatformObserved
    /// Firebase's documentation of sign-in with GitHub.
    case firebaseGitHub
    /// Firebase's documentation of sign-in with Twitter.
    case firebaseTwitter
    /// GitHub's documentation: Authorizing OAuth apps.
    case gitHubOAuth
    /// GitHub's documentation: Troubleshooting OAuth app access token request errors, and authorization request errors.
    case gitHubOAuthErrors
    /// GitHub's documentation of its discovery endpoints.
    case gitHubDiscovery
    /// Firebase's documentation of signing in with Microsoft, and with Yahoo.
    case firebaseMicrosoft
    case firebaseYahoo
    /// Microsoft's documentation of the claims in its ID Tokens, and of its OpenID Connect endpoints.
    case microsoftClaims
    case microsoftProtocol
    /// A rule that profiles state: what each platform demands, why, and where that is written stands there.
    case profile
    /// No text says it: the reason stands in the check itself.
    case experience

    package var title: String {
        switch self {
        case .core: "OpenID Connect Core 1.0"
        case .discovery: "OpenID Connect Discovery 1.0"
        case .registration: "OpenID Connect Dynamic Client Registration 1.0"
        case .multipleResponseTypes: "OAuth 2.0 Multiple Response Type Encoding Practices"
        case .formPostResponseMode: "OAuth 2.0 Form Post Response Mode"
        case .rpInitiatedLogout: "OpenID Connect RP-Initiated Logout 1.0"
        case .sessionManagement: "OpenID Connect Session Management 1.0"
        case .frontChannelLogout: "OpenID Connect Front-Channel Logout 1.0"
        case .backChannelLogout: "OpenID Connect Back-Channel Logout 1.0"
        case .identityPlatform: "Identity Platform: OpenID Connect providers"
        case .identityPlatformREST: "Identity Platform REST reference"
        case .identityPlatformObserved: "Identity Platform, observed in production"
        case .firebaseGitHub: "Firebase Authentication: GitHub"
        case .firebaseTwitter: "Firebase Authentication: Twitter"
        case .gitHubOAuth: "GitHub: Authorizing OAuth apps"
        case .gitHubOAuthErrors: "GitHub: Troubleshooting OAuth app access token request errors"
        case .gitHubDiscovery: "GitHub: Authentication discovery endpoints"
        case .firebaseMicrosoft: "Firebase: Authenticate Using Microsoft"
        case .firebaseYahoo: "Firebase: Authenticate Using Yahoo"
        case .microsoftClaims: "Microsoft identity platform: ID token claims reference"
        case .microsoftProtocol: "Microsoft identity platform: OpenID Connect"
        case .profile: "The platform's own rules, as its profile states them"
        case .experience: "Reports of broken registrations"
        default: "RFC \(rawValue.dropFirst(3))"
        }
    }

    fileprivate func link(section: String) -> String {
        switch self {
        case .core: openID("openid-connect-core-1_0", section)
        case .discovery: openID("openid-connect-discovery-1_0", section)
        case .registration: openID("openid-connect-registration-1_0", section)
        case .multipleResponseTypes: openID("oauth-v2-multiple-response-types-1_0", section)
        case .formPostResponseMode: openID("oauth-v2-form-post-response-mode-1_0", section)
        case .rpInitiatedLogout: openID("openid-connect-rpinitiated-1_0", section)
        case .sessionManagement: openID("openid-connect-session-1_0", section)
        case .frontChannelLogout: openID("openid-connect-frontchannel-1_0", section)
        case .backChannelLogout: openID("openid-connect-backchannel-1_0", section)
        case .identityPlatform: "https://cloud.google.com/identity-platform/docs/web/oidc"
        case .identityPlatformREST:
            "https://cloud.google.com/identity-platform/docs/reference/rest/v2/projects.oauthIdpConfigs"
        case .identityPlatformObserved: "https://github.com/t-k/fireemu"
        case .firebaseGitHub: "https://firebase.google.com/docs/auth/web/github-auth"
        case .firebaseTwitter: "https://firebase.google.com/docs/auth/ios/twitter-login"
        case .gitHubOAuth: "https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps"
        case .gitHubOAuthErrors:
            "https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors"
        case .gitHubDiscovery: "https://docs.github.com/en/apps/github-authentication-discovery-endpoints"
        case .firebaseMicrosoft: "https://firebase.google.com/docs/auth/web/microsoft-oauth"
        case .firebaseYahoo: "https://firebase.google.com/docs/auth/web/yahoo-oauth"
        case .microsoftClaims: "https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference"
        case .microsoftProtocol: "https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc"
        case .profile: "Documentation/Profiles.md"
        case .experience: "https://github.com/search?type=issues&q=openid+discovery"
        default: "https://www.rfc-editor.org/rfc/\(rawValue)" + rfcAnchor(section)
        }
    }

    /// Appendices are lettered.
    private func rfcAnchor(_ section: String) -> String {
        guard let first = section.first else { return "" }
        return (first.isLetter ? "#appendix-" : "#section-") + section
    }

    private func openID(_ name: String, _ section: String) -> String {
        "https://openid.net/specs/\(name).html" + (section.isEmpty ? "" : "#rfc.section.\(section)")
    }
}
