import Conformance
import JSONTree

/// The provider offers the features that this registration needs.
enum DiscoveryTargetChecks {
    static let responseTypes = Check(
        "discovery.target.response-types-are-offered",
        "The discovery document lists the response types that the client uses",
        .platform,
        .signIn,
        Citation(.discovery, "3", "a list of the OAuth 2.0 response_type values that this OP supports"),
        why: "A request with an unsupported response type ends on an error page.",
        reads: Documents.discovery,
        exempt: unless(wantedTypes, "the configuration names no response type", and: "response_types_supported")
    ) { metadata, facts in
        let offered = metadata.responseTypes
        // The response type none does not sign a user in.
        let usable = offered.map(\.text).filter { $0 != "none" }
        return wantedTypes(facts).filter { !offered.contains($0) && !facts.hasWorked(.responseType($0)) }
            .map { type in
                Finding(
                    "response_types_supported does not list \(type.text.quoted)",
                    at: "/response_types_supported",
                    expected: type.text.shown(),
                    found: offered.map(\.text).written,
                    fix: "Enable \(type.text.quoted) at the provider"
                        + (usable.isEmpty ? "." : ", or register one of \(usable.listed).")
                )
            }
    }

    static let scopes = Check(
        "discovery.target.scopes-are-offered",
        "The discovery document lists the scopes that the client requests",
        .risk,
        .conformance,
        Citation(.discovery, "3", "Servers MAY choose not to advertise some supported scope values"),
        why:
            "The provider ignores or rejects a scope that it does not know, and does not return the claims of the scope.",
        reads: Documents.discovery,
        exempt: unless(wantedScopes, "the configuration requests no scope except openid", and: "scopes_supported")
    ) { metadata, facts in
        let offered = metadata.strings("scopes_supported") ?? []
        let missing = wantedScopes(facts).filter { !offered.contains($0) && !facts.hasWorked(.scope($0)) }
        return missing.map { scope in
            Finding(
                "scopes_supported does not list the scope \(scope.quoted)",
                at: "/scopes_supported",
                expected: scope.shown(),
                found: offered.written,
                fix:
                    "Add \(scope.quoted) to scopes_supported if the provider supports it. Otherwise, do not request it."
            )
        }
    }

    static let authentication = Check(
        "discovery.target.client-authentication-is-offered",
        "The discovery document lists the client's authentication method",
        .platform,
        .signIn,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "The token endpoint returns invalid_client, and every sign-in with a code fails at the token request.",
        reads: Documents.discovery,
        // A missing list means client_secret_basic, but providers that omit it accept other methods too.
        exempt: { metadata, facts in
            // The report names the key of the configuration, and charges the provider with nothing.
            if facts.signInSequence.causes.contains(where: { $0.keys == Cause.keysOfMethod }) {
                return "the provider rejects the configured method, which is the cause of this result"
            }
            return unless(
                wantedMethods,
                "no client redeems a code with credentials",
                and: "token_endpoint_auth_methods_supported"
            )(metadata, facts)
        },
        rule: { metadata, facts in
            let offered = metadata.tokenEndpointAuthMethods
            return wantedMethods(facts)
                .filter { !offered.contains($0.rawValue) && !facts.hasWorked(.authentication($0)) }
                .map { method in
                    Finding(
                        "token_endpoint_auth_methods_supported does not list \(method.rawValue)",
                        at: "/token_endpoint_auth_methods_supported",
                        expected: method.rawValue,
                        found: offered.written,
                        fix: "Enable \(method.rawValue) at the provider"
                            + (offered.isEmpty ? "." : ", or register the client for one of \(offered.listed).")
                    )
                }
        }
    )

    static let assertionAlgorithm = Check(
        "discovery.target.assertion-algorithm-is-offered",
        "The discovery document lists the algorithm of the client's assertions",
        .platform,
        .signIn,
        Citation(
            .discovery,
            "3",
            "a list of the JWS signing algorithms (alg values) supported by the Token Endpoint for the signature on the JWT"
        ),
        why: "The token endpoint returns invalid_client, and every sign-in with a code fails at the token request.",
        reads: Documents.discovery,
        concerns: .ofMember(algorithms),
        exempt: { metadata, facts in
            if facts.signInSequence.causes.contains(where: { $0.keys == Cause.keysOfAlgorithm }) {
                return "the provider rejects the configured algorithm, which is the cause of this result"
            }
            return unless(signedAlgorithms, "no client signs an assertion", and: algorithms)(metadata, facts)
        },
        rule: { metadata, facts in
            let offered = metadata.strings(algorithms) ?? []
            return signedAlgorithms(facts).filter { !offered.contains($0) }
                .map { algorithm in
                    Finding(
                        "\(algorithms) does not list \(algorithm)",
                        at: "/" + algorithms,
                        expected: algorithm,
                        found: offered.written,
                        fix: "Accept \(algorithm) at the provider"
                            + (offered.isEmpty ? "." : ", or register the client for one of \(offered.listed).")
                    )
                }
        }
    )

    private static let algorithms = "token_endpoint_auth_signing_alg_values_supported"

    /// The algorithms with which clients redeem codes, of clients whose assertion the run has not seen accepted.
    private static func signedAlgorithms(_ facts: Facts) -> [String] {
        let isOrdinary = { (id: ScenarioID) in id.isFlow || ScenarioID.bogusCodes(secretIsRight: true).contains(id) }
        let accepted = facts.evidence.runs.filter { run in
            guard isOrdinary(run.scenario), let answer = run.token.value?.body.json?.objectValue else { return false }
            return answer.has("access_token") || answer["error"] == "invalid_grant"
        }
        let clients = wantedTypes(facts).filter(\.hasCode).compactMap { facts.target.client(for: $0) }
        let unseen = clients.filter { client in !accepted.contains { $0.clientID == client.id } }
        return Set(unseen.compactMap(\.assertionAlgorithm)).sorted()
    }

    static let publicClients = Check(
        "discovery.target.public-clients-are-listed",
        "The discovery document lists none as the authentication method of public clients",
        // none is not an authentication method, and most providers with public clients do not list it.
        .risk,
        .conformance,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "A client library that treats the list as complete does not send a token request without a secret.",
        reads: Documents.discovery,
        exempt: { metadata, facts in
            guard redeemingMethods(facts).contains(.none) else { return "no public client redeems a code" }
            if facts.hasWorked(.authentication(.none)) { return tried }
            return MetadataExemption.unlessList("token_endpoint_auth_methods_supported")(metadata, facts)
        },
        finding: { metadata, _ in
            let offered = metadata.tokenEndpointAuthMethods
            guard !offered.contains("none") else { return nil }
            return Finding(
                "token_endpoint_auth_methods_supported does not list none, and the client has no credentials",
                at: "/token_endpoint_auth_methods_supported",
                expected: "none among the values",
                found: offered.written,
                fix: "Add none to token_endpoint_auth_methods_supported if the provider supports public clients. "
                    + "Do not give a secret to a client that runs where users can read it, such as a browser."
            )
        }
    )

    static let whatWorks = Check(
        "discovery.target.what-works-is-listed",
        "The discovery document lists the response types and authentication methods that worked in the run",
        .risk,
        .signIn,
        Citation(.discovery, "3", "a list of the OAuth 2.0 response_type values that this OP supports"),
        why: "Client libraries that check the lists first reject a response type or authentication method that works.",
        reads: workedWith
    ) { subject, _ in
        let (metadata, worked) = subject
        return worked.compactMap { member, values in
            let listed = metadata.strings(member) ?? []
            let missing = values.filter { value in
                member == "response_types_supported"
                    ? !metadata.responseTypes.contains(ResponseType(value)) : !listed.contains(value)
            }
            guard metadata.strings(member)?.isEmpty == false, !missing.isEmpty else { return nil }
            return Finding(
                "\(missing.listed) worked in this run, but \(member) does not list \(missing.count == 1 ? "it" : "them")",
                at: "/\(member)",
                expected: missing.listed + " among the values",
                found: listed.written,
                fix: "Add \(missing.listed) to \(member)."
            )
        }
    }

    static let claims = Check(
        "discovery.target.claims-are-offered",
        "The discovery document lists the claims email and name if their scopes are requested",
        .may,
        .conformance,
        Citation(.discovery, "3", "this might not be an exhaustive list"),
        why: "The application may not receive a user attribute that it needs.",
        reads: Documents.discovery,
        exempt: unless(
            wantedClaims,
            "the configuration requests neither the scope email nor the scope profile",
            and: "claims_supported"
        )
    ) { metadata, facts in
        let offered = metadata.strings("claims_supported") ?? []
        let missing = wantedClaims(facts).filter { !offered.contains($0) && !facts.hasWorked(.claim($0)) }
        return missing.map { claim in
            Finding(
                "claims_supported does not list the claim \(claim.quoted)",
                at: "/claims_supported",
                expected: claim.shown(),
                found: offered.written,
                fix: "Add \(claim.quoted) to claims_supported if the provider returns it."
            )
        }
    }

    static let all: [Check] = [
        responseTypes, scopes, authentication, assertionAlgorithm, publicClients, claims, whatWorks,
    ]

    private static let tried = "a public client redeemed a code in this run"

    /// The rule compares the values that the client needs with a list; either may be missing.
    private static func unless<Value>(
        _ wanted: @escaping @Sendable (Facts) -> [Value],
        _ reason: String,
        and member: String
    ) -> MetadataExemption.Reason {
        { metadata, facts in wanted(facts).isEmpty ? reason : MetadataExemption.unlessList(member)(metadata, facts) }
    }

    /// The discovery document, and for its members the values that worked in the flows of the run.
    private static let workedWith = Query<(Metadata, [(member: String, values: [String])])>(
        "discovery document, and the values that worked in the run",
        needs: [.discovery, .flows],
        features: Documents.discovery.features,
        whenEmpty: "no flow completed"
    ) { facts in
        let types = facts.target.flows.filter { facts.hasWorked(.responseType($0)) }
        // A public client uses none, which need not be listed.
        let methods = wantedMethods(facts).filter { facts.hasWorked(.authentication($0)) }
        guard !types.isEmpty else {
            let ends = facts.target.flows.map { facts.evidence.arrival(by: $0) }
            return ends.first { if case .notAttempted = $0 { true } else { false } }
                .map { [Sample($0.flatMap { _ in .absent("") })] } ?? []
        }
        let worked = [
            (member: "response_types_supported", values: types.map(\.text)),
            (member: "token_endpoint_auth_methods_supported", values: methods.map(\.rawValue)),
        ]
        return [Sample(facts.metadata.map { ($0, worked) }, exchange: facts.metadata.value?.exchange)]
    }

    /// The response types of the flows in the run, and of those enabled at the platform.
    @Sendable private static func wantedTypes(_ facts: Facts) -> [ResponseType] {
        let flows = facts.target.flows
        return flows + facts.target.registration.responseTypes.filter { !flows.contains($0) }
    }

    /// All except `openid`, which another check covers.
    @Sendable private static func wantedScopes(_ facts: Facts) -> [String] {
        facts.target.scopes.filter { $0 != "openid" }
    }

    /// The authentication methods of the clients that redeem codes, except `none`.
    @Sendable private static func wantedMethods(_ facts: Facts) -> [ClientAuthentication] {
        redeemingMethods(facts).filter { $0 != .none }
    }

    /// The authentication methods of the clients that redeem codes.
    private static func redeemingMethods(_ facts: Facts) -> [ClientAuthentication] {
        let methods = wantedTypes(facts).filter(\.hasCode).compactMap { facts.target.client(for: $0)?.authentication }
        return ClientAuthentication.allCases.filter(methods.contains)
    }

    /// Claims that the requested scopes return (Core section 5.4).
    @Sendable private static func wantedClaims(_ facts: Facts) -> [String] {
        ["email", "name"].filter { facts.target.scopes.contains($0 == "name" ? "profile" : $0) }
    }
}
