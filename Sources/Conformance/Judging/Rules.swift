/// The rules that profiles can state. One of them is one value here and one entry of ``PlatformRule/known``; its check
/// has its name, and `Documentation/Profiles.md` its row.
extension PlatformRule {
    /// Every rule that a profile can state.
    package static let known: [KnownRule] = [
        KnownRule(.issuerPort), KnownRule(.issuerHosts), KnownRule(.issuerOwners),
        KnownRule(.issuerIsPublic), KnownRule(.issuerLength), KnownRule(.metadataMembers),
        KnownRule(.metadataFlags), KnownRule(.metadataResponseTypes),
        KnownRule(.metadataAlgorithms), KnownRule(.metadataAuthentication),
        KnownRule(.clientIDSource), KnownRule(.metadataScopes), KnownRule(.metadataGrants), KnownRule(.metadataPorts),
        KnownRule(.documentSeconds), KnownRule(.discoverySeconds), KnownRule(.keySetSeconds),
        KnownRule(.documentBytes), KnownRule(.discoveryBytes), KnownRule(.documentHosts),
        KnownRule(.keyIdentifiers), KnownRule(.keyCertificates), KnownRule(.keyTypes), KnownRule(.keyTypesOnly),
        KnownRule(.keyCurves), KnownRule(.keyAlgorithms),
        KnownRule(.keyMembers), KnownRule(.keyCount), KnownRule(.rsaKeyCount),
        KnownRule(.ecKeyCount), KnownRule(.tokenAlgorithms), KnownRule(.tokenIsAsymmetric),
        KnownRule(.tokenKid),
        KnownRule(.tokenClaims), KnownRule(.textClaims), KnownRule(.tokenAudiences), KnownRule(.authenticationMethods),
        KnownRule(.tokenLength),
        KnownRule(.subjectLength), KnownRule(.emailVerified), KnownRule(.emailNotUnverified),
        KnownRule(.issueTime), KnownRule(.clockDifference), KnownRule(.tokenMediaTypes), KnownRule(.tokenLifetime),
        KnownRule(.userClaims), KnownRule(.userInfoClaims), KnownRule(.userInfoBytes),
        KnownRule(.userEmailVerified), KnownRule(.userName),
        KnownRule(.clientIsConfidential), KnownRule(.clientHasSecret), KnownRule(.clientIsPublic),
        KnownRule(.clientAuthentication), KnownRule(.clientIDLength),
        KnownRule(.clientResponseTypes), KnownRule(.secretInBody), KnownRule(.headerIsFirst), KnownRule(.bodyIsFirst),
        KnownRule(.clientSendsPKCE),
        KnownRule(.assertionAudience),
        KnownRule(.userAPIMembers), KnownRule(.userAPISubject), KnownRule(.providerName),
        KnownRule(.redirectURI), KnownRule(.reservedParameters), KnownRule(.settableParameters),
        KnownRule(.pkceIsNotNeeded), KnownRule(.pkceIsListed), KnownRule(.resourceIsNamed),
        KnownRule(.resourceIsProtected), KnownRule(.resourceHasMetadata), KnownRule(.resourceIsStated),
        KnownRule(.resourceNamesIssuer), KnownRule(.hostSignsIn), KnownRule(.hostSignsInAtLocalhost),
        KnownRule(.hostRefreshes), KnownRule(.hostRegistrationIsTried),
        KnownRule(.requestsArePushed), KnownRule(.authorizationIsClosedToScripts),
        KnownRule(.pagesAreNotFramed), KnownRule(.credentialsAreNotSentOn), KnownRule(.pagesKeepTheirOpener),
    ]
}

// MARK: Issuer

extension Rule<NoValue> {
    package static var issuerPort: Self { Rule("issuer.has-no-port", "no port in the issuer, not even 443") }
    package static var issuerIsPublic: Self { Rule("issuer.host-is-public", "no private name or address") }
}

extension Rule<[String]> {
    package static var issuerHosts: Self {
        Rule("issuer.host-is-not-excluded", "a host that is none of these, nor below one")
    }
    package static var issuerOwners: Self {
        Rule("issuer.is-the-providers", "one of these issuers, or one that begins with an entry that ends with a slash")
    }
}

extension Rule<Int> {
    package static var issuerLength: Self {
        Rule("issuer.is-short-enough", "an issuer of at most this many characters")
    }
}

// MARK: Discovery document

extension Rule<[String]> {
    package static var metadataMembers: Self {
        Rule("metadata.members-are-present", "these members in the discovery document")
    }
    package static var metadataFlags: Self { Rule("metadata.flags-are-true", "these members `true`") }
    package static var metadataResponseTypes: Self {
        Rule("metadata.response-type-is-offered", "one of these response types")
    }
    package static var metadataAlgorithms: Self {
        Rule("metadata.signing-algorithm-is-offered", "one of these algorithms for ID Tokens")
    }
    package static var metadataAuthentication: Self {
        Rule(
            "metadata.client-authentication-is-offered",
            "one of these methods; `client_secret_basic` where none is stated"
        )
    }
    package static var metadataScopes: Self {
        Rule("metadata.scopes-are-offered", "all of these scopes, where scopes are listed")
    }
    package static var metadataGrants: Self { Rule("metadata.excluded-grants-are-absent", "none of these grants") }
    package static var metadataPorts: Self {
        Rule("metadata.ports-are-accepted", "issuer and endpoints at these ports")
    }
}

extension Rule<NoValue> {
    package static var clientIDSource: Self {
        Rule(
            "metadata.client-id-can-be-obtained",
            "a `registration_endpoint`, or `client_id_metadata_document_supported: true` and the method `none`"
        )
    }
}

// MARK: How documents are served

extension Rule<Int> {
    package static var documentSeconds: Self {
        Rule("documents.arrive-in-time", "discovery document and key set within this many seconds")
    }
    package static var discoverySeconds: Self {
        Rule("documents.discovery-arrives-in-time", "the discovery document within this many seconds")
    }
    package static var keySetSeconds: Self {
        Rule("documents.key-set-arrives-in-time", "the key set within this many seconds")
    }
    package static var documentBytes: Self {
        Rule("documents.are-small-enough", "discovery document and key set of at most this many bytes each")
    }
    package static var discoveryBytes: Self {
        Rule("documents.discovery-is-small-enough", "a discovery document of at most this many bytes")
    }
}

extension Rule<NoValue> {
    package static var documentHosts: Self {
        Rule("documents.stay-on-their-host", "no redirect to another host or port")
    }
}

// MARK: Key set

extension Rule<NoValue> {
    package static var keyIdentifiers: Self { Rule("keys.have-kid", "a `kid` for every signing key") }
    package static var keyCertificates: Self { Rule("keys.have-x5c", "an `x5c` for every RSA and EC signing key") }
}

extension Rule<[String]> {
    package static var keyTypes: Self { Rule("keys.usable-key-is-present", "a signing key of one of these types") }
    package static var keyTypesOnly: Self { Rule("keys.types-are-accepted", "no key of another type") }
    package static var keyCurves: Self { Rule("keys.curves-are-accepted", "no key on another curve") }
    package static var keyAlgorithms: Self {
        Rule("keys.algorithms-are-accepted", "no key with another `alg`; a key may state none")
    }
    package static var keyMembers: Self { Rule("keys.members-are-accepted", "no other member in a key") }
}

extension Rule<Int> {
    package static var keyCount: Self { Rule("keys.are-few-enough", "at most this many keys") }
    package static var rsaKeyCount: Self { Rule("keys.rsa-keys-are-few-enough", "at most this many RSA keys") }
    package static var ecKeyCount: Self { Rule("keys.ec-keys-are-few-enough", "at most this many elliptic curve keys") }
}

// MARK: ID Token and claims

extension Rule<[String]> {
    package static var tokenAlgorithms: Self {
        Rule("id-token.algorithm-is-accepted", "ID Tokens signed with one of these")
    }
    package static var tokenClaims: Self { Rule("id-token.claims-are-present", "these claims in ID Tokens") }
    package static var textClaims: Self {
        Rule("id-token.claims-are-texts", "each of these claims, if present, a text or a list of texts")
    }
    package static var tokenAudiences: Self { Rule("id-token.audience-is-accepted", "one of these in `aud`") }
    package static var tokenMediaTypes: Self {
        Rule("token.content-type-is-not-excluded", "a token response with none of these media types")
    }
    package static var authenticationMethods: Self {
        Rule("id-token.amr-is-accepted", "an `amr` with one of these, and no other")
    }
    package static var userClaims: Self {
        Rule("user.claims-are-present", "these claims in the ID Token or from UserInfo")
    }
    package static var userInfoClaims: Self { Rule("userinfo.claims-are-present", "these claims from UserInfo") }
}

extension Rule<Pattern> {
    package static var userName: Self {
        Rule("user.name-is-accepted", "a `preferred_username`, if there is one, that matches")
    }
}

extension Rule<NoValue> {
    package static var tokenIsAsymmetric: Self {
        Rule("id-token.algorithm-is-asymmetric", "no ID Token signed with the client secret (HS256, HS384, HS512)")
    }
    package static var tokenKid: Self { Rule("id-token.has-kid", "a `kid` in the header of ID Tokens") }
    package static var emailVerified: Self {
        Rule("id-token.email-is-verified", "`email_verified: true` with every `email`")
    }
    package static var emailNotUnverified: Self {
        Rule(
            "id-token.email-is-not-unverified",
            "no `email_verified` other than `true` with an `email`; it may be missing"
        )
    }
    package static var userEmailVerified: Self {
        Rule("user.email-is-verified", "`email_verified: true` with `email`, in ID Token and UserInfo together")
    }
}

extension Rule<Int> {
    package static var tokenLength: Self {
        Rule("id-token.is-short-enough", "an ID Token of at most this many characters")
    }
    package static var subjectLength: Self {
        Rule("id-token.subject-is-short-enough", "a `sub` of at most this many bytes")
    }
    package static var userInfoBytes: Self {
        Rule("userinfo.fits-with-the-access-token", "UserInfo and access token of at most this many bytes together")
    }
    package static var clockDifference: Self {
        Rule(
            "id-token.times-are-current",
            "an `exp` at most this many seconds in the past, and an `nbf` at most as many in the future"
        )
    }
    package static var issueTime: Self {
        Rule("id-token.issue-time-is-near", "an `iat` within this many seconds of the time of receipt")
    }
    package static var tokenLifetime: Self {
        Rule("id-token.lifetime-is-short-enough", "an `exp` at most this many seconds after `iat`")
    }
}

// MARK: Client

extension Rule<NoValue> {
    package static var clientIsConfidential: Self { Rule("client.is-confidential", "a client with a secret or a key") }
    package static var clientHasSecret: Self {
        Rule("client.has-a-secret", "a client with a secret; a key is not enough")
    }
    package static var clientIsPublic: Self {
        Rule("client.is-public", "a client with neither secret nor key")
    }
    package static var secretInBody: Self {
        Rule("client.secret-in-body-is-accepted", "a token endpoint that accepts the secret in the body")
    }
    package static var headerIsFirst: Self {
        Rule(
            "client.tries-the-header-first",
            "a code that stays valid if the token endpoint rejects the secret in the header, because the platform then sends it in the body"
        )
    }
    package static var bodyIsFirst: Self {
        Rule(
            "client.tries-the-body-first",
            "a code that stays valid if the token endpoint rejects the secret in the body, because the platform then sends it in the header"
        )
    }
    package static var clientSendsPKCE: Self {
        Rule("client.sends-pkce", "a client that is not configured with `pkce: false`")
    }
    package static var assertionAudience: Self {
        Rule(
            "client.assertion-is-for-the-issuer",
            "a token endpoint that rejects client assertions for any audience but the issuer, for which the platform signs them"
        )
    }
}

extension Rule<[String]> {
    package static var clientAuthentication: Self {
        Rule("client.authentication-is-accepted", "a client configured with one of these methods")
    }
    package static var clientResponseTypes: Self {
        Rule(
            "client.response-types-are-accepted",
            "no other response type in `registration.response_types`, and one of these among `flows`"
        )
    }
}

extension Rule<Int> {
    package static var clientIDLength: Self {
        Rule("client.id-is-short-enough", "a client ID of at most this many characters")
    }
}

// MARK: The provider's own API

extension Rule<[String]> {
    package static var userAPIMembers: Self {
        Rule("user-api.has-members", "these members in the response of the provider's own API, nested ones with dots")
    }
}

extension Rule<String> {
    package static var userAPISubject: Self {
        Rule("user-api.subject-is-stable", "this member of that response the same in every session")
    }
}

// MARK: Registration and request

extension Rule<Pattern> {
    package static var providerName: Self {
        Rule("registration.provider-id-is-well-formed", "a `registration.provider_id` that matches")
    }
    package static var redirectURI: Self {
        Rule("registration.redirect-uri-is-the-platforms", "a `redirect_uri` that matches")
    }
}

extension Rule<[String]> {
    package static var reservedParameters: Self {
        Rule("request.reserved-parameters-are-left-out", "no custom parameter of these names")
    }
}

extension Rule<[String]> {
    package static var settableParameters: Self {
        Rule(
            "request.settable-parameters-are-left-out",
            "no custom parameter of these names, for each of which the library has a setter"
        )
    }
}

extension Rule<NoValue> {
    package static var pkceIsNotNeeded: Self {
        Rule(
            "request.needs-no-pkce",
            "a provider that does not require PKCE, as the platform sends no `code_challenge`"
        )
    }
    package static var pkceIsListed: Self {
        Rule(
            "request.needs-no-unlisted-pkce",
            "a provider that lists S256 if it requires PKCE, as the platform otherwise sends no `code_challenge`"
        )
    }
    package static var resourceIsNamed: Self {
        Rule("request.names-a-resource", "a configured `resource` (RFC 8707), which the platform sends")
    }
    package static var resourceIsProtected: Self {
        Rule("resource.requires-a-token", "a `resource` that responds with status 401 to a request without a token")
    }
    package static var resourceHasMetadata: Self {
        Rule("resource.metadata-is-available", "a `resource` with metadata (RFC 9728)")
    }
    package static var resourceIsStated: Self {
        Rule("resource.metadata-states-the-resource", "metadata of the `resource` that states its URL")
    }
    package static var resourceNamesIssuer: Self {
        Rule("resource.metadata-names-the-issuer", "metadata of the `resource` that names the issuer first")
    }
    package static var hostSignsIn: Self {
        Rule("host.can-sign-in", "a sign-in with a public client that registered itself at loopback redirect URIs")
    }
    package static var hostSignsInAtLocalhost: Self {
        Rule("host.localhost-can-sign-in", "the same at a redirect URI with the host localhost")
    }
    package static var hostRefreshes: Self {
        Rule("host.refresh-needs-no-secret", "new tokens for the refresh token of such a client")
    }
    package static var hostRegistrationIsTried: Self {
        Rule("host.registration-is-tried", "a configuration that lets the run register clients, if the provider does")
    }
    package static var requestsArePushed: Self {
        Rule("request.must-be-pushed", "a provider that rejects requests that were not pushed")
    }
    package static var authorizationIsClosedToScripts: Self {
        Rule("authorization.is-closed-to-scripts", "an authorization endpoint without CORS")
    }
}

// MARK: Pages

extension Rule<NoValue> {
    package static var pagesAreNotFramed: Self {
        Rule("pages.cannot-be-framed", "a sign-in page whose response forbids frames")
    }
    package static var pagesKeepTheirOpener: Self {
        Rule("pages.keep-their-opener", "a sign-in page that stays connected to the window which opened it")
    }
    package static var credentialsAreNotSentOn: Self {
        Rule("pages.credentials-are-not-sent-on", "no redirect with status 307 or 308 after the password")
    }
}
