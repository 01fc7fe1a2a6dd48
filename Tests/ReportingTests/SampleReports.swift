import Conformance
import Judgement

/// Reports of an invented provider, the same in every run: the source of the committed samples.
enum SampleReport: String, CaseIterable, Sendable {
    case open
    case closed
    case inconclusive = "undecided"

    var report: Report {
        switch self {
        case .open: Self.judged(Self.sound + Self.lightFindings + Self.waived, Self.evidence())
        case .closed:
            Self.judged(Self.sound + Self.broken + Self.lightFindings + Self.waived + Self.effects, Self.evidence())
        case .inconclusive: Self.judged(Self.sound + Self.lightFindings + Self.unclear, Self.unreachableTokens())
        }
    }

    // MARK: Checks with a fixed verdict

    private static let sound = [
        Check.fixed(
            "discovery.document.is-found",
            "the discovery document is where the issuer says",
            .must,
            Citation(.discovery, "4", "MUST make a JSON document available at the path"),
            .passed
        ),
        .fixed(
            "discovery.document.is-json",
            "the discovery document is a JSON object",
            .must,
            Citation(.discovery, "4.2", "return a JSON object"),
            .passed
        ),
        .fixed(
            "keys.document.is-found",
            "the key set can be fetched",
            .must,
            Citation(.discovery, "3", "URL of the OP's JWK Set"),
            .passed
        ),
        .fixed(
            "idtoken.signature.verifies",
            "a published key verifies the ID Token",
            .must,
            Citation(.core, "3.1.3.7", "MUST validate the signature of all other ID Tokens"),
            .passed
        ),
        .fixed(
            "keys.x5c.matches",
            "a certificate holds the key that it stands beside",
            .must,
            Citation(.rfc7517, "4.7", "MUST match the public key"),
            .notApplicable("no published key has a certificate")
        ),
        .fixed(
            "keys.x5c.parses",
            "a certificate chain can be read",
            .must,
            Citation(.rfc7517, "4.7", "DER [ITU.X690.1994] PKIX certificate value"),
            .notApplicable("no published key has a certificate")
        ),
        .fixed(
            "userinfo.sub.matches",
            "UserInfo speaks of the same user as the ID Token",
            .must,
            Citation(.core, "5.3.2", "MUST be verified to exactly match"),
            .notAttempted("no configured flow yields an access token")
        ),
    ]

    private static let broken = [
        Check.fixed(
            "discovery.issuer.matches-request",
            "the stated issuer is the one that was asked for",
            .must,
            Citation(.discovery, "4.3", "MUST be identical to the Issuer URL"),
            .failed([
                Finding(
                    "The issuer in the document has a terminating slash that the registered one lacks.",
                    at: "/issuer",
                    expected: "https://idp.example.com",
                    found: "https://idp.example.com/",
                    fix: "Register “https://idp.example.com/”, or remove the slash from issuer.",
                    exchange: 0
                )
            ]),
            why: "Clients compare the two strings and refuse every ID Token when they differ."
        ),
        .fixed(
            "platform.custom-parameters.are-not-reserved",
            "no custom parameter has a name that the platform sets itself",
            .platform,
            Citation(.experience, "", "are not allowed and will be ignored"),
            .failed([
                Finding(
                    "The custom parameter “scope” is reserved.",
                    at: "scope",
                    found: "scope",
                    fix: "Remove scope from custom_parameters."
                ),
                Finding(
                    "The custom parameter “state” is reserved.",
                    at: "state",
                    found: "state",
                    fix: "Remove state from custom_parameters."
                ),
            ]),
            why: "The platform drops the parameter without a word, so the provider never sees it."
        ),
        .fixed(
            "token.made-up-code.is-invalid-grant",
            "a code that was never issued is refused with invalid_grant",
            .must,
            Citation(.rfc6749, "5.2", "invalid_grant"),
            .failed([
                Finding(
                    "The token endpoint answered a bogus code with another error.",
                    at: "/error",
                    expected: "invalid_grant",
                    found: "server_error",
                    fix: "Answer an unknown code with status 400 and error invalid_grant.",
                    exchange: 2,
                    subject: "client_secret_basic"
                )
            ]),
            why: "Clients start again on invalid_grant and give up on anything else."
        ),
    ]

    private static let effects = [
        Check.fixed(
            "idtoken.iss.matches-issuer",
            "iss is the registered issuer",
            .must,
            Citation(.core, "3.1.3.7", "MUST exactly match the value of the iss (issuer) Claim"),
            .failed([Finding("iss has a terminating slash.", at: "iss", fix: "See the issuer.")]),
            supersededBy: ["discovery.issuer.matches-request"]
        )
    ]

    private static let lightFindings = [
        Check.fixed(
            "discovery.cache.is-stated",
            "the document says how long it may be kept",
            .risk,
            Citation(.rfc9111, "4.2", "explicit expiration time"),
            .failed([
                Finding(
                    "The answer has no Cache-Control header.",
                    at: "Cache-Control",
                    fix: "Send Cache-Control: max-age=3600.",
                    exchange: 0
                )
            ]),
            why: "Clients guess how long the document holds and may not see a new key for a day."
        )
    ]

    private static let waived = [
        Check.fixed(
            "transport.certificate.is-fresh",
            "no certificate ends within 14 days",
            .risk,
            Citation(.experience, "", "expired overnight"),
            .failed([
                Finding(
                    "The certificate of idp.example.com ends in 9 days.",
                    expected: "14 days or more",
                    found: "9 days",
                    fix: "Renew the certificate.",
                    subject: "idp.example.com:443"
                )
            ])
        )
    ]

    private static let unclear = [
        Check.fixed(
            "token.response.is-json",
            "the token response is a JSON object",
            .must,
            Citation(.rfc6749, "5.1", "application/json"),
            .inconclusive("code: token request to idp.example.com:443 timed out after 30 s")
        ),
        .fixed(
            "token.response.has-id-token",
            "the token response holds an ID Token",
            .must,
            Citation(.core, "3.1.3.3", "ID Token value associated with the authenticated session"),
            .inconclusive("code: token request to idp.example.com:443 timed out after 30 s")
        ),
    ]

    // MARK: Evidence

    private static func judged(_ checks: [Check], _ evidence: Evidence) -> Report {
        var profile = Profile(
            name: "firebase-oidc",
            title: "Firebase Authentication",
            lineage: ["firebase-oidc", "openid"],
            include: ["*"]
        )
        profile.adjustments = [
            Profile.Adjustment(
                checks: "transport.certificate.is-fresh",
                level: .error,
                because: "the platform caches nothing and fails at once"
            )
        ]
        let plan = Plan(
            target: evidence.target,
            profile: profile,
            tier: .full,
            selection: Selection(skip: ["keys.x5c.parses"]),
            waivers: [
                Waiver(
                    check: "transport.certificate.is-fresh",
                    because: "renewed by hand on the first of the month",
                    until: CalendarDay("2027-03-31"),
                    source: "preflight.yaml:14"
                )
            ]
        )
        return Judge.judge(evidence, plan: plan, checks: checks, now: 1_790_000_000, tool: "oidc-preflight 0.1.0")
    }

    private static func evidence() -> Evidence {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "my-client", authentication: .clientSecretBasic, hasSecret: true)
        target.redirectURI = "https://my-project.firebaseapp.com/__/auth/handler"
        target.scopes = ["openid", "email"]
        target.flows = ["code"]
        target.customParameters = [Field("login_hint", "user@example.com")]
        var evidence = Evidence(
            tool: "oidc-preflight 0.1.0",
            startedAt: 1_789_999_990,
            target: target,
            tier: .full,
            because: "not asked for"
        )
        evidence.endedAt = 1_789_999_991.25
        evidence.runs = [
            ScenarioRun(
                scenario: .flow("code"),
                clientID: "my-client",
                responseType: "code",
                outcome: .notAttempted("invented")
            )
        ]
        evidence.exchanges = [
            Exchange(
                id: 0,
                step: "discovery document",
                request: .init(
                    method: "GET",
                    url: "https://idp.example.com/.well-known/openid-configuration",
                    headers: [Field("Accept", "application/json")]
                ),
                response: .init(
                    status: 200,
                    headers: [Field("Content-Type", "application/json")],
                    body: .text(#"{"issuer":"https://idp.example.com/"}"#)
                ),
                peer: "203.0.113.7",
                tlsVersion: "TLSv1.3",
                startedAt: 1_789_999_990.1
            ),
            Exchange(
                id: 1,
                step: "key set",
                request: .init(method: "GET", url: "https://idp.example.com/keys"),
                response: .init(status: 200, headers: [], body: .text(#"{"keys":[]}"#)),
                startedAt: 1_789_999_990.2
            ),
            Exchange(
                id: 2,
                step: "bogus code: token request",
                request: .init(
                    method: "POST",
                    url: "https://idp.example.com/token",
                    headers: [
                        Field("Authorization", "Basic (client_secret_basic:44-characters)"),
                        Field("Content-Type", "application/x-www-form-urlencoded"),
                    ],
                    body: "grant_type=authorization_code&code=(code:43-characters)"
                ),
                response: .init(
                    status: 500,
                    headers: [Field("Content-Type", "application/json")],
                    body: .text(#"{"error":"server_error"}"#)
                ),
                startedAt: 1_789_999_990.3
            ),
        ]
        return evidence
    }

    private static func unreachableTokens() -> Evidence {
        var evidence = evidence()
        evidence.exchanges[2].response = nil
        evidence.exchanges[2].failure = Exchange.Failure(
            kind: .timedOut,
            message: "code: token request to idp.example.com:443 timed out after 30 s"
        )
        return evidence
    }
}

extension Check {
    /// A check with the same verdict for every provider.
    static func fixed(
        _ id: CheckID,
        _ title: String,
        _ requirement: Requirement,
        _ citation: Citation,
        _ verdict: Verdict,
        why: String = "Sign-in breaks.",
        supersededBy: [CheckID] = []
    ) -> Check {
        let query = Query<Bool>("a fixed verdict", needs: []) { _ in
            switch verdict {
            case .passed, .failed, .superseded, .notApplicable: [Sample(.observed(true))]
            case .inconclusive(let why): [Sample(.absent(why))]
            case .notAttempted(let why): [Sample(.notAttempted(why))]
            }
        }
        let check = Check(
            id,
            title,
            requirement,
            .signIn,
            citation,
            why: why,
            reads: query,
            supersededBy: supersededBy,
            exempt: { _, _ in
                if case .notApplicable(let why) = verdict { why } else { nil }
            },
            rule: { _, _ in verdict.findings }
        )
        return Check(check, in: id.stage)
    }
}
