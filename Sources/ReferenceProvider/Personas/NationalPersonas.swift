import Conformance
import JOSE
import JSONTree

/// Providers of governments and banks, as relying parties see them: each requires something that others do not.
extension NamedProvider {
    /// GOV.UK One Login: `vtr` selects the level of confidence; ES256; clients authenticate with keys.
    ///
    /// See docs.sign-in.service.gov.uk, “Integrate with GOV.UK One Login's code flow”.
    static let govUK: NamedProvider = {
        var provider = keyed()
        provider.offer.issuerPath = "/"
        provider.offer.signingAlgorithms = [.es256]
        provider.offer.idTokenAlgorithm = .es256
        provider.offer.scopes = ["openid", "email", "phone", "offline_access"]
        provider.offer.contextClasses = []
        provider.scopes = ["openid", "email"]
        let vtr = #"["Cl.Cm"]"#
        provider.habits = { hooks in
            hooks.require([
                RequestRequirement("vtr", "Request is missing vtr"),
                RequestRequirement("nonce", "Request is missing nonce"),
                RequestRequirement("state", "Request is missing state"),
            ])
        }
        provider.configure = { target in
            target.customParameters = [Field("vtr", vtr)]
            target.client?.idTokenSignedResponseAlg = "ES256"
        }
        provider.expectedWarnings += ["discovery.issuer.has-no-terminating-slash", "authorization.state.may-be-absent"]
        provider.failures = [
            "discovery.id-token-signing-alg-values-supported.include-rs256", "authorization.nonce.may-be-absent",
        ]
        return provider
    }()

    /// Login.gov: `acr_values`, and a state and a nonce of at least 22 characters.
    ///
    /// See developers.login.gov/oidc/authorization.
    static let loginGov: NamedProvider = {
        var provider = keyed()
        provider.offer.contextClasses = ["urn:acr.login.gov:auth-only", "urn:acr.login.gov:verified"]
        provider.offer.scopes = ["openid", "email", "phone", "profile"]
        provider.habits = { hooks in
            hooks.require([
                RequestRequirement("acr_values", "Please fill in this field: Acr values"),
                .length(22, of: "state"), .length(22, of: "nonce"),
            ])
        }
        provider.configure = { $0.customParameters = [Field("acr_values", "urn:acr.login.gov:auth-only")] }
        provider.expectedWarnings += shortValues.expectedWarnings
        provider.failures = shortValues.failures
        return provider
    }()

    /// FranceConnect v2: `acr_values`, `client_secret_post`, UserInfo as a signed JWT, errors on a page.
    ///
    /// See docs.partenaires.franceconnect.gouv.fr, “Les endpoints”.
    static let franceConnect: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.authenticationMethods = [.clientSecretPost]
        provider.offer.contextClasses = ["eidas1", "eidas2"]
        provider.offer.signingAlgorithms = [.rs256, .es256]
        provider.offer.userInfoAlgorithms = [.rs256]
        provider.offer.wishes.userInfoAlgorithm = .rs256
        provider.offer.hasEndSession = true
        provider.authentication = .clientSecretPost
        provider.habits = { hooks in
            hooks.require(
                [
                    RequestRequirement("acr_values", "acr_values is required"), .length(22, of: "state"),
                    .length(22, of: "nonce"),
                ],
                rejection: .page400
            )
        }
        provider.configure = { target in
            target.customParameters = [Field("acr_values", "eidas1")]
            target.client?.userInfoSignedResponseAlg = "RS256"
        }
        provider.expectedWarnings = shortValues.expectedWarnings + ["authorization.error.is-redirected"]
        provider.failures = shortValues.failures
        return provider
    }()

    /// Singpass v5: ES256 alone, encrypted ID Tokens, no UserInfo, assertions for the issuer of at most two minutes.
    ///
    /// See docs.developer.singpass.gov.sg, “Authorization code grant”.
    static let singpass: NamedProvider = {
        var provider = keyed()
        provider.offer.signingAlgorithms = [.es256]
        provider.offer.idTokenAlgorithm = .es256
        provider.offer.assertion = AssertionRequirement(algorithm: .es256, audience: .issuer, lifetime: 120)
        provider.offer.wishes.idTokenEncryption = provider.offer.encryption()
        provider.offer.requiresPKCE = true
        provider.offer.hasUserInfo = false
        provider.offer.contextClasses = []
        provider.offer.scopes = ["openid"]
        provider.scopes = ["openid"]
        provider.accounts = Account.both { $0.subject = "s=S1234567A,u=\($0.subject)" }
        provider.habits = { hooks in
            hooks.require([
                RequestRequirement("nonce", "nonce is required"), RequestRequirement("state", "state is required"),
            ])
        }
        provider.configure = { target in
            target.client?.idTokenSignedResponseAlg = "ES256"
            target.client?.assertionAudience = .issuer
            target.client?.idTokenEncryptedResponseAlg = "ECDH-ES+A256KW"
            target.client?.decryptionKeyThumbprint = RegisteredClient.keyPair?.publicKey.thumbprint
        }
        provider.expectedWarnings += [
            "discovery.userinfo-endpoint.is-present", "authorization.state.may-be-absent",
            "token.assertion.endpoint-audience-is-accepted",
        ]
        provider.failures = [
            "discovery.id-token-signing-alg-values-supported.include-rs256", "authorization.nonce.may-be-absent",
        ]
        return provider
    }()

    /// Singpass and Myinfo with FAPI 2.0: as v5, with pushed requests, DPoP, and encrypted UserInfo.
    ///
    /// See docs.developer.singpass.gov.sg, “Integration guide”, sections 1, 3 and 5.
    static let singpassFAPI: NamedProvider = {
        var provider = singpass
        provider.offer.hasPushedRequests = true
        provider.offer.requiresPushedRequests = true
        provider.offer.requiresProofs = true
        provider.offer.hasUserInfo = true
        provider.offer.encryptsUserInfo()
        provider.offer.userInfoAlgorithms = [.es256]
        provider.offer.wishes.userInfoAlgorithm = .es256
        provider.configure = { target in
            singpass.configure(&target)
            target.client?.userInfoSignedResponseAlg = "ES256"
            target.client?.usesDPoP = true
        }
        provider.expectedWarnings.removeAll { $0 == "discovery.userinfo-endpoint.is-present" }
        provider.expectedWarnings += [
            "discovery.requests.need-no-extension", "discovery.userinfo-signing-alg-values-supported.include-rs256",
        ]
        return provider
    }()

    /// itsme: a scope of the service, and UserInfo that is signed and encrypted.
    ///
    /// See belgianmobileid.github.io/doc/authentication.
    static let itsme: NamedProvider = {
        var provider = keyed()
        provider.offer.scopes.append("service:ACME_LOGIN")
        provider.offer.encryptsUserInfo()
        provider.offer.hasClaimsParameter = true
        provider.scopes.append("service:ACME_LOGIN")
        provider.habits = { hooks in
            hooks.require([.word("service:ACME_LOGIN", in: "scope", "service code is missing in scope")])
        }
        provider.configure = { target in
            target.client?.userInfoSignedResponseAlg = "RS256"
            target.client?.decryptionKeyThumbprint = RegisteredClient.keyPair?.publicKey.thumbprint
        }
        return provider
    }()

    /// SPID: signed request objects, `prompt=consent`, PKCE, and a state and a nonce of 32 letters and digits.
    ///
    /// See italia/spid-cie-oidc-docs, “Authorization endpoint”.
    static let spid: NamedProvider = {
        var provider = keyed()
        provider.offer.hasRequestObjects = true
        provider.offer.requiresSignedRequests = true
        provider.offer.requiresPKCE = true
        provider.offer.hasClaimsParameter = true
        provider.offer.encryptsUserInfo()
        provider.habits = { hooks in
            hooks.require([
                RequestRequirement("prompt", "The parameter prompt is required") { value in
                    ["consent", "consent login", "login consent"].contains(value) || value?.contains("none") == true
                },
                .alphanumeric(32, of: "state"), .alphanumeric(32, of: "nonce"),
            ])
        }
        provider.configure = { target in
            target.customParameters = [Field("prompt", "consent")]
            target.client?.requestObjectSigningAlg = "ES256"
            target.client?.userInfoSignedResponseAlg = "RS256"
            target.client?.decryptionKeyThumbprint = RegisteredClient.keyPair?.publicKey.thumbprint
        }
        provider.expectedWarnings +=
            shortValues.expectedWarnings + [
                "discovery.requests.need-no-extension", "authorization.prompt.needs-no-session",
                "authorization.state.very-long-is-returned",
            ]
        provider.failures =
            shortValues.failures + [
                "authorization.state.special-characters-are-returned",
                "authorization.nonce.special-characters-are-accepted",
            ]
        return provider
    }()

    /// TARA of Estonia: no session, so that every request requires the password; ID Tokens of 40 seconds.
    ///
    /// See e-gov.github.io/TARA-Doku/TechnicalSpecification, sections 1.1 and 4.1.
    static let tara: NamedProvider = {
        var provider = NamedProvider()
        provider.offer.grantTypes = ["authorization_code"]
        provider.offer.authenticationMethods = [.clientSecretBasic]
        provider.offer.scopes = ["openid", "idcard", "mid", "email"]
        provider.offer.contextClasses = ["low", "substantial", "high"]
        provider.scopes = ["openid", "email"]
        provider.habits = { hooks in
            hooks.require([.length(8, of: "state")])
            hooks.session.needs = { needs, parameters in
                needs.signIn = true
                if parameters["prompt"]?.contains("none") == true { needs.error = "login_required" }
            }
            hooks.idTokenClaims = { claims, _ in
                if let time = claims["iat"]?.numberValue { claims["exp"] = .integer(Int64(time) + 40) }
            }
        }
        provider.expectedWarnings = ["authorization.state.may-be-absent"]
        return provider
    }()

    /// ID-porten: `acr_values`, PKCE, and assertions for the issuer of at most two minutes; requests may be pushed.
    ///
    /// See docs.digdir.no, “ID-porten: OIDC”.
    static let idPorten: NamedProvider = {
        var provider = keyed()
        provider.offer.assertion = AssertionRequirement(algorithm: .es256, audience: .issuer, lifetime: 120)
        provider.offer.requiresPKCE = true
        provider.offer.hasPushedRequests = true
        provider.offer.contextClasses = ["idporten-loa-substantial", "idporten-loa-high"]
        provider.habits = { hooks in
            hooks.require([RequestRequirement("acr_values", "acr_values is required")])
        }
        provider.configure = { target in
            target.client?.assertionAudience = .issuer
            target.customParameters = [Field("acr_values", "idporten-loa-substantial")]
        }
        provider.expectedWarnings.append("token.assertion.endpoint-audience-is-accepted")
        return provider
    }()

    /// NHS login: assertions and ID Tokens are signed with RS512; state and nonce are required.
    ///
    /// See nhsconnect.github.io/nhslogin, “Interface specification”, sections 3.4.1 and 3.5.1: `vtr` has a default.
    static let nhsLogin: NamedProvider = {
        var provider = keyed()
        provider.offer.signingAlgorithms = [.rs512]
        provider.offer.idTokenAlgorithm = .rs512
        provider.offer.assertion = AssertionRequirement(algorithm: .rs512, audience: .tokenEndpoint)
        provider.offer.scopes = ["openid", "profile", "profile_extended", "email", "phone"]
        provider.offer.tokenDialect.tokenType = "bearer"
        provider.offer.contextClasses = []
        provider.offer.hasFormPost = false
        provider.offer.sendsIssuer = false
        provider.habits = { hooks in
            hooks.require([
                RequestRequirement("state", "Missing parameter: state"),
                RequestRequirement("nonce", "Missing parameter: nonce"),
            ])
            hooks.discovery = { document, _ in
                document["token_endpoint_auth_signing_alg_values_supported"] = ["RS512"]
            }
            hooks.idTokenClaims = { claims, _ in claims["vot"] = "P9.Cp.Cd" }
        }
        provider.configure = { target in
            target.customParameters = [Field("vtr", #"["P9.Cp.Cd"]"#)]
            target.client?.idTokenSignedResponseAlg = "RS512"
            target.client?.tokenEndpointAuthSigningAlg = "RS512"
        }
        provider.expectedWarnings += [
            "authorization.state.may-be-absent", "token.assertion.issuer-audience-is-accepted",
        ]
        provider.failures = [
            "discovery.id-token-signing-alg-values-supported.include-rs256", "authorization.nonce.may-be-absent",
        ]
        return provider
    }()

    /// A provider whose only client authentication is `private_key_jwt`.
    private static func keyed() -> NamedProvider {
        var provider = NamedProvider()
        provider.offer.authenticationMethods = [.privateKeyJWT]
        provider.isKeyed = true
        provider.expectedWarnings = ["discovery.token-endpoint-auth-signing-alg-values-supported.include-rs256"]
        return provider
    }

    /// The checks that fail where state and nonce have a minimum length.
    private static let shortValues: (expectedWarnings: [CheckID], failures: [CheckID]) = (
        ["authorization.nonce.may-be-short", "authorization.state.may-be-absent"],
        ["authorization.state.may-be-short", "authorization.nonce.may-be-absent"]
    )
}

extension Offer {
    /// UserInfo is signed, and encrypted to the key of the client that signs.
    fileprivate mutating func encryptsUserInfo() {
        userInfoAlgorithms = [.rs256]
        wishes.userInfoAlgorithm = .rs256
        wishes.userInfoEncryption = encryption()
    }

    /// The encryption to that key, which the document then offers.
    fileprivate mutating func encryption() -> ResponseEncryption? {
        keyManagement = [.ecdhESA256KW]
        contentEncryption = [.a256CBCHS512]
        return RegisteredClient.keyPair.map { key in
            ResponseEncryption(algorithm: .ecdhESA256KW, encryption: .a256CBCHS512, key: key.publicKey)
        }
    }
}
