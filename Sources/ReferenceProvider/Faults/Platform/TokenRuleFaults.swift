import Conformance
import JSONTree

/// Faults of rules about ID Tokens, clients and requests.
extension Fault {
    static let tokenRules: [Fault] = [
        demand("only ES256 is verified", .tokenAlgorithms, ["ES256"]),
        Fault(
            Rule.tokenIsAsymmetric.check,
            "the client is registered for HS256, as announced",
            also: ["registration.advertised-values.can-be-registered"],
            configure: { $0.client?.idTokenSignedResponseAlg = "HS256" },
            change: { $0.signWithAnnouncedSecret() }
        ),
        demand(
            "the key set holds one key, and the header no kid",
            .tokenKid,
            .stated,
            change: { $0.setHeader("kid", nil) }
        ),
        demand("a token may live for a minute", .tokenLifetime, 60),
        demand("a claim is read that no token has", .tokenClaims, ["sub", "com.example.region"]),
        demand(
            "groups are numbers",
            .textClaims,
            ["groups"],
            change: { $0.setClaim("groups", [7, 12]) }
        ),
        demand("the audience is to be a service", .tokenAudiences, ["sigstore"]),
        demand("fifty characters are read", .tokenLength, 50),
        demand("sub is to have four octets", .subjectLength, 4),
        demand(
            "nobody has verified the address",
            .emailVerified,
            .stated,
            change: { $0.setClaim("email_verified", false) }
        ),
        demand(
            "nothing is said of the address",
            .emailVerified,
            .stated,
            variant: "silent",
            change: { $0.setClaim("email_verified", nil) }
        ),
        demand(
            "the address is said to be unverified",
            .emailNotUnverified,
            .stated,
            change: { $0.setClaim("email_verified", false) }
        ),
        demand(
            "the clock runs forty seconds ahead",
            .issueTime,
            20,
            change: { $0.setTime("iat", afterIssue: 40) }
        ),
        demand(
            "nobody has verified the address that UserInfo tells",
            .userEmailVerified,
            .stated,
            also: ["platform.firebase.email-verified.is-true"],
            change: { $0.setUserInfo("email_verified", nil) }
        ),
        demand("the department is needed", .userClaims, ["email", "com.example.department"]),
    ]

    static let clientRules: [Fault] = [
        demand("the client has no secret", .clientIsConfidential, .stated, persona: .publicClient),
        demand("the client has no secret", .clientHasSecret, .stated, persona: .publicClient),
        demand(
            "the client has a key, and no secret",
            .clientHasSecret,
            .stated,
            variant: "key",
            persona: .assertionClient
        ),
        demand("the client has a secret", .clientIsPublic, .stated),
        demand("the client has a key", .clientIsPublic, .stated, variant: "key", persona: .assertionClient),
        demand("the client authenticates with its secret", .clientAuthentication, ["private_key_jwt"]),
        demand("the client ID is to have four characters", .clientIDLength, 4),
        demand("only the code flow is used", .clientResponseTypes, ["code"], persona: .implicitOnly),
        demand(
            "the implicit flow alone is tried",
            .clientResponseTypes,
            ["code"],
            variant: "flows",
            persona: .implicitOnly,
            configure: { $0.registration.responseTypes = [] }
        ),
        demand(
            "the secret is taken in the header only",
            .secretInBody,
            .stated,
            also: ["token.client-authentication.other-methods-are-accepted"],
            change: { seams in
                seams.acceptsSecret = { given, registered, method in
                    given == registered && method != .clientSecretPost
                }
            }
        ),
        demand(
            "no code challenge is sent",
            .clientSendsPKCE,
            .stated,
            persona: .codeOnly,
            configure: { $0.client?.sendsPKCE = false }
        ),
    ]

    static let requestRules: [Fault] = [
        demand("the name lacks custom:", .providerName, Pattern("custom:[a-z]+")),
        demand(
            "the redirect URI is another platform's",
            .redirectURI,
            Pattern("https://[a-z]+\\.example\\.com/callback")
        ),
        demand(
            "the platform makes the nonce",
            .reservedParameters,
            ["nonce_hint"],
            configure: { $0.customParameters = [Field("nonce_hint", "n-0S6_WzA2Mj")] }
        ),
        demand(
            "the application asks for a sign-in page by an additional parameter",
            .settableParameters,
            ["prompt"],
            configure: { $0.customParameters = [Field("prompt", "login")] }
        ),
        Fault(
            Rule.pkceIsNotNeeded.check,
            "PKCE is demanded",
            persona: .manyKeys,
            demand: { parameters in
                parameters.state(
                    .pkceIsNotNeeded,
                    .stated,
                    because: "no code_challenge is sent",
                    source: "a rule of the matrix"
                )
            },
            change: { seams in
                seams.authorizationError = { request, error in
                    request.responseType == "code" && request["code_challenge"] == nil
                        ? OAuthError("invalid_request", "Code challenge required.") : error
                }
            }
        ),
        demand("requests need not be pushed", .requestsArePushed, .stated),
        demand(
            "scripts of every origin may read the answers of the authorization endpoint",
            .authorizationIsClosedToScripts,
            .stated,
            change: { seams in
                seams.answer = { endpoint, answer in
                    if endpoint == .authorization { answer.setHeader("Access-Control-Allow-Origin", "*") }
                }
            }
        ),
        demand(
            "every page may be framed",
            .pagesAreNotFramed,
            .stated,
            change: { seams in
                seams.onAnswer(.signInPage, 200...200) { answer in
                    answer.setHeader("X-Frame-Options", nil)
                    answer.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors *")
                }
            }
        ),
        demand(
            "the sign-in page cuts itself off from the window that opened it",
            .pagesKeepTheirOpener,
            .stated,
            change: { seams in
                seams.onAnswer(.signInPage, 200...200) { $0.setHeader("Cross-Origin-Opener-Policy", "same-origin") }
            }
        ),
        demand(
            "a redirect with status 307 follows the password",
            .credentialsAreNotSentOn,
            .stated,
            change: { seams in seams.onAnswer(.signInPage, 303...303) { $0.status = 307 } }
        ),
    ]
}
