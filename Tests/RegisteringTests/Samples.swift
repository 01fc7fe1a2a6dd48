import Conformance
import Registering

/// A provider whose sign-ins proved all values that a registration can contain.
enum Samples {
    static func target(_ change: (inout Target) -> Void = { _ in }) -> Target {
        var target = Target(issuer: "https://idp.example.com/tenant")
        target.client = Client(id: "client-1", authentication: .clientSecretPost, hasSecret: true)
        target.redirectURI = "https://app.example.com/callback"
        target.scopes = ["openid", "email", "profile", "calendars.read"]
        target.flows = ["code", "id_token"]
        target.registration.providerID = "oidc.acme"
        change(&target)
        return target
    }

    static let claims: [ProvenClaim] = [
        .init("iss", .text), .init("sub", .text), .init("aud", .text), .init("email", .text),
        .init("email_verified", .flag), .init("groups", .texts), .init("name", .text),
    ]

    static func flow(_ type: ResponseType, of target: Target) -> ProvenFlow {
        ProvenFlow(
            responseType: type,
            clientID: target.client(for: type)?.id ?? "",
            scopes: target.scopes,
            idTokenClaims: claims,
            userInfoClaims: [.init("sub", .text), .init("given_name", .text), .init("locale", .text)],
            algorithm: "RS256",
            sentPKCE: true,
            userInfoMethod: "GET"
        )
    }

    static let endpoints = [
        "authorization_endpoint": "https://idp.example.com/authorize",
        "token_endpoint": "https://idp.example.com/token",
        "userinfo_endpoint": "https://idp.example.com/userinfo", "jwks_uri": "https://idp.example.com/keys",
    ]

    static func proven(_ target: Target, _ change: (inout ProvenFlow) -> Void = { _ in }) -> ProvenFacts {
        ProvenFacts(
            flows: target.flows.map { type in
                var flow = flow(type, of: target)
                change(&flow)
                return flow
            },
            oauth1: OAuth1Proof(signIns: 2),
            endpoints: endpoints
        )
    }

    /// A report with the platform's own profile.
    static func report(
        _ target: Target,
        for platform: RegistrationPlatform,
        gate: Report.Gate = .open,
        tool: String = "oidc-preflight 0.1.0"
    ) -> Report {
        let own = platform.profiles(for: target)
        let profile = Profile(name: own.first ?? "openid", title: "OpenID Connect", lineage: own)
        return Report(
            tool: tool,
            target: target,
            profile: Report.ProfileSummary(profile),
            tier: .full,
            threshold: .error,
            outcome: Report.Outcome(
                gate: gate,
                exitCode: gate == .open ? 0 : 1,
                summary: gate == .open ? "Gate open: 5 checks passed" : "Gate closed: 1 check failed, 4 passed"
            ),
            coverage: Report.Coverage(),
            answers: Answers(
                signIn: Answers.SignIn(.works),
                safety: Answers.Answer(verdict: .sound),
                conformance: Answers.Answer(verdict: .sound)
            ),
            entries: [],
            timings: Report.Timings(startedAt: 1_800_000_000, duration: 1, requests: 5, signIns: 1)
        )
    }

    /// The registration of the sample, with changes if given.
    static func file(
        _ platform: RegistrationPlatform,
        _ target: Target = target(),
        reason: String? = nil,
        proven: ProvenFacts? = nil,
        checksSignIns: Bool = false
    ) throws -> RegistrationFile {
        var request = RegistrationRequest(
            report: report(target, for: platform, gate: reason == nil ? .open : .closed),
            proven: proven ?? Samples.proven(target),
            reason: reason
        )
        request.checksSignIns = checksSignIns
        return try platform.write(request)
    }
}
