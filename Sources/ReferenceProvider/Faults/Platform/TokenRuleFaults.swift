import Conformance
import JSONTree

/// Faults of rules about ID Tokens, clients and requests.
extension Fault {
    static let tokenRules: [Fault] = [
        demand("the ID Token is not signed with ES256", .tokenAlgorithms, ["ES256"]),
        Fault(
            Rule.tokenIsAsymmetric.check,
            "the client is registered for HS256, which is advertised",
            also: ["registration.advertised-values.can-be-registered"],
            configure: { $0.client?.idTokenSignedResponseAlg = "HS256" },
            change: { $0.signWithAnnouncedSecret() }
        ),
        demand(
            "the ID Token's header has no kid",
            .tokenKid,
            .stated,
            change: { $0.setHeader("kid", nil) }
        ),
        demand("the ID Token is valid for longer than a minute", .tokenLifetime, 60),
        demand("a required claim is missing from the ID Token", .tokenClaims, ["sub", "com.example.region"]),
        demand(
            "groups contains numbers",
            .textClaims,
            ["groups"],
            change: { $0.setClaim("groups", [7, 12]) }
        ),
        demand(
            "the ID Token is valid in 20 seconds",
            .clockDifference,
            10,
            change: { $0.setTime("nbf", afterIssue: 20) }
        ),
        demand("the platform does not parse JSON", .tokenMediaTypes, ["application/json"]),
        demand(
            "amr has two methods",
            .authenticationMethods,
            ["otp", "hwk"],
            change: { $0.setClaim("amr", ["pwd", "otp"]) }
        ),
        demand("UserInfo is longer than 50 bytes", .userInfoBytes, 50),
        demand("aud does not contain the service's audience", .tokenAudiences, ["sigstore"]),
        demand("the ID Token is longer than 50 characters", .tokenLength, 50),
        demand("sub is longer than 4 bytes", .subjectLength, 4),
        demand(
            "email_verified is not true",
            .emailVerified,
            .stated,
            change: { $0.setClaim("email_verified", false) }
        ),
        demand(
            "email_verified is missing",
            .emailVerified,
            .stated,
            variant: "silent",
            change: { $0.setClaim("email_verified", nil) }
        ),
        demand(
            "email_verified is false",
            .emailNotUnverified,
            .stated,
            change: { $0.setClaim("email_verified", false) }
        ),
        demand(
            "iat is 40 seconds in the future",
            .issueTime,
            20,
            also: ["idtoken.iat.is-not-ahead"],
            change: { $0.setTime("iat", afterIssue: 40) }
        ),
        demand(
            "email_verified at UserInfo is missing",
            .userEmailVerified,
            .stated,
            also: ["platform.firebase.email-verified.is-true"],
            change: { $0.setUserInfo("email_verified", nil) }
        ),
        demand("a required claim is missing from UserInfo", .userClaims, ["email", "com.example.department"]),
        demand("UserInfo lacks a claim that the platform reads there", .userInfoClaims, ["sub", "com.example.office"]),
        demand(
            "preferred_username contains a slash",
            .userName,
            Pattern("[^/]+"),
            change: { $0.changeUserInfo("preferred_username", "alice/smith") }
        ),
    ]

    static let clientRules: [Fault] = [
        demand("the client has no secret", .clientIsConfidential, .stated, persona: .publicClient),
        demand("the client has no secret", .clientHasSecret, .stated, persona: .publicClient),
        demand(
            "the client has a key but no secret",
            .clientHasSecret,
            .stated,
            variant: "key",
            persona: .assertionClient
        ),
        demand("the client has a secret", .clientIsPublic, .stated),
        demand("the client has a key", .clientIsPublic, .stated, variant: "key", persona: .assertionClient),
        demand(
            "the client authenticates with a secret instead of private_key_jwt",
            .clientAuthentication,
            ["private_key_jwt"]
        ),
        demand("the client ID is longer than 4 characters", .clientIDLength, 4),
        demand("the registered response type is not code", .clientResponseTypes, ["code"], persona: .implicitOnly),
        demand(
            "the configuration runs only the implicit flow",
            .clientResponseTypes,
            ["code"],
            variant: "flows",
            persona: .implicitOnly,
            configure: { $0.registration.responseTypes = [] }
        ),
        demand(
            "client_secret_post is rejected",
            .secretInBody,
            .stated,
            also: ["token.client-authentication.other-methods-are-accepted"],
            change: { hooks in
                hooks.acceptsSecret = { given, registered, method in
                    given == registered && method != .clientSecretPost
                }
            }
        ),
        demand(
            "a secret in the body is rejected, and its code becomes invalid",
            .bodyIsFirst,
            .stated,
            also: ["token.client-authentication.other-methods-are-accepted"],
            change: { hooks in
                hooks.spendsCodesOfRefusedClients = true
                hooks.acceptsSecret = { given, registered, method in
                    given == registered && method != .clientSecretPost
                }
            }
        ),
        demand(
            "a secret in the header is rejected, and its code becomes invalid",
            .headerIsFirst,
            .stated,
            also: ["token.client-authentication.other-methods-are-accepted", "registration.client.can-sign-in"],
            configure: { $0.client?.authentication = .clientSecretPost },
            change: { hooks in
                hooks.spendsCodesOfRefusedClients = true
                hooks.acceptsSecret = { given, registered, method in
                    given == registered && method != .clientSecretBasic
                }
            }
        ),
        demand(
            "the client sends no code_challenge",
            .clientSendsPKCE,
            .stated,
            persona: .codeOnly,
            configure: { $0.client?.sendsPKCE = false }
        ),
        demand(
            "a client assertion with the token endpoint as aud is accepted",
            .assertionAudience,
            .stated,
            persona: .assertionClient
        ),
    ]

    static let requestRules: [Fault] = [
        demand("the provider name does not start with custom:", .providerName, Pattern("custom:[a-z]+")),
        demand(
            "the redirect URI is not the platform's",
            .redirectURI,
            Pattern("https://[a-z]+\\.example\\.com/callback")
        ),
        demand(
            "a custom parameter is reserved by the platform",
            .reservedParameters,
            ["nonce_hint"],
            configure: { $0.customParameters = [Field("nonce_hint", "n-0S6_WzA2Mj")] }
        ),
        demand(
            "a custom parameter cannot be set at the platform",
            .settableParameters,
            ["prompt"],
            configure: { $0.customParameters = [Field("prompt", "login")] }
        ),
        Fault(
            Rule.pkceIsNotNeeded.check,
            "the provider requires PKCE",
            persona: .manyKeys,
            demand: { parameters in
                parameters.state(
                    .pkceIsNotNeeded,
                    .stated,
                    because: "no code_challenge is sent",
                    source: "a rule of the matrix"
                )
            },
            change: { hooks in
                hooks.authorizationError = { request, error in
                    request.responseType == "code" && request["code_challenge"] == nil
                        ? OAuthError("invalid_request", "Code challenge required.") : error
                }
            }
        ),
        demand(
            "the provider requires PKCE and does not list S256",
            .pkceIsListed,
            .stated,
            also: ["discovery.code-challenge-methods-supported.is-present"],
            change: { hooks in
                hooks.discovery = { document, _ in document["code_challenge_methods_supported"] = nil }
                hooks.authorizationError = { request, error in
                    request.responseType == "code" && request["code_challenge"] == nil
                        ? OAuthError("invalid_request", "Code challenge required.") : error
                }
            }
        ),
        demand("the configuration names no resource", .resourceIsNamed, .stated),
        demand("pushed authorization requests are not required", .requestsArePushed, .stated),
        demand(
            "the authorization endpoint allows CORS requests from every origin",
            .authorizationIsClosedToScripts,
            .stated,
            change: { hooks in
                hooks.answer = { endpoint, answer in
                    if endpoint == .authorization { answer.setHeader("Access-Control-Allow-Origin", "*") }
                }
            }
        ),
        demand(
            "the sign-in page can be framed by any site",
            .pagesAreNotFramed,
            .stated,
            change: { hooks in
                hooks.onAnswer(.signInPage, 200...200) { answer in
                    answer.setHeader("X-Frame-Options", nil)
                    answer.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors *")
                }
            }
        ),
        demand(
            "the sign-in page has Cross-Origin-Opener-Policy: same-origin",
            .pagesKeepTheirOpener,
            .stated,
            change: { hooks in
                hooks.onAnswer(.signInPage, 200...200) { $0.setHeader("Cross-Origin-Opener-Policy", "same-origin") }
            }
        ),
        demand(
            "the response to the password is a redirect with status 307",
            .credentialsAreNotSentOn,
            .stated,
            change: { hooks in hooks.onAnswer(.signInPage, 303...303) { $0.status = 307 } }
        ),
    ]
}
