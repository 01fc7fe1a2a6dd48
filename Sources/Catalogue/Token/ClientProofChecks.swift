package import Conformance

/// Codes redeemed without valid client authentication.
package enum ClientProofChecks {
    static let needsRightSecret = Check(
        "token.code.needs-the-right-secret",
        "The token endpoint rejects a code with wrong client credentials",
        .must,
        .safety,
        Citation(.core, "3.1.3.2", "Authenticate the Client if it was issued Client Credentials"),
        why: "An attacker who steals a code can redeem it without the client's credentials.",
        reads: IncorrectRedemptions.confidential(IncorrectRedemptions.wrongSecrets),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal
    ) { subject, facts in
        let method = subject.methodOfWrongSecret(facts).map { " (\($0.rawValue))" } ?? ""
        return subject.tokens(
            "The token endpoint issues tokens to a client with wrong credentials\(method).",
            expected: "HTTP status 401 and error invalid_client",
            fix: "Verify the client's credentials before redeeming the code, for every authentication method."
        )
    }

    static let needsAuthentication = Check(
        "token.code.needs-client-authentication",
        "The token endpoint rejects a confidential client's code without client credentials",
        .must,
        .safety,
        Citation(.rfc6749, "4.1.3", "require client authentication for confidential clients"),
        why: "An attacker who steals a code can redeem it by omitting the client's credentials.",
        reads: IncorrectRedemptions.confidential(IncorrectRedemptions.query(.withoutSecret)),
        supersededBy: [IncorrectRedemptions.anyCode, needsRightSecret.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens to a confidential client without its credentials.",
            expected: "HTTP status 401 and error invalid_client",
            fix: "Register the client as confidential, and require its credentials at the token endpoint."
        )
    }

    static let needsClientID = Check(
        "token.code.needs-a-client-id",
        "The token endpoint rejects a public client's code without client_id",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.3",
            "if the client is public, ensure that the code was issued to \"client_id\" in the request"
        ),
        why: "A client can redeem another client's code, by mistake or on purpose.",
        reads: IncorrectRedemptions.withoutClient,
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint issues tokens although client_id is missing.",
            at: "client_id",
            expected: "error invalid_client or invalid_request",
            fix: "Require client_id from public clients, and compare it with the client that the code was issued to."
        )
    }

    static let oneMethodOnly = Check(
        "token.client-authentication.is-by-one-method",
        "The token endpoint rejects a request with the secret in both header and body",
        // The client must not; the provider's response is only mentioned among the errors.
        .may,
        .conformance,
        Citation(.rfc6749, "5.2", "utilizes more than one mechanism for authenticating the client"),
        why: "It is undefined which of two different secrets the provider checks.",
        reads: IncorrectRedemptions.query(.secretTwice),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint accepts client credentials in both the Authorization header and the body.",
            expected: "HTTP status 400 and error invalid_request",
            fix: "Return invalid_request if a request uses more than one client authentication method."
        )
    }

    static let formEncodingIsUndone = Check(
        "token.basic.form-encoding-is-undone",
        "The token endpoint form-decodes the client ID and secret in the Authorization header",
        .must,
        .signIn,
        Citation(
            .rfc6749,
            "2.3.1",
            "encoded using the \"application/x-www-form-urlencoded\" encoding algorithm per Appendix B"
        ),
        why: "The provider rejects a client that follows the specification if its ID or secret has special characters.",
        reads: basicEncodings,
        finding: { subject, _ in
            guard subject.encoded.clientRefusal != nil, subject.unencoded.isAcceptance else { return nil }
            return Finding(
                "The token endpoint accepts the client only if client ID and secret are not form-encoded in the Authorization header.",
                at: "Authorization",
                expected: "client ID and secret, each form-encoded, joined by a colon",
                found: "\(subject.encoded.phrase) with form encoding, \(subject.unencoded.phrase) without",
                fix: "Form-decode client ID and secret of Basic credentials, or use only letters and digits in them.",
                exchange: subject.encoded.answer.exchange
            )
        }
    )

    static let acceptedMethodsAreListed = Check(
        "token.client-authentication.accepted-methods-are-listed",
        "The provider advertises every method that works for this client",
        .may,
        .conformance,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "Platforms use the advertised methods; without a list they assume client_secret_basic only.",
        reads: TokenErrors.rightSecret,
        supersededBy: [
            IncorrectRedemptions.anyCode, "discovery.token-endpoint-auth-methods-supported.is-stated",
            "discovery.target.client-authentication-is-offered", "discovery.target.what-works-is-listed",
        ],
        exempt: { subject, facts in
            guard let method = subject.method else { return "not a request with a bogus code" }
            if facts.metadata.value?.tokenEndpointAuthMethods.contains(method.rawValue) == true {
                return "the method is advertised"
            }
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            return wrong.contains(where: \.isAcceptance)
                ? "the response does not depend on the client's credentials" : nil
        },
        finding: { subject, _ in
            guard subject.isAcceptance, let method = subject.method?.rawValue else { return nil }
            return Finding(
                "The token endpoint accepts the client with \(method), which is not advertised.",
                at: "/token_endpoint_auth_methods_supported",
                expected: "a list with \"\(method)\"",
                found: "a list without it, or none",
                fix: "Add \(method) to token_endpoint_auth_methods_supported, or reject it."
            )
        }
    )

    package static let all: [Check] = [
        needsRightSecret, needsAuthentication, needsClientID, oneMethodOnly, formEncodingIsUndone,
        acceptedMethodsAreListed,
    ]

    /// Both responses; empty if the encoding makes no difference.
    private static let basicEncodings: Query<(unencoded: CallResult, encoded: CallResult)> = {
        let unencoded = IncorrectRedemptions.query(.basicEncoding, .unencoded)
        let encoded = IncorrectRedemptions.query(.basicEncoding, .encoded)
        return Query(
            Scenario.basicEncoding.title,
            needs: unencoded.needs.union(encoded.needs),
            whenEmpty: "form encoding does not change this client ID and secret"
        ) { facts in
            guard let first = unencoded.samples(facts).first?.observation, let second = encoded.samples(facts).first
            else { return [] }
            if case .notAttempted = first, facts.evidence.run(Scenario.basicEncoding.id) != nil { return [] }
            return [
                Sample(
                    first.flatMap { first in second.observation.map { (unencoded: first, encoded: $0) } },
                    exchange: second.exchange
                )
            ]
        }
    }()
}
