import Conformance
import JSONTree

/// What this registration needs is among what the provider offers.
enum DiscoveryTargetChecks {
    static let responseTypes = Check(
        "discovery.target.response-types-are-offered",
        "The response types to be used are offered",
        .platform,
        .signIn,
        Citation(.discovery, "3", "a list of the OAuth 2.0 response_type values that this OP supports"),
        why: "A request with a response type that the provider does not support ends on an error page.",
        reads: Documents.discovery,
        exempt: unless(
            wantedTypes,
            "the configuration names no response type",
            and: "response_types_supported"
        )
    ) { metadata, facts in
        let offered = metadata.responseTypes
        // By none nobody signs in.
        let usable = offered.map(\.text).filter { $0 != "none" }
        return wantedTypes(facts).filter { !offered.contains($0) && !facts.hasWorked(.responseType($0)) }
            .map { type in
                Finding(
                    "the response type \(type.text.quoted) is not offered",
                    at: "/response_types_supported",
                    expected: type.text.shown(),
                    found: offered.map(\.text).written,
                    fix: "Enable \(type.text.quoted) at the provider, or register one of \(usable.listed)."
                )
            }
    }

    static let scopes = Check(
        "discovery.target.scopes-are-offered",
        "The scopes to be asked for are offered",
        .risk,
        .conformance,
        Citation(.discovery, "3", "Servers MAY choose not to advertise some supported scope values"),
        why: "A scope that the provider does not know is ignored or refused, and its claims never arrive.",
        reads: Documents.discovery,
        exempt: unless(
            wantedScopes,
            "the configuration asks for no scope but openid",
            and: "scopes_supported"
        )
    ) { metadata, facts in
        let offered = metadata.strings("scopes_supported") ?? []
        let missing = wantedScopes(facts).filter { !offered.contains($0) && !facts.hasWorked(.scope($0)) }
        return missing.map { scope in
            Finding(
                "the scope \(scope.quoted) is not listed",
                at: "/scopes_supported",
                expected: scope.shown(),
                found: offered.written,
                fix: "List \(scope.quoted) in scopes_supported if it is supported; else do not ask for it."
            )
        }
    }

    static let authentication = Check(
        "discovery.target.client-authentication-is-offered",
        "The client's authentication method is offered",
        .platform,
        .signIn,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "The token endpoint answers invalid_client, and every sign-in by code fails at its last step.",
        reads: Documents.discovery,
        // Without the list the default is client_secret_basic, but providers that leave it out accept others too.
        exempt: unless(
            wantedMethods,
            "no client redeems a code with credentials",
            and: "token_endpoint_auth_methods_supported"
        )
    ) { metadata, facts in
        let offered = metadata.tokenEndpointAuthMethods
        return wantedMethods(facts).filter { !offered.contains($0.rawValue) && !facts.hasWorked(.authentication($0)) }
            .map { method in
                Finding(
                    "the authentication method \(method.rawValue) is not offered",
                    at: "/token_endpoint_auth_methods_supported",
                    expected: method.rawValue,
                    found: offered.written,
                    fix:
                        "Register the client for one of \(offered.listed), or enable \(method.rawValue) at the provider."
                )
            }
    }

    static let publicClients = Check(
        "discovery.target.public-clients-are-listed",
        "The list of authentication methods says that a client may have none",
        // none is no way to authenticate, and most providers that serve public clients do not list it.
        .risk,
        .conformance,
        Citation(.discovery, "3", "Client Authentication methods supported by this Token Endpoint"),
        why: "A client that takes the list for complete does not try without a secret, or is not let in.",
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
                "none is not listed, and the client has no credentials",
                at: "/token_endpoint_auth_methods_supported",
                expected: "none among the values",
                found: offered.written,
                fix: "Add none to token_endpoint_auth_methods_supported if clients without credentials are served. "
                    + "Give a client no secret that runs where users can read it, in a browser for example."
            )
        }
    )

    static let whatWorks = Check(
        "discovery.target.what-works-is-listed",
        "What the run signed in with is listed",
        .risk,
        .signIn,
        Citation(.discovery, "3", "a list of the OAuth 2.0 response_type values that this OP supports"),
        why: "Client libraries that look into the lists before they ask refuse what works.",
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
                "\(missing.listed) worked in this run, and \(member) does not list \(missing.count == 1 ? "it" : "them")",
                at: "/\(member)",
                expected: missing.listed + " among the values",
                found: listed.written,
                fix: "Add \(missing.listed) to \(member)."
            )
        }
    }

    static let claims = Check(
        "discovery.target.claims-are-offered",
        "The claims that are wanted are listed",
        .may,
        .conformance,
        Citation(.discovery, "3", "this might not be an exhaustive list"),
        why: "Users may arrive without the attribute that the application needs.",
        reads: Documents.discovery,
        exempt: unless(wantedClaims, "no claim is asked for", and: "claims_supported")
    ) { metadata, facts in
        let offered = metadata.strings("claims_supported") ?? []
        let missing = wantedClaims(facts).filter { !offered.contains($0) && !facts.hasWorked(.claim($0)) }
        return missing.map { claim in
            Finding(
                "the claim \(claim.quoted) is not listed",
                at: "/claims_supported",
                expected: claim.shown(),
                found: offered.written,
                fix: "List \(claim.quoted) in claims_supported if the provider returns it."
            )
        }
    }

    static let all: [Check] = [responseTypes, scopes, authentication, publicClients, claims, whatWorks]

    private static let tried = "it worked in this run, whatever is listed"

    /// The rule compares what is wanted with a list; either may not be there.
    private static func unless<Value>(
        _ wanted: @escaping @Sendable (Facts) -> [Value],
        _ reason: String,
        and member: String
    ) -> MetadataExemption.Reason {
        { metadata, facts in
            wanted(facts).isEmpty ? reason : MetadataExemption.unlessList(member)(metadata, facts)
        }
    }

    /// The discovery document, and by its members what the run's flows ended well with.
    private static let workedWith = Slot<(Metadata, [(member: String, values: [String])])>(
        "discovery document and what worked",
        needs: [.discovery, .flows],
        features: Documents.discovery.features,
        whenEmpty: "no flow ended at the client"
    ) { facts in
        let types = facts.target.flows.filter { facts.hasWorked(.responseType($0)) }
        // Without credentials a client proves nothing in any way that could be listed.
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

    /// The response types of the flows that are tried and of those switched on at the platform.
    @Sendable private static func wantedTypes(_ facts: Facts) -> [ResponseType] {
        let flows = facts.target.flows
        return flows + facts.target.registration.responseTypes.filter { !flows.contains($0) }
    }

    /// All but `openid`, which has a check of its own.
    @Sendable private static func wantedScopes(_ facts: Facts) -> [String] {
        facts.target.scopes.filter { $0 != "openid" }
    }

    /// The ways in which the clients that redeem codes authenticate; `none` is not one.
    @Sendable private static func wantedMethods(_ facts: Facts) -> [ClientAuthentication] {
        redeemingMethods(facts).filter { $0 != .none }
    }

    /// The methods of the clients that redeem codes.
    private static func redeemingMethods(_ facts: Facts) -> [ClientAuthentication] {
        let methods = wantedTypes(facts).filter(\.hasCode)
            .compactMap { facts.target.client(for: $0)?.authentication }
        return ClientAuthentication.allCases.filter(methods.contains)
    }

    /// Claims that the scopes asked for stand for (Core section 5.4).
    @Sendable private static func wantedClaims(_ facts: Facts) -> [String] {
        ["email", "name"].filter { facts.target.scopes.contains($0 == "name" ? "profile" : $0) }
    }
}
