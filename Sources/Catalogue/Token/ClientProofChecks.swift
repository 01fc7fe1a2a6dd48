package import Conformance

/// Codes that are redeemed without the client's proof of who it is.
package enum ClientProofChecks {
    package static let needsRightSecret = Check(
        "token.code.needs-the-right-secret",
        "A code is refused with wrong client credentials",
        .must,
        .safety,
        Citation(.core, "3.1.3.2", "Authenticate the Client if it was issued Client Credentials"),
        why: "Whoever steals a code can redeem it: the secret protects nothing.",
        reads: Redemptions.confidential(Redemptions.wrongSecrets),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal
    ) { subject, facts in
        let method = subject.methodOfWrongSecret(facts).map { " by \($0.rawValue)" } ?? ""
        return subject.tokens(
            "The token endpoint gave tokens to a client with wrong credentials\(method).",
            expected: "HTTP status 401 and error invalid_client",
            fix: "Verify the client's credentials before the code is redeemed, by whichever method they come."
        )
    }

    package static let needsAuthentication = Check(
        "token.code.needs-client-authentication",
        "A code of a confidential client is refused without its credentials",
        .must,
        .safety,
        Citation(.rfc6749, "4.1.3", "require client authentication for confidential clients"),
        why: "Whoever steals a code can redeem it: the secret protects nothing when it may be left out.",
        reads: Redemptions.confidential(Redemptions.slot(.withoutSecret)),
        excusedBy: [Redemptions.anyCode, needsRightSecret.id],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens to the client by its identifier alone.",
            expected: "HTTP status 401 and error invalid_client",
            fix: "Register the client as confidential, and demand its credentials at the token endpoint."
        )
    }

    package static let needsClientID = Check(
        "token.code.needs-a-client-id",
        "A code of a public client is refused without client_id",
        .must,
        .safety,
        Citation(
            .rfc6749,
            "4.1.3",
            "if the client is public, ensure that the code was issued to \"client_id\" in the request"
        ),
        why: "Whoever holds a code of another application can redeem it, by mistake or by malice.",
        reads: Redemptions.withoutClient,
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint gave tokens though no client was named.",
            at: "client_id",
            expected: "error invalid_client or invalid_request",
            fix: "Demand client_id of public clients, and compare it with the client of the code."
        )
    }

    package static let oneMethodOnly = Check(
        "token.client-authentication.is-by-one-method",
        "A request with the secret in header and body at once is refused",
        // The client must not; what the provider then does, is only named among the errors.
        .may,
        .conformance,
        Citation(.rfc6749, "5.2", "utilizes more than one mechanism for authenticating the client"),
        why: "Which of two credentials counts, is then a matter of luck.",
        reads: Redemptions.slot(.secretTwice),
        excusedBy: [Redemptions.anyCode],
        passesOn: .refusal
    ) { subject, _ in
        subject.tokens(
            "The token endpoint took client credentials in the Authorization header and in the body at once.",
            expected: "HTTP status 400 and error invalid_request",
            fix: "Answer invalid_request to more than one way of client authentication."
        )
    }

    package static let formEncodingIsUndone = Check(
        "token.basic.form-encoding-is-undone",
        "Identifier and secret in the Authorization header are form-decoded",
        .must,
        .signIn,
        Citation(
            .rfc6749,
            "2.3.1",
            "encoded using the \"application/x-www-form-urlencoded\" encoding algorithm per Appendix B"
        ),
        why: "A client that follows the specification is refused for the special characters in its secret.",
        reads: basicEncodings,
        finding: { subject, _ in
            guard subject.encoded.clientRefusal != nil, subject.unencoded.isAcceptance else { return nil }
            return Finding(
                "The client is let in only when identifier and secret are not form-encoded in the Authorization header.",
                at: "Authorization",
                expected: "identifier and secret, each form-encoded, joined by a colon",
                found: "\(subject.encoded.phrase) with form encoding, \(subject.unencoded.phrase) without",
                fix: "Form-decode both halves of Basic credentials, or give the client a secret of letters and digits.",
                exchange: subject.encoded.answer.exchange
            )
        }
    )

    package static let acceptedMethodsAreListed = Check(
        "token.client-authentication.accepted-methods-are-listed",
        "Methods that work for this client are advertised",
        .may,
        .conformance,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "Platforms use what is advertised; without the list they take client_secret_basic for the only method.",
        reads: TokenErrors.rightSecret,
        excusedBy: [
            Redemptions.anyCode, "discovery.token-endpoint-auth-methods-supported.is-stated",
            "discovery.target.client-authentication-is-offered", "discovery.target.what-works-is-listed",
        ],
        exempt: { subject, facts in
            guard let method = subject.method else { return "not a made-up code" }
            if facts.metadata.value?.tokenEndpointAuthMethods.contains(method.rawValue) == true {
                return "the method is advertised"
            }
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            return wrong.contains(where: \.isAcceptance)
                ? "the answer does not depend on the client's credentials" : nil
        },
        finding: { subject, _ in
            guard subject.isAcceptance, let method = subject.method?.rawValue else { return nil }
            return Finding(
                "The client was let in by \(method), which is not advertised.",
                at: "/token_endpoint_auth_methods_supported",
                expected: "a list with \"\(method)\"",
                found: "a list without it, or none",
                fix: "Add \(method) to token_endpoint_auth_methods_supported, or refuse it."
            )
        }
    )

    package static let all: [Check] = [
        needsRightSecret, needsAuthentication, needsClientID, oneMethodOnly, formEncodingIsUndone,
        acceptedMethodsAreListed,
    ]

    /// Both answers; none where the encoding makes no difference.
    private static let basicEncodings: Slot<(unencoded: AnsweredCall, encoded: AnsweredCall)> = {
        let unencoded = Redemptions.slot(.basicEncoding, .unencoded)
        let encoded = Redemptions.slot(.basicEncoding, .encoded)
        return Slot(
            Scenario.basicEncoding.title,
            needs: unencoded.needs.union(encoded.needs),
            whenEmpty: "form encoding changes nothing in this identifier and this secret"
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
