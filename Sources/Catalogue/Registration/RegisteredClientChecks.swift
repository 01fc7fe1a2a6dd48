package import Conformance
import JSONTree

/// Sign-ins and claims of dynamically registered clients.
package enum RegisteredClientChecks {
    static let canSignIn = Check(
        "registration.client.can-sign-in",
        "Users can sign in with a newly registered client",
        .risk,
        .signIn,
        Citation(.registration, "3.2", "returns the newly created Client Identifier"),
        why: "A platform registers itself successfully, but its users cannot sign in.",
        reads: Registrations.asRegistered(
            "sign-in with a client registered for it",
            "redirect_uris",
            [.registeredClient],
            needing: []
        ) { run, _ in run.authorization.map { _ in run } },
        supersededBy: ["registration.client-secret.is-issued"],
        exempt: unlessFlowsWork,
        finding: { subject, _ in
            let run = subject.value
            if let refusal = refusal(by: run.authorization.value) { return failure(refusal) }
            guard case .observed(let answer) = run.token, answer.accessToken == nil else { return nil }
            return failure("the token endpoint issued no access token")
        }
    )

    static let responseTypesAreServed = Check(
        "registration.response-types.are-served",
        "The provider supports every response type that a client is registered for",
        .risk,
        .signIn,
        Citation(.rfc7591, "2", "response type strings that the client can use at the authorization endpoint"),
        why: "A platform registers itself successfully, but its users cannot sign in.",
        reads: Registrations.asRegistered(
            "sign-in with a client registered for tokens from the authorization endpoint",
            "response_types",
            [.frontChannelClient],
            needing: []
        ) { run, _ in run.authorization.map { _ in run } },
        supersededBy: ["registration.client.can-sign-in", "authorization.response.holds-what-was-asked"],
        exempt: unlessFlowsWork,
        rule: { subject, _ in
            let registered = subject.metadata["response_types"]?.strings?.map { ResponseType($0) } ?? []
            return Scenario.frontChannelTypes.filter { registered.contains($0.type) }
                .compactMap { type, step -> Finding? in
                    guard let answer = subject.value.authorization(step).value else { return nil }
                    let isShort = type.values.contains { answer.redirect?.has($0) != true }
                    let what = refusal(by: answer) ?? (isShort ? "the response does not contain \(type.text)" : nil)
                    return what.map { notServed(type, because: $0, at: answer.exchange) }
                }
        }
    )

    static let queryIsKept = Check(
        "registration.client.redirect-uri-keeps-its-query",
        "The provider keeps the query of a registered redirect URI",
        .must,
        .signIn,
        Citation(.rfc6749, "3.1.2", "which MUST be retained when adding additional query parameters"),
        why: "The application selects its page by the query, so the response arrives at the wrong page or at none.",
        reads: Registrations.asRegistered(
            "sign-in with a client whose redirect URI was registered with a query",
            "redirect_uris",
            [.clientWithQuery],
            needing: []
        ) { run, _ in run.authorization.map { _ in run } },
        supersededBy: ["registration.client.can-sign-in", "registration.redirect-uris.are-returned"],
        exempt: unlessFlowsWork,
        finding: { subject, _ in
            guard let answer = subject.value.authorization.value else { return nil }
            let isLost = answer.redirect?.isRedirectURI == true && answer.redirect?.keepsQuery == false
            guard let what = refusal(by: answer) ?? (isLost ? "the query is missing" : nil) else { return nil }
            return Finding(
                "The provider does not redirect to the complete redirect URI that was registered with a query: \(what).",
                at: "redirect_uri",
                expected: "the response added to \(subject.value.sentParameter("redirect_uri")?.shown() ?? "it")",
                found: what,
                fix: "Compare the whole redirect URI, including the query, and append response parameters with &. "
                    + "Otherwise, reject the registration.",
                exchange: answer.exchange
            )
        }
    )

    static let missingIsRefused = Check(
        "registration.client.missing-redirect-uri-is-refused",
        "The provider rejects a request without redirect_uri if the client has two redirect URIs",
        .must,
        .safety,
        Citation(.core, "3.1.2.1", "redirect_uri REQUIRED."),
        why: "The provider sends the code to an address that it chooses, which may be a page of another party.",
        reads: Registrations.asRegistered(
            "request without redirect_uri for a client with two redirect URIs",
            "redirect_uris",
            [.clientWithQuery],
            needing: []
        ) { run, _ in run.authorization(.noRedirectURI) },
        supersededBy: ["authorization.redirect-uri.missing-is-refused", "registration.client.can-sign-in"],
        passesOn: .refusal,
        exempt: { subject, _ in
            let baseline = subject.run.authorization.value?.redirect
            if subject.metadata["redirect_uris"]?.strings?.count != 2 {
                return "the client is not registered with two redirect URIs"
            }
            return baseline?.isGrant == true ? nil : "the baseline request with redirect_uri was not granted"
        },
        finding: { subject, _ in
            guard let redirect = subject.value.redirect, redirect.isGrant, !redirect.has("error") else { return nil }
            return Finding(
                "The provider grants a request without redirect_uri although the client has two redirect URIs; "
                    + "it redirects to \(redirect.address.shown()).",
                at: "redirect_uri",
                expected: "an error page",
                found: "a redirect with a code or token",
                fix:
                    "Reject requests with the scope openid that have no redirect_uri, and never choose one of several registered "
                    + "redirect URIs (RFC 6749 section 3.1.2.3)."
            )
        }
    )

    private static func notServed(_ type: ResponseType, because what: String, at exchange: Int) -> Finding {
        var finding = Finding(
            "A client is registered for response_type \(type.text) but cannot use it: \(what).",
            at: "response_type",
            expected: "\(type.values.sorted().listed) in the fragment",
            found: what,
            fix: "Allow registered clients the response types that their registration response contains, or remove "
                + "\(type.text) from that response and from response_types_supported."
        )
        finding.exchange = exchange
        return finding
    }

    static func unlessFlowsWork<Value>(_: Value, _ facts: Facts) -> String? {
        let flows = facts.evidence.runs.filter { $0.scenario.isFlow && $0.responseType.hasCode }
        let isBroken = flows.contains { $0.token.value?.accessToken == nil }
        return isBroken ? "the code flow also fails for the configured client" : nil
    }

    /// The reason why an authorization request of a registered client was rejected; `nil` if it was not.
    static func refusal(by answer: AuthorizationAnswer?) -> String? {
        guard let redirect = answer?.redirect else { return "the authorization request ended at a page" }
        return redirect.error.map { "the authorization endpoint returned the error \($0.quoted)" }
    }

    private static func failure(_ what: String) -> Finding {
        Finding(
            "Users cannot sign in with a newly registered client: \(what).",
            expected: "a code, and tokens for it",
            found: what,
            fix:
                "Activate a registered client at once, with the redirect URI, response type and method of its registration response."
        )
    }

    static let authTimeIsThere = Check(
        "idtoken.auth-time.is-present-as-registered",
        "The ID Token has auth_time if the client registered require_auth_time",
        .must,
        .conformance,
        Citation(
            .registration,
            "2",
            "Boolean value specifying whether the auth_time Claim in the ID Token is REQUIRED. It is REQUIRED when the value is true."
        ),
        why: "A platform that requires a recent sign-in rejects the token.",
        reads: Registrations.asRegistered(
            "claims for a client with require_auth_time",
            "require_auth_time",
            [.registeredClient]
        ) { run, facts in RegisteredTokens.claims(run, facts) },
        concerns: .ofClaim("auth_time"),
        supersededBy: ["idtoken.auth-time.is-a-number", "idtoken.auth-time.is-present-with-max-age"],
        finding: { subject, _ in
            guard subject.value["auth_time"]?.numberValue == nil else { return nil }
            return .claim(
                "auth_time",
                "The client registered require_auth_time, but its ID Token has no numeric auth_time.",
                expected: "a number",
                found: subject.value["auth_time"],
                fix: "Add auth_time, in seconds since 1970, to ID Tokens of clients with require_auth_time."
            )
        }
    )

    static let pairwiseDiffers = Check(
        "idtoken.pairwise-sub.differs-from-public",
        "A user's pairwise sub differs from the public one",
        .must,
        .safety,
        Citation(
            .core,
            "8",
            "This provides a different sub value to each Client, so as not to enable Clients to correlate the End-User's activities without permission."
        ),
        why: "One platform can link its users with those of another, which pairwise subjects must prevent.",
        reads: Registrations.asRegistered(
            "subjects of a pairwise and of a public client",
            "subject_type",
            [.pairwiseClient],
            needing: [.keys, .probe(Scenario.registeredClient.id)]
        ) { run, facts -> Observation<RegisteredTokens.ComparedValues> in
            guard let other = facts.evidence.run(Scenario.registeredClient.id),
                other.registeredAs("subject_type") == "public"
            else { return .notAttempted("no client could be registered for public subjects") }
            return RegisteredTokens.subject(run, facts)
                .flatMap { own in
                    RegisteredTokens.subject(other, facts)
                        .map { RegisteredTokens.ComparedValues(first: own, second: $0) }
                }
        },
        finding: { subject, _ in
            guard subject.value.first == subject.value.second else { return nil }
            return .claim(
                "sub",
                "A client registered for pairwise subjects receives the same sub as one registered for public subjects.",
                expected: "a value that differs from that of a public client",
                found: .string(subject.value.first),
                fix: "Derive sub from the sector identifier, the account and a secret salt if subject_type is pairwise "
                    + "(Core section 8.1)."
            )
        }
    )

    static let pairwiseIsStable = Check(
        "idtoken.pairwise-sub.is-stable",
        "A user's pairwise sub does not change",
        .must,
        .safety,
        Citation(.core, "8.1", "The algorithm MUST be deterministic."),
        why: "Every sign-in creates a new account, or another user with the same email address gets the account.",
        reads: Registrations.asRegistered(
            "subjects of two authorizations of a pairwise client",
            "subject_type",
            [.pairwiseClient]
        ) { run, facts -> Observation<RegisteredTokens.ComparedValues> in
            RegisteredTokens.subject(run, facts)
                .flatMap { first in
                    RegisteredTokens.subject(run, of: .again, facts)
                        .map { RegisteredTokens.ComparedValues(first: first, second: $0) }
                }
        },
        finding: { subject, _ in
            guard subject.value.first != subject.value.second else { return nil }
            return .claim(
                "sub",
                "The same user has two pairwise values of sub at the same client.",
                expected: subject.value.first.shown(),
                found: .string(subject.value.second),
                fix: "Derive sub only from the sector identifier, the account and a fixed salt."
            )
        }
    )

    package static let all: [Check] = [
        canSignIn, responseTypesAreServed, queryIsKept, missingIsRefused, EveryIDTokenChecks.registered,
    ]
    /// The checks about ID Tokens.
    package static let tokens: [Check] = [authTimeIsThere, pairwiseDiffers, pairwiseIsStable]
}

/// Queries for the ID Tokens of dynamically registered clients.
enum RegisteredTokens {
    /// Two values to compare.
    struct ComparedValues: Sendable {
        var first: String
        var second: String
    }

    /// The ID Token of the token endpoint, as it arrived.
    static func raw(_ run: ScenarioRun, of step: StepID = .authorization, _ facts: Facts) -> Observation<TokenFacts> {
        run.answer(step.token)
            .flatMap { answer in
                answer.idToken.map { .observed($0) } ?? .absent("the token response contained no ID Token")
            }
    }

    /// The first ID Token of the authorization endpoint, as it arrived.
    static func ofTheAuthorizationEndpoint(_ run: ScenarioRun) -> Observation<TokenFacts> {
        let answers = Scenario.frontChannelTypes.map { run.authorization($0.step) }
        if let token = answers.lazy.compactMap({ $0.value?.idToken }).first { return .observed(token) }
        return (answers.first { $0.value != nil } ?? run.authorization)
            .flatMap { _ in .absent("the authorization response contained no ID Token") }
    }

    static func claims(_ run: ScenarioRun, of step: StepID = .authorization, _ facts: Facts) -> Observation<JSONObject>
    {
        raw(run, of: step, facts)
            .flatMap { token in
                token.claimsObject.map { .observed($0) } ?? .absent("the ID Token's claims could not be decoded")
            }
    }

    static func subject(_ run: ScenarioRun, of step: StepID = .authorization, _ facts: Facts) -> Observation<String> {
        claims(run, of: step, facts)
            .flatMap { claims in claims["sub"]?.stringValue.map { .observed($0) } ?? .absent("the ID Token has no sub")
            }
    }
}

extension TokenFacts {
    var headerObject: JSONObject? { Self.object(header) }
    var claimsObject: JSONObject? { Self.object(claims) }
    var isVerified: Bool { trials.contains(where: \.isVerified) }

    static func object(_ body: Body?) -> JSONObject? {
        body?.bytes.flatMap { try? JSONDocument.parse($0) }?.root.objectValue
    }
}

extension ScenarioRun {
    /// A member of the registration response for the scenario's client.
    func registeredAs(_ member: String) -> String? {
        TokenFacts.object(registration?.answer.value?.body)?[member]?.stringValue
    }
}
