/// Where a rule is written: the document, the section, and the few words relied on.
package struct Citation: Sendable, Hashable, Codable, CustomStringConvertible {
    package let document: SpecificationDocument
    /// The section's number, `3.1.3.7`; empty when the document as a whole is meant.
    package let section: String
    /// The words of the document that the check relies on, short enough to compare at a glance; what was seen, in our own
    /// words, where ``isQuotation`` is false.
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

    /// Whether the words stand in the document, so that they may be shown in quotation marks.
    package var isQuotation: Bool { document.isQuoted }
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
    case rfc8017
    case rfc8037
    case rfc8252
    case rfc8259
    case rfc8414
    case rfc8628
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
    /// Google Cloud's documentation of OpenID Connect providers, and Firebase's.
    case identityPlatform
    case firebaseOIDC
    /// The REST reference of Identity Platform: `oauthIdpConfigs`, `createAuthUri`, `signInWithIdp`.
    case identityPlatformREST
    /// Behaviour recorded against the platform in production, by a named third party.
    case identityPlatformObserved
    /// What the platform answered in production, as those who met it report: without a UserInfo endpoint, and without PKCE.
    case userInfoReport
    case pkceReport
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
    /// Microsoft's documentation of the claims in its ID Tokens, of its OpenID Connect endpoints, and of its issuers.
    case microsoftClaims
    case microsoftProtocol
    case microsoftIssuers
    /// X's documentation of the access token endpoint of OAuth 1.0a.
    case xAccessToken
    /// A rule that profiles state: what each platform demands, why, and where that is written stands there.
    case profile
    /// No text says it: the reason stands in the check itself.
    case experience

    /// Whether words that are cited from it stand in it; those of recordings and reports are a summary.
    fileprivate var isQuoted: Bool { ![.identityPlatformObserved, .profile, .experience].contains(self) }

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
        case .firebaseOIDC: "Firebase: Authenticate Using OpenID Connect"
        case .identityPlatformREST: "Identity Platform REST reference"
        case .identityPlatformObserved: "Identity Platform, observed in production"
        case .userInfoReport: "Identity Platform, as reported in acapy-vc-authn-oidc issue 940"
        case .pkceReport: "Firebase, as reported in firebase-js-sdk issue 5935"
        case .firebaseGitHub: "Firebase Authentication: GitHub"
        case .firebaseTwitter: "Firebase Authentication: Twitter"
        case .gitHubOAuth: "GitHub: Authorizing OAuth apps"
        case .gitHubOAuthErrors: "GitHub: Troubleshooting OAuth app access token request errors"
        case .gitHubDiscovery: "GitHub: Authentication discovery endpoints"
        case .firebaseMicrosoft: "Firebase: Authenticate Using Microsoft"
        case .firebaseYahoo: "Firebase: Authenticate Using Yahoo"
        case .microsoftClaims: "Microsoft identity platform: ID token claims reference"
        case .microsoftProtocol: "Microsoft identity platform: OpenID Connect"
        case .microsoftIssuers: "Microsoft identity platform: Access tokens, Validate the issuer"
        case .xAccessToken: "X: POST oauth/access_token"
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
            "https://cloud.google.com/identity-platform/docs/reference/rest/" + restPage(section)
        case .firebaseOIDC: "https://firebase.google.com/docs/auth/web/openid-connect"
        case .identityPlatformObserved:
            "https://github.com/t-k/fireemu/blob/10680dff2e16a0404399358e68fee9b775bc944d/conformance/auth-federation-production.json"
        case .userInfoReport: "https://github.com/openwallet-foundation/acapy-vc-authn-oidc/issues/940"
        case .pkceReport: "https://github.com/firebase/firebase-js-sdk/issues/5935"
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
        case .microsoftIssuers:
            "https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens#validate-the-issuer"
        case .xAccessToken: "https://developer.x.com/en/docs/authentication/api-reference/access_token"
        case .profile: Publication.link(to: "Documentation/Profiles.md#rules")
        case .experience: Publication.link(to: "Documentation/Coverage/misconfigurations.md")
        default: "https://www.rfc-editor.org/rfc/\(rawValue)" + rfcAnchor(section)
        }
    }

    /// Methods stand in version 1 of the reference, and what they take for configuration in version 2.
    private func restPage(_ section: String) -> String {
        switch section {
        case "OAuthResponseType": "v2/OAuthResponseType"
        case _ where section.hasPrefix("accounts."): "v1/accounts/" + section.dropFirst("accounts.".count)
        default: "v2/projects.oauthIdpConfigs"
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
