package import Conformance

/// Made-up codes tell whether the client's secret is accepted, and whether it is looked at.
package enum ClientAuthenticationChecks {
    package static let configuredMethodIsAccepted = Check(
        "token.client-authentication.is-accepted",
        "The client authenticates as configured",
        // Inferred: the list promises the method; where the client is registered otherwise, the cause is told first.
        .must,
        .signIn,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "A client that is refused here can redeem no code.",
        reads: TokenErrors.rightSecret,
        excusedBy: ["token.basic.form-encoding-is-undone"],
        exempt: { subject, facts in isConfigured(subject, facts) ? nil : otherMethod },
        finding: { subject, facts in
            guard subject.refusesClient else { return nil }
            let isLetIn = facts.redeemsFreshCodes(subject.asked.run.clientID)
            return Finding(
                isLetIn
                    ? "A made-up code was refused with \(subject.phrase), though the same credentials redeemed a fresh one."
                    : "The client was refused with \(subject.phrase), though client ID and secret are those configured.",
                expected: "invalid_grant, because only the code is wrong",
                found: subject.error?.shown() ?? "HTTP status \(subject.response.status)",
                fix: isLetIn
                    ? "Return invalid_grant for codes that are unknown, expired or used."
                    : "Check client ID and secret; register \(subject.method?.rawValue ?? "the method") as the client's "
                        + "token_endpoint_auth_method, or change client.authentication."
            )
        }
    )

    package static let otherMethodsAreAccepted = Check(
        "token.client-authentication.other-methods-are-accepted",
        "Every advertised method works for this client",
        .may,
        .signIn,
        Citation(.registration, "2", "Requested Client Authentication method for the Token Endpoint."),
        why: "A platform that takes the first advertised method may take one that this client may not use.",
        reads: Redemptions.rightSecrets,
        exempt: { subject, facts in
            guard let method = subject.methodOfRightSecret else { return "not a request with the secret" }
            if isConfigured(subject, facts) { return "it is the configured method" }
            if method == .none { return "a confidential client is rightly refused without its secret" }
            return facts.metadata.value?.tokenEndpointAuthMethods.contains(method.rawValue) == true
                ? nil : "the method is not advertised"
        },
        finding: { subject, _ in
            guard subject.refusesRightSecret else { return nil }
            let method = subject.methodOfRightSecret?.rawValue ?? "method"
            return Finding(
                "The advertised method \(method) is refused for this client.",
                at: "/token_endpoint_auth_methods_supported",
                expected: subject.hasMadeUpCode ? "invalid_grant, because only the code is wrong" : "tokens",
                found: subject.phrase,
                fix:
                    "Allow \(method) for the client if the platform uses it; providers may bind a client to one method."
            )
        }
    )

    package static let wrongSecretIsRefused = Check(
        "token.wrong-secret.is-refused",
        "A wrong client secret is noticed",
        .risk,
        .safety,
        Citation(.rfc6749, "4.1.3", "authenticate the client if client authentication is included"),
        why: "If the secret is not looked at, whoever steals a code can redeem it.",
        reads: Redemptions.confidential(TokenErrors.wrongSecret),
        excusedBy: ["token.code.needs-the-right-secret"],
        passesOn: .refusal,
        exempt: { subject, facts in
            let real = Redemptions.wrongSecrets.samples(facts).compactMap(\.observation.value)
                .filter { !$0.response.isServerError }
            if real.contains(where: { $0.methodOfWrongSecret(facts) == subject.method }) {
                return "a real code was tried with a wrong secret, which says more"
            }
            // The code may be looked up first: then this answer says nothing of the secret.
            return real.isEmpty ? nil : "by \(subject.method?.rawValue ?? "this method") made-up codes alone were tried"
        },
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "With a wrong secret the answer was \(subject.phrase): the secret does not seem to be looked at.",
                expected: "invalid_client",
                found: subject.error?.shown() ?? "HTTP status \(subject.response.status)",
                fix: "Authenticate the client before the code is looked up."
            )
        }
    )

    package static let wrongSecretIsInvalidClient = Check(
        "token.wrong-secret.has-invalid-client",
        "A wrong client secret gets the error invalid_client",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_client Client authentication failed"),
        why: "Any other code sends whoever registers the provider to look in the wrong place.",
        reads: TokenErrors.wrongSecretAnyCode,
        exempt: { subject, _ in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            if subject.isAcceptance || subject.gaveTokens {
                return "the secret does not seem to be looked at, which another check reports"
            }
            return subject.error == nil ? "this error has no error member, which another check reports" : nil
        },
        finding: { subject, _ in
            guard subject.error != "invalid_client" else { return nil }
            return Finding(
                "A wrong secret was answered with \(subject.phrase).",
                at: "/error",
                expected: "invalid_client",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_client when client authentication fails."
            )
        }
    )

    package static let wrongBasicHas401 = Check(
        "token.wrong-secret.has-401-after-basic",
        "A wrong secret in the Authorization header gets HTTP status 401",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "MUST respond with an HTTP 401 (Unauthorized) status code"),
        why: "HTTP clients learn from the status that the credentials were refused.",
        reads: TokenErrors.wrongBasicAnyCode,
        exempt: { subject, _ in
            subject.error == "invalid_client" ? nil : "the answer was not invalid_client"
        },
        finding: { subject, _ in
            guard subject.response.status != 401 else { return nil }
            return Finding(
                "invalid_client after HTTP Basic came with HTTP status \(subject.response.status).",
                expected: "401",
                found: String(subject.response.status),
                fix: "Answer with 401 when credentials in the Authorization header are refused."
            )
        }
    )

    package static let wrongBasicHasChallenge = Check(
        "token.wrong-secret.has-basic-challenge",
        "A wrong secret in the Authorization header gets a Basic challenge",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "5.2",
            "include the \"WWW-Authenticate\" response header field matching the authentication scheme"
        ),
        why: "HTTP requires a challenge beside 401, and clients read the expected scheme from it.",
        reads: TokenErrors.wrongBasicAnyCode,
        excusedBy: ["token.wrong-secret.has-401-after-basic"],
        exempt: { subject, _ in
            subject.error == "invalid_client" ? nil : "the answer was not invalid_client"
        },
        finding: { subject, _ in
            let value = subject.response.joinedHeader("WWW-Authenticate")
            guard !schemes(value).contains("basic") else { return nil }
            return Finding(
                "invalid_client after HTTP Basic came without a Basic challenge.",
                at: "WWW-Authenticate",
                expected: "Basic",
                found: value?.shown() ?? "missing",
                fix: "Send WWW-Authenticate: Basic realm=\"token\" with the 401."
            )
        }
    )

    package static let unknownClientIsTold = Check(
        "token.unknown-client.has-401-and-challenge",
        "A client that is not known gets invalid_client, HTTP status 401 and a Basic challenge",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_client Client authentication failed (e.g., unknown client"),
        why: "Who mistyped the identifier is sent to look for the mistake in the code or in the grant.",
        reads: Redemptions.slot(.malformedTokenRequests, .unknownClient),
        excusedBy: [
            "token.wrong-secret.has-invalid-client", "token.wrong-secret.has-401-after-basic",
            "token.wrong-secret.has-basic-challenge", "token.error.has-error-member",
        ],
        exempt: { subject, _ in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            return subject.isAcceptance || subject.gaveTokens ? "the code was looked up before the client" : nil
        },
        finding: { subject, _ in
            let value = subject.response.joinedHeader("WWW-Authenticate")
            let isRight = subject.error == "invalid_client" && subject.response.status == 401
            guard !isRight || !schemes(value).contains("basic") else { return nil }
            return Finding(
                "A client that does not exist was answered with \(subject.phrase)"
                    + (isRight ? ", without a Basic challenge." : "."),
                at: isRight ? "WWW-Authenticate" : "/error",
                expected: "HTTP status 401, error invalid_client, WWW-Authenticate: Basic",
                found: isRight ? value?.shown() ?? "missing" : subject.phrase,
                fix: "Answer for an unknown client as for a wrong secret."
            )
        }
    )

    package static let all: [Check] = [
        unknownClientIsTold, configuredMethodIsAccepted, otherMethodsAreAccepted, wrongSecretIsRefused,
        wrongSecretIsInvalidClient,
        wrongBasicHas401, wrongBasicHasChallenge,
    ]

    private static let otherMethod = "the client is configured for another method"

    private static func isConfigured(_ subject: AnsweredCall, _ facts: Facts) -> Bool {
        let client = facts.target.client(for: subject.asked.responseType) ?? facts.target.client
        return subject.method == client?.authentication
    }

    /// The scheme of each challenge in a `WWW-Authenticate` field: the words that begin the value or follow a comma.
    private static func schemes(_ value: String?) -> [String] {
        (value ?? "").lowercased().split(separator: ",")
            .compactMap { part in
                part.split(separator: " ").first.map(String.init)
            }
    }
}
