package import Conformance

/// What relying platforms demand of the client that they are given.
package enum ClientRuleChecks {
    package static let isConfidential = RuledChecks.check(
        .clientIsConfidential,
        "The client is a confidential one",
        .signIn,
        why: "The platform refuses the registration: it knows no clients without a secret.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, _, _ in
            guard let client = target.client, !client.isConfidential, !client.hasSecret else { return [] }
            return [
                Finding(
                    "The client \(client.id.quoted) has no secret.",
                    at: "client.secret",
                    expected: "a secret",
                    found: "none",
                    fix: "Make the client a confidential one at the provider, and enter its secret."
                )
            ]
        }
    )

    package static let hasSecret = RuledChecks.check(
        .clientHasSecret,
        "The client has a secret",
        .signIn,
        why: "The platform redeems codes with a secret: it knows no client with a key, and none without.",
        reads: Documents.target,
        excusedBy: ["platform.client.response-types-are-accepted"],
        exempt: { target, facts in target.client(for: "code") == nil ? noClient : whyNoCode(facts) },
        rule: { target, _, _ in
            guard let client = target.client(for: "code"), !client.hasSecret else { return [] }
            return [
                Finding(
                    "The client \(client.id.quoted) has no secret.",
                    at: "client.secret",
                    expected: "a secret",
                    found: client.keyThumbprint == nil ? "none" : "a key, and no secret",
                    fix: "Register a client with a secret at the provider, and enter the secret."
                )
            ]
        }
    )

    package static let isPublic = RuledChecks.check(
        .clientIsPublic,
        "The client is a public one",
        .safety,
        why: "What is shipped to everybody protects nothing: a secret or a key can be read from it.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, _, _ in
            guard let client = target.client, client.hasSecret || client.keyThumbprint != nil else { return [] }
            let credential = client.hasSecret ? "secret" : "key"
            return [
                Finding(
                    "The client \(client.id.quoted) has a \(credential).",
                    at: client.hasSecret ? "client.secret" : "client.private_key",
                    expected: "a public client, and PKCE",
                    found: "a \(credential) in the configuration",
                    fix: "Register a public client (token_endpoint_auth_method none), and configure it without a "
                        + "\(credential)."
                )
            ]
        }
    )

    package static let authenticationIsAccepted = RuledChecks.check(
        .clientAuthentication,
        "The client authenticates in a way that is accepted",
        .signIn,
        why: "Other ways are refused, or are too weak for what the profile protects.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, methods, _ in
            guard let client = target.client, !methods.contains(client.authentication.rawValue) else { return [] }
            return [
                Finding(
                    "The client authenticates by \(client.authentication.rawValue).",
                    at: "client.authentication",
                    expected: methods.joined(separator: " or "),
                    found: client.authentication.rawValue,
                    fix: "Register the client with token_endpoint_auth_method \(methods.first ?? "another")."
                )
            ]
        }
    )

    package static let idIsShortEnough = RuledChecks.check(
        .clientIDLength,
        "The client ID is no longer than the platform takes",
        .signIn,
        why: "The platform refuses the registration.",
        reads: Documents.target,
        exempt: { target, _ in target.client == nil ? noClient : nil },
        rule: { target, limit, _ in
            guard let count = target.client?.id.unicodeScalars.count, count > limit else { return [] }
            return [
                Finding(
                    "The client ID has \(count) characters.",
                    at: "client.id",
                    expected: "at most \(limit)",
                    found: String(count),
                    fix: "Register a client with a shorter identifier at the provider."
                )
            ]
        }
    )

    package static let responseTypesAreAccepted = RuledChecks.check(
        .clientResponseTypes,
        "Only response types that the platform uses are switched on, and one of them is tried",
        .signIn,
        why: "The platform refuses the registration, or signs in by a flow that nobody has tried.",
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
                        "The response type \(type.text.quoted) is not one that the platform uses.",
                        at: "registration.response_types",
                        expected: expected,
                        found: type.text.shown(),
                        fix: "Register the client for \(accepted.first ?? "code")."
                    )
                }
            }
            // A run may try more than the platform uses: what it uses is to be among it.
            guard !target.flows.isEmpty, !target.flows.contains(where: known.contains) else { return [] }
            return [
                Finding(
                    "No flow is tried that the platform uses.",
                    at: "flows",
                    expected: expected,
                    found: target.flows.map(\.text).joined(separator: ", ").shown(),
                    fix: "Add \(accepted.first ?? "code") to flows, and register the client for it."
                )
            ]
        }
    )

    package static let secretInBodyIsAccepted = RuledChecks.check(
        .secretInBody,
        "The client secret is accepted in the body of a token request",
        .signIn,
        why: "The platform sends it there and nowhere else: its client is refused, and nobody can sign in.",
        reads: Redemptions.rightSecretInBody,
        excusedBy: ["token.client-authentication.is-accepted"],
        exempt: { _, facts in
            guard let method = facts.target.client(for: "code")?.authentication, method.usesAssertion,
                facts.profile.parameters[.metadataAuthentication]?.contains(method.rawValue) == true
            else { return nil }
            return "the client authenticates by \(method.rawValue), which the platform uses as well"
        },
        rule: { subject, _, _ in
            guard subject.refusesRightSecret else { return [] }
            return [
                Finding(
                    "The right secret in the body was refused with \(subject.phrase).",
                    at: "token_endpoint_auth_method",
                    expected: subject.hasMadeUpCode ? "invalid_grant, because only the code is wrong" : "tokens",
                    found: subject.error?.shown() ?? "HTTP status \(subject.response.status)",
                    fix: "Register the client with token_endpoint_auth_method client_secret_post."
                )
            ]
        }
    )

    package static let sendsPKCE = RuledChecks.check(
        .clientSendsPKCE,
        "The client sends a PKCE challenge",
        .conformance,
        why: "Nothing was seen of what protects the platform's codes: a run without PKCE cannot speak for it.",
        reads: Documents.target,
        exempt: { target, _ in
            if target.client == nil { return noClient }
            let stated = target.registration.responseTypes
            let types = stated.isEmpty ? target.flows : stated
            return types.isEmpty || types.contains(where: \.hasCode) ? nil : "no response type with a code is used"
        },
        rule: { target, _, _ in
            target.allClients.filter { $0.sendsPKCE == false }
                .map { client in
                    Finding(
                        "The client \(client.id.quoted) is configured to send no PKCE.",
                        at: "client.pkce",
                        expected: "true, or no such key",
                        found: "false",
                        fix: "Let the provider take a code_verifier from this client, and remove pkce: false."
                    )
                }
        }
    )

    package static let all: [Check] = [
        isConfidential, hasSecret, isPublic, authenticationIsAccepted, idIsShortEnough, responseTypesAreAccepted,
        secretInBodyIsAccepted, sendsPKCE,
    ]

    /// Why no code is redeemed there, or may not be; `nil` where the platform uses codes.
    private static func whyNoCode(_ facts: Facts) -> String? {
        let accepted = facts.profile.parameters[.clientResponseTypes] ?? ["code"]
        if accepted.allSatisfy({ ResponseType($0).hasCode }) { return nil }
        guard let type = facts.platformResponseType else { return Firebase.registrationUnknown }
        return type.hasCode ? nil : "the platform uses \(type), which takes no secret"
    }

    private static let noClient = "the configuration names no client"
}
