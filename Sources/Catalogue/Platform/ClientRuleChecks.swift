package import Conformance

/// Platform rules about the registered client.
package enum ClientRuleChecks {
    static let isConfidential = RuledChecks.check(
        .clientIsConfidential,
        "The client is confidential",
        .signIn,
        why: "The platform rejects the registration, because it does not support public clients.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, _, _ in
            guard let client = target.client, !client.isConfidential, !client.hasSecret else { return [] }
            return [
                Finding(
                    "The client \(client.id.quoted) authenticates with neither a secret nor a key.",
                    at: "client.secret",
                    expected: "a secret",
                    found: "none",
                    fix: "Register a confidential client at the provider, and set client.secret."
                )
            ]
        }
    )

    static let hasSecret = RuledChecks.check(
        .clientHasSecret,
        "The client has a secret",
        .signIn,
        why: "The platform redeems codes with a client secret, and supports neither client keys nor public clients.",
        reads: Documents.target,
        supersededBy: ["platform.client.response-types-are-accepted"],
        exempt: { target, facts in target.client(for: "code") == nil ? noClient : whyNoCode(facts) },
        rule: { target, _, _ in
            guard let client = target.client(for: "code"), !client.hasSecret else { return [] }
            return [
                Finding(
                    "The client \(client.id.quoted) has no secret.",
                    at: "client.secret",
                    expected: "a secret",
                    found: client.keyThumbprint == nil ? "none" : "a key but no secret",
                    fix: "Register a client with a secret at the provider, and set client.secret."
                )
            ]
        }
    )

    static let isPublic = RuledChecks.check(
        .clientIsPublic,
        "The client is public",
        .safety,
        why: "An attacker can extract a secret or a key from an application that is shipped to users.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, _, _ in
            guard let client = target.client, client.hasSecret || client.keyThumbprint != nil else { return [] }
            let credential = client.hasSecret ? "secret" : "key"
            return [
                Finding(
                    "The client \(client.id.quoted) has a \(credential).",
                    at: client.hasSecret ? "client.secret" : "client.private_key",
                    expected: "a public client with PKCE",
                    found: "a \(credential) in the configuration",
                    fix:
                        "Register a public client (token_endpoint_auth_method none), and remove the \(credential) from "
                        + "the configuration."
                )
            ]
        }
    )

    static let authenticationIsAccepted = RuledChecks.check(
        .clientAuthentication,
        "The client uses an authentication method that the profile accepts",
        .signIn,
        why: "The platform rejects other methods, or they are too weak for what the profile protects.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, methods, _ in
            guard let client = target.client, !methods.contains(client.authentication.rawValue) else { return [] }
            return [
                Finding(
                    "The client's authentication method is \(client.authentication.rawValue).",
                    at: "client.authentication",
                    expected: methods.joined(separator: " or "),
                    found: client.authentication.rawValue,
                    fix: "Register the client with token_endpoint_auth_method \(methods.first ?? "another")."
                )
            ]
        }
    )

    static let idIsShortEnough = RuledChecks.check(
        .clientIDLength,
        "The client ID is no longer than the platform accepts",
        .signIn,
        why: "The platform rejects the registration.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, limit, _ in
            guard let count = target.client?.id.unicodeScalars.count, count > limit else { return [] }
            return [
                Finding(
                    "The client ID has \(count) characters.",
                    at: "client.id",
                    expected: "at most \(counted(limit, "character"))",
                    found: counted(count, "character"),
                    fix: "Register a client with a shorter client ID at the provider."
                )
            ]
        }
    )

    static let responseTypesAreAccepted = RuledChecks.check(
        .clientResponseTypes,
        "The registration enables only response types that the platform uses, and the run tests one of them",
        .signIn,
        why: "The platform rejects the registration, or signs users in with a flow that the run did not test.",
        reads: Documents.target,
        exempt: { target, _ in
            target.registration.responseTypes.isEmpty && target.flows.isEmpty
                ? "the configuration names no response type" : nil
        },
        rule: { target, accepted, _ in
            let known = accepted.map { ResponseType($0) }
            let expected = accepted.joined(separator: " or ")
            let strangers = target.registration.responseTypes.filter { !known.contains($0) }
            guard strangers.isEmpty else {
                return strangers.map { type in
                    Finding(
                        "The platform does not use the response type \(type.text.quoted).",
                        at: "registration.response_types",
                        expected: expected,
                        found: type.text.shown(),
                        fix:
                            "Register the client for \(accepted.first ?? "code"), and name only that in registration.response_types."
                    )
                }
            }
            // A run may test more flows than the platform uses, but must include one that it uses.
            guard !target.flows.isEmpty, !target.flows.contains(where: known.contains) else { return [] }
            return [
                Finding(
                    "The configuration contains no flow that the platform uses.",
                    at: "flows",
                    expected: expected,
                    found: target.flows.map(\.text).joined(separator: ", ").shown(),
                    fix: "Add \(accepted.first ?? "code") to flows, and register the client for it."
                )
            ]
        }
    )

    static let secretInBodyIsAccepted = RuledChecks.check(
        .secretInBody,
        "The token endpoint accepts the client secret in the request body",
        .signIn,
        why:
            "The platform sends the secret only in the body, so the token endpoint rejects it and users cannot sign in.",
        reads: IncorrectRedemptions.rightSecretInBody,
        supersededBy: ["token.client-authentication.is-accepted"],
        exempt: { _, facts in
            guard let method = facts.target.client(for: "code")?.authentication, method.usesAssertion,
                facts.profile.parameters[.metadataAuthentication]?.contains(method.rawValue) == true
            else { return nil }
            return "the client authenticates with \(method.rawValue), which the platform also uses"
        },
        rule: { subject, _, _ in
            guard subject.refusesRightSecret else { return [] }
            return [
                Finding(
                    "For the correct client secret in the body, the token endpoint returns \(subject.phrase).",
                    at: "token_endpoint_auth_method",
                    expected: subject.hasBogusCode ? "invalid_grant, because only the code is wrong" : "tokens",
                    found: subject.error?.shown() ?? "HTTP status \(subject.response.status)",
                    fix: "Register the client with token_endpoint_auth_method client_secret_post."
                )
            ]
        }
    )

    static let sendsPKCE = RuledChecks.check(
        .clientSendsPKCE,
        "The client sends a code_challenge (PKCE)",
        .conformance,
        why: "PKCE protects the platform's authorization codes, and a run without PKCE does not test this protection.",
        reads: Documents.target,
        exempt: { target, _ in
            if target.client == nil { return noClient }
            let stated = target.registration.responseTypes
            let types = stated.isEmpty ? target.flows : stated
            return types.isEmpty || types.contains(where: \.hasCode)
                ? nil : "no configured response type returns a code"
        },
        rule: { target, _, _ in
            target.allClients.filter { $0.sendsPKCE == false }
                .map { client in
                    Finding(
                        "The configuration disables PKCE for the client \(client.id.quoted).",
                        at: "client.pkce",
                        expected: "true, or no such key in the configuration",
                        found: "false",
                        fix:
                            "Allow PKCE for this client at the provider, and remove pkce: false from the configuration."
                    )
                }
        }
    )

    static let assertionIsForTheIssuer = RuledChecks.check(
        .assertionAudience,
        "The token endpoint rejects a client assertion with its own URL as aud",
        .safety,
        why:
            "If the client also authenticates at an attacker's server, that server can state this endpoint as its own, and replay "
            + "the assertion here.",
        reads: SignedAssertionChecks.form(.endpoint),
        supersededBy: [IncorrectRedemptions.anyCode],
        passesOn: .refusal,
        exempt: { subject, facts in
            let wrong = TokenErrors.wrongSecret.samples(facts).compactMap(\.observation.value)
            if wrong.contains(where: \.isAcceptance) {
                return "the response does not depend on the client's credentials"
            }
            return subject.isAcceptance || subject.clientRefusal != nil
                ? nil : "the response neither accepts nor rejects the assertion"
        },
        rule: { subject, _, _ in
            guard subject.isAcceptance else { return [] }
            return [
                Finding(
                    "The token endpoint accepts a client assertion whose aud is its own URL.",
                    at: "client_assertion",
                    expected: "error invalid_client",
                    found: subject.phrase,
                    fix: "Accept only the issuer, as a string, in the aud of client assertions."
                )
            ]
        }
    )

    static let codeSurvivesHeader = codeSurvives(.headerIsFirst, .headerFirst, "header")
    static let codeSurvivesBody = codeSurvives(.bodyIsFirst, .bodyFirst, "body")

    private static func codeSurvives(_ rule: Rule<NoValue>, _ scenario: Scenario, _ place: String) -> Check {
        RuledChecks.check(
            rule,
            "A code stays valid if the token endpoint rejects the secret in the \(place)",
            .signIn,
            why: "The platform sends the same code again with the secret in another place, and no user can sign in.",
            reads: StepResults.answer(scenario, .again),
            supersededBy: ["authorization.flow.succeeds"],
            exempt: { _, facts in
                facts.answer(scenario, .otherMethod)?.isSuccess == true
                    ? "the token endpoint accepts the secret in the \(place)" : nil
            },
            rule: { subject, _, _ in
                guard !subject.isSuccess else { return [] }
                return [
                    Finding(
                        "After the rejection of the secret in the \(place), the token endpoint returns \(subject.phrase) for the same code.",
                        at: "code",
                        expected: "tokens",
                        found: subject.phrase,
                        fix:
                            "Authenticate the client before using the code, so that a rejected client does not invalidate it."
                    )
                ]
            }
        )
    }

    package static let all: [Check] = [
        isConfidential, hasSecret, isPublic, authenticationIsAccepted, idIsShortEnough, responseTypesAreAccepted,
        secretInBodyIsAccepted, codeSurvivesHeader, codeSurvivesBody, assertionIsForTheIssuer, sendsPKCE,
    ]

    /// Why the platform redeems no code, or why that is unknown; `nil` if it uses codes.
    private static func whyNoCode(_ facts: Facts) -> String? {
        let accepted = facts.profile.parameters[.clientResponseTypes] ?? ["code"]
        if accepted.allSatisfy({ ResponseType($0).hasCode }) { return nil }
        guard let type = facts.platformResponseType else { return Firebase.registrationUnknown }
        return type.hasCode ? nil : "the platform uses \(type), which needs no client secret"
    }

    private static let noClient = "the configuration names no client"
}
