package import Conformance

/// Requests with bogus codes show whether the client's secret is accepted, and whether it is checked.
package enum ClientAuthenticationChecks {
    static let configuredMethodIsAccepted = Check(
        "token.client-authentication.is-accepted",
        "The token endpoint accepts the client with the configured credentials",
        // Inferred: a listed method is supported; a different registration of the client is reported first.
        .must,
        .signIn,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "The client cannot redeem a code, and users cannot sign in.",
        reads: TokenErrors.rightSecret,
        supersededBy: ["token.basic.form-encoding-is-undone"],
        exempt: { subject, facts in isConfigured(subject, facts) ? nil : otherMethod },
        finding: { subject, facts in
            guard subject.refusesClient else { return nil }
            let isLetIn = facts.redeemsFreshCodes(subject.asked.run.clientID)
            return Finding(
                isLetIn
                    ? "The token endpoint rejects a bogus code with \(subject.phrase), although the same credentials redeemed a fresh code."
                    : "The token endpoint rejects the client with the configured client ID and secret: \(subject.phrase).",
                expected: "invalid_grant, because only the code is wrong",
                found: subject.error?.shown() ?? "HTTP status \(subject.response.status)",
                fix: isLetIn
                    ? "Return invalid_grant for codes that are unknown, expired or used."
                    : "Check client ID and secret; register \(subject.method?.rawValue ?? "the method") as the client's "
                        + "token_endpoint_auth_method, or change client.authentication."
            )
        }
    )

    static let otherMethodsAreAccepted = Check(
        "token.client-authentication.other-methods-are-accepted",
        "The token endpoint accepts this client with every advertised method",
        .may,
        .signIn,
        Citation(.registration, "2", "Requested Client Authentication method for the Token Endpoint."),
        why: "A platform that uses the first advertised method may choose one that is not allowed for this client.",
        reads: IncorrectRedemptions.rightSecrets,
        exempt: { subject, facts in
            guard let method = subject.methodOfRightSecret else { return "not a request with the secret" }
            if isConfigured(subject, facts) { return "this is the configured method" }
            if method == .none { return "rejecting a confidential client without its secret is correct" }
            return facts.metadata.value?.tokenEndpointAuthMethods.contains(method.rawValue) == true
                ? nil : "the method is not advertised"
        },
        finding: { subject, _ in
            guard subject.refusesRightSecret else { return nil }
            let method = subject.methodOfRightSecret?.rawValue ?? "method"
            return Finding(
                "The token endpoint rejects this client with the advertised method \(method).",
                at: "/token_endpoint_auth_methods_supported",
                expected: subject.hasBogusCode ? "invalid_grant, because only the code is wrong" : "tokens",
                found: subject.phrase,
                fix:
                    "Allow \(method) for the client if the platform uses it; a provider may allow only one method per client."
            )
        }
    )

    static let wrongSecretIsRefused = Check(
        "token.wrong-secret.is-refused",
        "The token endpoint rejects a wrong client secret",
        .risk,
        .safety,
        Citation(.rfc6749, "4.1.3", "authenticate the client if client authentication is included"),
        why: "If the provider does not check the secret, an attacker who steals a code can redeem it.",
        reads: IncorrectRedemptions.confidential(TokenErrors.wrongSecret),
        supersededBy: ["token.code.needs-the-right-secret"],
        passesOn: .refusal,
        exempt: { subject, facts in
            let real = IncorrectRedemptions.wrongSecrets.samples(facts).compactMap(\.observation.value)
                .filter { !$0.response.isServerError }
            if real.contains(where: { $0.methodOfWrongSecret(facts) == subject.method }) {
                return "an issued code was tried with a wrong secret, which is more conclusive"
            }
            // If the provider checks the code first, this response shows nothing about the secret.
            return real.isEmpty ? nil : "only bogus codes were tried with \(subject.method?.rawValue ?? "this method")"
        },
        finding: { subject, _ in
            guard subject.isAcceptance else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for a wrong secret: it does not seem to check the secret.",
                expected: "invalid_client",
                found: subject.error?.shown() ?? "HTTP status \(subject.response.status)",
                fix: "Authenticate the client before looking up the code."
            )
        }
    )

    static let wrongSecretIsInvalidClient = Check(
        "token.wrong-secret.has-invalid-client",
        "The token endpoint returns invalid_client for a wrong client secret",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_client Client authentication failed"),
        why: "Any other error code misleads the developer who configures the client.",
        reads: TokenErrors.wrongSecretAnyCode,
        exempt: { subject, facts in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            if subject.isAcceptance || subject.issuedTokens {
                return "the token endpoint does not seem to check the secret, which another check reports"
            }
            if subject.error == nil { return "the response has no error member, which another check reports" }
            return TokenErrors.whyMethodMayBeUnregistered(subject, facts)
        },
        finding: { subject, _ in
            guard subject.error != "invalid_client" else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for a wrong secret.",
                at: "/error",
                expected: "invalid_client",
                found: subject.error?.shown() ?? "no error member",
                fix: "Return invalid_client if client authentication fails."
            )
        }
    )

    static let wrongBasicHas401 = Check(
        "token.wrong-secret.has-401-after-basic",
        "The token endpoint returns HTTP status 401 for a wrong secret in the Authorization header",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "MUST respond with an HTTP 401 (Unauthorized) status code"),
        why: "HTTP clients use the status to detect rejected credentials.",
        reads: TokenErrors.wrongBasicAnyCode,
        exempt: { subject, _ in subject.error == "invalid_client" ? nil : "the error was not invalid_client" },
        finding: { subject, _ in
            guard subject.response.status != 401 else { return nil }
            return Finding(
                "The token endpoint returns invalid_client with HTTP status \(subject.response.status) for a wrong secret in HTTP Basic.",
                expected: "HTTP status 401",
                found: "HTTP status \(subject.response.status)",
                fix: "Return HTTP status 401 if credentials in the Authorization header are rejected."
            )
        }
    )

    static let wrongBasicHasChallenge = Check(
        "token.wrong-secret.has-basic-challenge",
        "The token endpoint returns a Basic challenge for a wrong secret in the Authorization header",
        .must,
        .conformance,
        Citation(
            .rfc6749,
            "5.2",
            "include the \"WWW-Authenticate\" response header field matching the authentication scheme"
        ),
        why: "HTTP requires a challenge with 401, and clients read the expected scheme from it.",
        reads: TokenErrors.wrongBasicAnyCode,
        supersededBy: ["token.wrong-secret.has-401-after-basic"],
        exempt: { subject, _ in subject.error == "invalid_client" ? nil : "the error was not invalid_client" },
        finding: { subject, _ in
            let value = subject.response.joinedHeader("WWW-Authenticate")
            guard !schemes(value).contains("basic") else { return nil }
            return Finding(
                "The token endpoint returns invalid_client without a Basic challenge for a wrong secret in HTTP Basic.",
                at: "WWW-Authenticate",
                expected: "Basic",
                found: value?.shown() ?? "missing",
                fix: "Send WWW-Authenticate: Basic realm=\"token\" with the 401."
            )
        }
    )

    static let unknownClientIsReported = Check(
        "token.unknown-client.has-401-and-challenge",
        "The token endpoint returns invalid_client, HTTP status 401 and a Basic challenge for an unknown client",
        .must,
        .conformance,
        Citation(.rfc6749, "5.2", "invalid_client Client authentication failed (e.g., unknown client"),
        why: "A developer who mistypes the client ID looks for the error in the code or the grant.",
        reads: IncorrectRedemptions.query(.malformedTokenRequests, .unknownClient),
        supersededBy: [
            "token.wrong-secret.has-invalid-client", "token.wrong-secret.has-401-after-basic",
            "token.wrong-secret.has-basic-challenge", "token.error.has-error-member",
        ],
        exempt: { subject, _ in
            if subject.response.status >= 500 { return TokenErrors.serverFailed }
            return subject.isAcceptance || subject.issuedTokens
                ? "the token endpoint checked the code before the client" : nil
        },
        finding: { subject, _ in
            let value = subject.response.joinedHeader("WWW-Authenticate")
            let isRight = subject.error == "invalid_client" && subject.response.status == 401
            guard !isRight || !schemes(value).contains("basic") else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for an unknown client"
                    + (isRight ? ", without a Basic challenge." : "."),
                at: isRight ? "WWW-Authenticate" : "/error",
                expected: "HTTP status 401, error invalid_client, WWW-Authenticate: Basic",
                found: isRight ? value?.shown() ?? "missing" : subject.phrase,
                fix: "Return invalid_client with HTTP status 401 and WWW-Authenticate: Basic, as for a wrong secret."
            )
        }
    )

    static let malformedBasicIsRefused = Check(
        "token.basic.malformed-is-refused",
        "The token endpoint rejects Basic credentials that it cannot read, with HTTP status 400 or 401",
        // No client sends such a header; only the developer of one does by mistake.
        .should,
        .conformance,
        Citation(
            .rfc6749,
            "5.2",
            "the authorization server MUST respond with an HTTP 401 (Unauthorized) status code and include the"
                + " \"WWW-Authenticate\" response header field"
        ),
        why: "A developer whose client encodes its credentials wrongly looks for the error at the provider.",
        reads: malformedBasic,
        supersededBy: [
            "token.unknown-client.has-401-and-challenge", "token.wrong-secret.has-401-after-basic",
            "token.wrong-secret.has-basic-challenge", "token.error.has-error-member",
        ],
        exempt: { subject, _ in subject.isAcceptance ? "the token endpoint checked the code before the client" : nil },
        finding: { subject, _ in
            let status = subject.response.status
            let hasChallenge = schemes(subject.response.joinedHeader("WWW-Authenticate")).contains("basic")
            let isRight =
                subject.error == "invalid_client"
                ? status == 401 && hasChallenge
                : subject.error == "invalid_request" && (status == 400 || status == 401 && hasChallenge)
            guard !isRight else { return nil }
            return Finding(
                "The token endpoint returns \(subject.phrase) for Basic credentials that are \(defect(subject.asked.step.id)).",
                at: "Authorization",
                expected: "HTTP status 401, error invalid_client, WWW-Authenticate: Basic",
                found: subject.phrase,
                fix: "Return invalid_client with HTTP status 401 and WWW-Authenticate: Basic for credentials that are "
                    + "not base64, not UTF-8, or without a colon."
            )
        }
    )

    private static func defect(_ step: StepID) -> String {
        switch step {
        case .basicNotBase64: "not base64"
        case .basicNotUTF8: "not UTF-8"
        default: "without a colon"
        }
    }

    private static let malformedBasic: Query<CallResult> = {
        let each = CallResult.malformedBasic.map { IncorrectRedemptions.query(.malformedTokenRequests, $0) }
        return Query(
            "token responses to Basic credentials that cannot be read",
            needs: each.reduce(into: []) { $0.formUnion($1.needs) },
            features: Feature.shared(each.map(\.features))
        ) { facts in each.flatMap { $0.samples(facts) } }
    }()

    package static let all: [Check] = [
        malformedBasicIsRefused, unknownClientIsReported, configuredMethodIsAccepted, otherMethodsAreAccepted,
        wrongSecretIsRefused, wrongSecretIsInvalidClient, wrongBasicHas401, wrongBasicHasChallenge,
    ]

    private static let otherMethod = "the client is configured for another method"

    private static func isConfigured(_ subject: CallResult, _ facts: Facts) -> Bool {
        let client = facts.target.client(for: subject.asked.responseType) ?? facts.target.client
        return subject.method == client?.authentication
    }

    /// The scheme of each challenge in a `WWW-Authenticate` field: the first word of the value, and of each part after a comma.
    private static func schemes(_ value: String?) -> [String] {
        (value ?? "").lowercased().split(separator: ",")
            .compactMap { part in part.split(separator: " ").first.map(String.init) }
    }
}
