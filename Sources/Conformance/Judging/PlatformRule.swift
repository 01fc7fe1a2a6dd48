/// One rule of a relying platform, as a profile states it: what it demands, how that is known, and what it weighs.
///
/// Rule and check have one name: the rule `metadata.members-are-present` is judged by the check
/// `platform.metadata.members-are-present`, which belongs to every profile that states the rule, and to no other.
package struct PlatformRule: Sendable, Hashable, Codable {
    package var value: Value
    /// What happens at the platform otherwise; it reaches the report.
    package var because: String
    /// Where the rule is written or was seen.
    package var source: String

    package init(_ value: Value, because: String, source: String) {
        self.value = value
        self.because = because
        self.source = source
    }

    package enum Value: Sendable, Hashable, Codable {
        case words([String])
        case text(String)
        case number(Int)
        /// The rule has nothing to compare with: that it is stated is all.
        case stated
    }

    /// What kind of value a rule compares with.
    package enum Kind: String, Sendable {
        case words = "a list of texts"
        case text = "a text"
        /// A regular expression over a whole text.
        case pattern = "a regular expression"
        case number = "a whole number"
        case stated = "true"
    }

    /// Every rule that a profile can state.
    package enum Name: String, Sendable, Hashable, Codable, CaseIterable {
        // MARK: Issuer

        /// The issuer names no port.
        case issuerPort = "issuer.has-no-port"
        /// Hosts, with all below them, that the platform refuses as issuers.
        case issuerHosts = "issuer.host-is-not-excluded"
        /// The issuers of the one provider that the platform means; what ends with a slash is what they begin with.
        case issuerOwners = "issuer.is-the-providers"
        /// The issuer's host is no private name or address.
        case issuerIsPublic = "issuer.host-is-public"
        /// The most characters that an issuer may have.
        case issuerLength = "issuer.is-short-enough"

        // MARK: Discovery document

        /// The members that the platform reads of the discovery document.
        case metadataMembers = "metadata.members-are-present"
        /// The members that must be `true`.
        case metadataFlags = "metadata.flags-are-true"
        /// Response types, one of which must be listed.
        case metadataResponseTypes = "metadata.response-type-is-offered"
        /// Signature algorithms of ID Tokens, one of which must be listed.
        case metadataAlgorithms = "metadata.signing-algorithm-is-offered"
        /// Client authentication methods, one of which must be listed, or be the default.
        case metadataAuthentication = "metadata.client-authentication-is-offered"
        /// Scopes that the platform always asks for.
        case metadataScopes = "metadata.scopes-are-offered"
        /// Grants that must not be offered.
        case metadataGrants = "metadata.excluded-grants-are-absent"
        /// The ports that the platform connects to.
        case metadataPorts = "metadata.ports-are-accepted"

        // MARK: How documents are served

        /// The most seconds that the platform waits for a document.
        case documentSeconds = "documents.arrive-in-time"
        /// The most seconds that the platform waits for the discovery document.
        case discoverySeconds = "documents.discovery-arrives-in-time"
        /// The most seconds that the platform waits for the key set.
        case keySetSeconds = "documents.key-set-arrives-in-time"
        /// The most octets that the platform reads of a document.
        case documentOctets = "documents.are-small-enough"
        /// The most octets that the platform reads of the discovery document.
        case discoveryOctets = "documents.discovery-is-small-enough"
        /// A redirect leads to no other host.
        case documentHosts = "documents.stay-on-their-host"

        // MARK: Key set

        /// Every key has a `kid`.
        case keyIdentifiers = "keys.have-kid"
        /// Key types, of one of which there must be a signing key.
        case keyTypes = "keys.usable-key-is-present"
        /// The only key types that there may be.
        case keyTypesOnly = "keys.types-are-accepted"
        /// The only members that a key may have.
        case keyMembers = "keys.members-are-accepted"
        /// The most keys that there may be.
        case keyCount = "keys.are-few-enough"
        /// The most RSA keys that there may be.
        case rsaKeyCount = "keys.rsa-keys-are-few-enough"
        /// The most elliptic curve keys that there may be.
        case ecKeyCount = "keys.ec-keys-are-few-enough"

        // MARK: ID Token and claims

        /// The algorithms that the platform verifies.
        case tokenAlgorithms = "id-token.algorithm-is-accepted"
        /// The platform has no secret to verify an ID Token with.
        case tokenIsAsymmetric = "id-token.algorithm-is-asymmetric"
        /// The claims that the platform reads.
        case tokenClaims = "id-token.claims-are-present"
        /// Audiences, one of which must be in `aud`.
        case tokenAudiences = "id-token.audience-is-accepted"
        /// The most characters that an ID Token may have.
        case tokenLength = "id-token.is-short-enough"
        /// The most octets that `sub` may have.
        case subjectLength = "id-token.subject-is-short-enough"
        /// Beside `email` there is an `email_verified` that is `true`.
        case emailVerified = "id-token.email-is-verified"
        /// An `email_verified` beside `email` is `true`; there need be none.
        case emailNotUnverified = "id-token.email-is-not-unverified"
        /// The most seconds between `iat` and the platform's clock.
        case issueTime = "id-token.issue-time-is-near"
        /// The claims that must be in the ID Token or at the UserInfo endpoint.
        case userClaims = "user.claims-are-present"
        /// Beside `email`, in the ID Token and UserInfo together, there is an `email_verified` that is `true`.
        case userEmailVerified = "user.email-is-verified"

        // MARK: Client

        /// The client has a secret or a key.
        case clientIsConfidential = "client.is-confidential"
        /// The client has a secret; a key will not do.
        case clientHasSecret = "client.has-a-secret"
        /// The client has neither secret nor key.
        case clientIsPublic = "client.is-public"
        /// The ways in which the client may authenticate.
        case clientAuthentication = "client.authentication-is-accepted"
        /// The most characters that a client ID may have.
        case clientIDLength = "client.id-is-short-enough"
        /// The response types that may be switched on.
        case clientResponseTypes = "client.response-types-are-accepted"
        /// The client secret is accepted in the body of a token request.
        case secretInBody = "client.secret-in-body-is-accepted"
        /// The client sends a code challenge (RFC 7636).
        case clientSendsPKCE = "client.sends-pkce"

        // MARK: The provider's own API

        /// The members that the platform reads of the provider's own API; names of nested ones are parted by dots.
        case userAPIMembers = "user-api.has-members"
        /// The member by which the platform knows the person again.
        case userAPISubject = "user-api.subject-is-stable"

        // MARK: Registration and request

        /// The platform's grammar for a provider's name: a regular expression over the whole of it.
        case providerName = "registration.provider-id-is-well-formed"
        /// What the platform's redirect URIs look like: a regular expression over the whole.
        case redirectURI = "registration.redirect-uri-is-the-platforms"
        /// Parameters that must not be configured as custom ones.
        case reservedParameters = "request.reserved-parameters-are-left-out"
        /// The platform sends no PKCE challenge.
        case pkceIsNotNeeded = "request.needs-no-pkce"
        /// An authorization request that was not pushed is refused.
        case requestsArePushed = "request.must-be-pushed"
        /// What the authorization endpoint answers is kept from scripts.
        case authorizationIsClosedToScripts = "authorization.is-closed-to-scripts"

        // MARK: Pages

        /// Other pages cannot show the sign-in page in a frame.
        case pagesAreNotFramed = "pages.cannot-be-framed"
        /// No redirect after the password makes the browser send it again.
        case credentialsAreNotSentOn = "pages.credentials-are-not-sent-on"

        package var kind: Kind {
            switch self {
            case .issuerHosts, .issuerOwners, .metadataMembers, .metadataFlags, .metadataResponseTypes,
                .metadataAlgorithms, .metadataAuthentication, .metadataScopes, .metadataGrants, .metadataPorts,
                .keyTypes, .keyTypesOnly, .keyMembers, .tokenAlgorithms, .tokenClaims,
                .tokenAudiences, .userClaims, .clientAuthentication, .clientResponseTypes,
                .reservedParameters, .userAPIMembers:
                .words
            case .userAPISubject:
                .text
            case .providerName, .redirectURI:
                .pattern
            case .issuerLength, .documentSeconds, .discoverySeconds, .keySetSeconds, .documentOctets,
                .discoveryOctets, .keyCount, .rsaKeyCount, .ecKeyCount, .tokenLength, .subjectLength, .issueTime,
                .clientIDLength:
                .number
            case .issuerPort, .issuerIsPublic, .documentHosts, .keyIdentifiers, .tokenIsAsymmetric, .emailVerified,
                .emailNotUnverified, .userEmailVerified, .clientIsConfidential, .clientHasSecret, .clientIsPublic,
                .secretInBody, .clientSendsPKCE, .pkceIsNotNeeded, .requestsArePushed,
                .authorizationIsClosedToScripts, .pagesAreNotFramed, .credentialsAreNotSentOn:
                .stated
            }
        }

        /// The check that judges it.
        package var check: CheckID { CheckID("platform." + rawValue) }
    }
}

extension ProfileParameters {
    /// True when the profile states the rule; `nil` otherwise.
    package func states(_ name: PlatformRule.Name) -> Bool? { rules[name].map { _ in true } }

    package func words(_ name: PlatformRule.Name) -> [String]? {
        guard case .words(let words) = rules[name]?.value else { return nil }
        return words
    }

    package func text(_ name: PlatformRule.Name) -> String? {
        guard case .text(let text) = rules[name]?.value else { return nil }
        return text
    }

    package func number(_ name: PlatformRule.Name) -> Int? {
        guard case .number(let number) = rules[name]?.value else { return nil }
        return number
    }
}
