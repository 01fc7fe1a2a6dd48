import Conformance
import JSONTree

/// Faults that real providers have had, each on its own persona.
extension Fault {
    static let world: [Fault] = named + lineUsers + cognitoUsers + linkedInMembers

    private static let named: [Fault] = [
        .provider(
            "idtoken.iss.matches-issuer",
            variant: "google-without-scheme",
            "iss lacks its scheme, as at Google formerly",
            persona: .google
        ) { hooks in
            hooks.idTokenClaims = { claims, _ in claims.rewrite("iss") { $0.replacing("https://", with: "") } }
        },
        .document(
            "discovery.issuer.matches-request",
            variant: "apple-renamed",
            "discovery states a new issuer, and ID Tokens the old one",
            also: ["discovery.endpoints.are-on-the-issuers-host", "discovery.endpoints.are-publicly-named"],
            persona: .apple
        ) { $0["issuer"] = "https://account.op.example" },
        .provider(
            "idtoken.email-verified.is-a-boolean",
            variant: "apple-words",
            "email_verified is a string",
            also: ["idtoken.claims.were-asked-for"],
            persona: .apple
        ) { hooks in
            hooks.idTokenClaims = { claims, _ in
                claims["email"] = "alice@example.com"
                claims["email_verified"] = "true"
            }
        },
        .document(
            "discovery.issuer.matches-request",
            variant: "auth0-without-slash",
            "issuer in the discovery document lacks its trailing slash",
            persona: .auth0
        ) { document in document.rewrite("issuer") { String($0.dropLast()) } },
        .provider(
            "idtoken.iss.matches-issuer",
            variant: "auth0-without-slash",
            "iss in the ID Token lacks the issuer's trailing slash",
            persona: .auth0
        ) { hooks in
            hooks.idTokenClaims = { claims, _ in claims.rewrite("iss") { String($0.dropLast()) } }
        },
        .provider(
            "platform.id-token.algorithm-is-asymmetric",
            variant: "auth0-application",
            "the client is configured for HS256",
            also: ["idtoken.alg.is-the-default"],
            persona: .auth0
        ) { $0.signWithAnnouncedSecret() },
    ]

    private static let lineUsers: [Fault] = [
        .provider(
            "idtoken.nonce.is-echoed",
            variant: "line",
            "nonce is missing",
            persona: .line
        ) { $0.alterClaims { claims in claims["nonce"] = nil } },
        .provider(
            "idtoken.aud.holds-client",
            variant: "line-other-channel",
            "aud is another channel of the same company",
            persona: .line
        ) { $0.alterClaims { claims in claims["aud"] = "1656789012" } },
    ]

    private static let cognitoUsers: [Fault] = [
        .provider(
            "idtoken.iss.matches-issuer",
            variant: "cognito-other-pool",
            "the ID Token is from another user pool",
            also: ["idtoken.kid.is-published"],
            persona: .cognito
        ) { hooks in
            hooks.alterClaims { claims in
                claims.rewrite("iss") { $0.replacing("eu-central-1_Reference", with: "eu-central-1_Another") }
            }
            hooks.signing = .unpublishedKey
            hooks.setHeader("kid", "another-pool")
        },
        .keySet(
            "keys.kid.is-present",
            variant: "cognito",
            "the user pool's second key has no kid",
            persona: .cognito
        ) { set in
            var key = KeySample.rsa
            key["kid"] = nil
            set.append(.object(key), to: "keys")
        },
        .provider(
            "idtoken.email-verified.is-a-boolean",
            variant: "cognito-words",
            "email_verified is a string in the ID Token as well",
            also: ["idtoken.claims.are-left-to-userinfo"],
            persona: .cognito
        ) { hooks in
            hooks.alterClaims { claims in
                claims["email"] = "alice@example.com"
                claims["email_verified"] = "true"
            }
        },
    ]

    private static let linkedInMembers: [Fault] = [
        .provider(
            "discovery.issuer.matches-request",
            variant: "linkedin-before-2024",
            "issuer and iss have no path, as before 2024",
            persona: .linkedin
        ) { hooks in
            let habit = hooks.discovery
            hooks.discovery = { document, issuer in
                habit(&document, issuer)
                document.rewrite("issuer") { $0.replacing("/oauth", with: "") }
            }
            hooks.alterClaims { claims in claims.rewrite("iss") { $0.replacing("/oauth", with: "") } }
        },
        .provider(
            "userinfo.sub.matches-id-token",
            variant: "linkedin-member",
            "sub at UserInfo is the identifier from the older API",
            persona: .linkedin
        ) { hooks in
            let habit = hooks.userInfo
            hooks.userInfo = { claims in
                habit(&claims)
                claims["sub"] = "yrZCpj2Z12"
            }
        },
    ]
}

extension Hooks {
    /// Changes all ID Tokens after the persona's own changes.
    fileprivate mutating func alterClaims(_ change: @escaping @Sendable (inout JSONObject) -> Void) {
        let before = idTokenClaims
        idTokenClaims = { claims, place in
            before(&claims, place)
            change(&claims)
        }
    }
}
