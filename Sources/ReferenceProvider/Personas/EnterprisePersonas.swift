import Conformance
import JOSE
import JSONTree

/// Products that companies sign their employees and customers in with.
extension NamedProvider {
    /// Okta, a custom authorization server: `state` is required and has few characters, unknown scopes are rejected.
    ///
    /// See support.okta.com, “The Authentication Request Has an Invalid state Parameter”, and developer.okta.com,
    /// “Custom Authorization Servers”.
    static let okta = ordinary { provider in
        provider.offer.issuerPath = "/oauth2/default"
        provider.offer.paths = [.authorization: "/v1/authorize", .token: "/v1/token", .userInfo: "/v1/userinfo"]
        provider.offer.offerAllFlows()
        provider.offer.hasIntrospection = true
        provider.offer.hasPushedRequests = true
        provider.habits = { [scopes = provider.offer.scopes] hooks in
            let message = "The authentication request has an invalid 'state' parameter."
            hooks.require([
                .characters(besides: ",._-", of: "state", message),
                .known(scopes, "One or more scopes are not configured for the authorization server."),
            ])
            hooks.idTokenClaims = { claims, _ in
                claims = claims.merging(["ver": 1, "jti": .string("ID." + Store.random()), "amr": ["pwd"]])
            }
        }
        provider.expectedWarnings = ["authorization.state.may-be-absent", "authorization.scope.unknown-is-ignored"]
        provider.failures = ["authorization.state.special-characters-are-returned"]
    }

    /// AD FS: UserInfo returns `sub` alone, and ID Tokens contain `upn` and no email address.
    ///
    /// See learn.microsoft.com, “AD FS Frequently Asked Questions” and “AD FS OpenID Connect/OAuth Concepts”.
    static let adfs = ordinary { provider in
        provider.offer.issuerPath = "/adfs"
        provider.offer.paths = [.authorization: "/oauth2/authorize/", .token: "/oauth2/token/"]
        provider.offer.offerAllFlows()
        provider.offer.hasRevocation = false
        provider.offer.subjectTypes = ["pairwise"]
        provider.offer.scopes = ["openid", "profile", "email", "allatclaims"]
        provider.authentication = .clientSecretPost
        provider.scopes = ["openid", "profile"]
        provider.accounts = Account.both { account in
            account.claims = [:]
            account.tokenClaims = ["openid": ["upn": .string("\(account.username)@corp.example.com")]]
        }
        provider.habits = { hooks in
            hooks.discovery = { document, _ in
                document["code_challenge_methods_supported"] = nil
                document["claims_supported"] = ["aud", "iss", "iat", "exp", "auth_time", "nonce", "sub", "upn", "sid"]
            }
        }
        provider.expectedWarnings = [
            "discovery.code-challenge-methods-supported.is-present", "discovery.target.claims-are-offered",
            "userinfo.profile-claims.are-present",
        ]
    }

    /// Salesforce: `sub` is a URL, ID Tokens of two minutes, no `expires_in`, and `updated_at` as text.
    ///
    /// See help.salesforce.com, “Query for the OpenID Connect Configuration” and “User Info Response”.
    static let salesforce = ordinary { provider in
        provider.offer.responseTypes = ["code", "token", "id_token token"]
        provider.offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        provider.offer.assertionAlgorithms = [.rs256]
        provider.offer.hasRevocation = true
        provider.offer.hasIntrospection = true
        provider.offer.tokenDialect.statesLifetime = false
        provider.offer.statedMembers = [
            "issuer", "authorization_endpoint", "token_endpoint", "revocation_endpoint", "userinfo_endpoint",
            "jwks_uri",
            "introspection_endpoint", "scopes_supported", "response_types_supported", "subject_types_supported",
            "id_token_signing_alg_values_supported", "token_endpoint_auth_methods_supported", "claims_supported",
        ]
        provider.accounts = Account.both { account in
            account.subject = "https://login.salesforce.com/id/00Dx0000001T0zkEAC/005\(account.subject)"
        }
        provider.habits = { [scopes = provider.offer.scopes] hooks in
            hooks.require([.known(scopes, "the requested scope is not allowed")])
            hooks.discovery = { document, _ in
                document["response_types_supported"] = ["code", "token", "token id_token"]
            }
            hooks.idTokenClaims = { claims, _ in
                if let time = claims["iat"]?.numberValue { claims["exp"] = .integer(Int64(time) + 120) }
            }
            hooks.tokenResponse = { $0["issued_at"] = "1750000000000" }
            hooks.userInfo = { $0["updated_at"] = $0["updated_at"].map { _ in "2025-06-15T15:06:40Z" } }
        }
        provider.expectedWarnings = [
            "discovery.auth-signing-alg-values-supported.is-present",
            "discovery.code-challenge-methods-supported.is-present", "discovery.grant-types-supported.is-stated",
            "discovery.response-modes-supported.is-stated", "discovery.request-uri-parameter-supported.is-stated",
            "authorization.scope.unknown-is-ignored", "token.expires-in.is-present", "token.refresh.grant-is-listed",
        ]
        provider.failures = ["userinfo.updated-at.is-a-number"]
    }

    /// Keycloak, hardened: one key, of ES256; the client must send PKCE; a wrong secret is `unauthorized_client`.
    ///
    /// The document lists all algorithms, whatever keys the realm has. See keycloak.org, “Server Administration Guide”,
    /// “Realm keys” and “Advanced settings” of a client.
    static let keycloak = ordinary { provider in
        provider.offer.issuerPath = "/realms/hardened"
        provider.offer.offerAllFlows()
        provider.offer.signingAlgorithms = [.es256]
        provider.offer.idTokenAlgorithm = .es256
        provider.offer.hasIntrospection = true
        provider.offer.hasPushedRequests = true
        provider.offer.hasRequestObjects = true
        provider.offer.hasClaimsParameter = true
        provider.offer.sendsIssuer = true
        provider.habits = { hooks in
            hooks.require([
                RequestRequirement("code_challenge_method", "Missing parameter: code_challenge_method")
            ])
            hooks.discovery = { document, _ in
                let names = ["RS", "PS", "ES", "HS"].flatMap { kind in ["256", "384", "512"].map { kind + $0 } }
                document["id_token_signing_alg_values_supported"] = .array(names.map(JSON.string))
            }
            hooks.tokenErrorResponse = { body in
                if body["error"] == "invalid_client" { body["error"] = "unauthorized_client" }
            }
        }
        provider.configure = { $0.client?.idTokenSignedResponseAlg = "ES256" }
        provider.expectedWarnings = ["keys.signing-key.fits-every-algorithm"]
        provider.failures = ["token.wrong-secret.has-invalid-client"]
    }

    /// Cloud Foundry UAA: the issuer is the URL of the token endpoint, and ID Tokens contain claims of its own.
    ///
    /// See cloudfoundry/uaa, OpenIdConfiguration.java, OpenIdConnectEndpoints.java and IdToken.java.
    static let uaa = ordinary { provider in
        provider.offer.issuerPath = "/oauth/token"
        provider.offer.endpointPath = ""
        provider.offer.paths = [.authorization: "/oauth/authorize", .token: "/oauth/token", .keys: "/token_keys"]
        provider.offer.responseTypes = ["code", "code id_token", "id_token", "id_token token"]
        provider.offer.grantTypes = ["authorization_code", "implicit", "refresh_token"]
        provider.offer.scopes = ["openid", "profile", "email", "phone", "roles", "user_attributes"]
        provider.offer.tokenDialect.tokenType = "bearer"
        provider.habits = { hooks in
            hooks.discovery = { document, _ in
                for member in ["grant_types_supported", "response_modes_supported"] { document[member] = nil }
                document["id_token_encryption_alg_values_supported"] = ["none"]
            }
            hooks.idTokenClaims = { claims, _ in
                for name in ["azp", "cid", "client_id"] { claims[name] = claims["aud"] }
                claims["aud"] = claims["aud"].map { [$0] }
                claims["user_id"] = claims["sub"]
                claims = claims.merging(["scope": ["openid"], "rev_sig": "fa1c787d", "origin": "uaa", "zid": "uaa"])
            }
            hooks.userInfo = { $0["user_id"] = $0["sub"] }
            // Its redirects contain addresses with spaces, which browsers encode.
            hooks.onAnswer(.authorization, 302...303) { answer in
                guard let location = answer.headers.first(where: { $0.isNamed("Location") })?.value,
                    !location.hasPrefix(RegisteredClient.redirectURI)
                else { return }
                answer.setHeader("Location", location + (location.contains("?") ? "&" : "?") + "hint=please sign in")
            }
        }
        provider.expectedWarnings = [
            "discovery.encryption-algorithms.are-registered", "discovery.grant-types-supported.is-stated",
            "discovery.response-modes-supported.is-stated", "token.refresh.grant-is-listed",
            "idtoken.aud.is-one-string", "authorization.redirects.have-uris",
        ]
    }

    /// Ory Hydra: a state of at least eight characters, unknown scopes are rejected, and error pages have status 500.
    ///
    /// See ory/fosite, authorize_request_handler.go, and ory/hydra, the fallback error page of its quick start.
    static let hydra = ordinary { provider in
        provider.offer.issuerPath = "/"
        provider.offer.offerAllFlows()
        provider.offer.scopes = ["openid", "offline", "offline_access", "profile", "email"]
        provider.offer.takesPlainChallenges = true
        provider.offer.hasFormPost = false
        provider.habits = { [scopes = provider.offer.scopes] hooks in
            var state = RequestRequirement.length(8, of: "state")
            state.error = "invalid_state"
            hooks.require([state, .known(scopes, "The requested scope is invalid, unknown, or malformed.")])
            hooks.discovery = { document, _ in
                document["code_challenge_methods_supported"] = ["plain", "S256"]
                document["claims_supported"] = ["sub"]
            }
            hooks.idTokenClaims = { claims, _ in claims["aud"] = claims["aud"].map { [$0] } }
            hooks.answer = { endpoint, answer in
                if endpoint == .authorization, answer.status == 400 { answer.status = 500 }
            }
        }
        provider.expectedWarnings = [
            "discovery.issuer.has-no-terminating-slash", "discovery.code-challenge-methods-supported.exclude-plain",
            "transport.answers.are-no-server-errors", "authorization.error.has-registered-code",
            "authorization.state.may-be-absent", "authorization.scope.unknown-is-ignored", "idtoken.aud.is-one-string",
        ]
    }
}

extension Offer {
    /// Every response type with an ID Token or a code, and the endpoints of a large product.
    fileprivate mutating func offerAllFlows() {
        responseTypes = ["code", "id_token", "code id_token", "code token", "id_token token", "code id_token token"]
        grantTypes = ["authorization_code", "implicit", "refresh_token"]
        hasRevocation = true
        hasEndSession = true
    }
}
