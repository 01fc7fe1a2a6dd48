import Conformance
import Registering
import Testing

/// The facts that the evidence of a run proves, flow by flow.
@Suite(.timeLimit(.minutes(5))) struct ProofTests {
    private static let claims = """
        {"iss": "https://idp.example.com/tenant", "sub": "1", "aud": ["client-1"], "exp": 2, "email_verified": true,
        "groups": ["a"], "address": {"country": "PL"}, "mixed": ["a", 1]}
        """

    /// A successful run of one flow, with changes.
    private static func evidence(
        _ type: ResponseType = "code",
        scope: String? = nil,
        _ change: (inout ScenarioRun, inout Evidence) -> Void = { _, _ in }
    ) -> Evidence {
        let target = Samples.target { $0.flows = [type] }
        var evidence = Evidence(tool: "test", startedAt: 1, target: target, tier: .full, because: "a test")
        for (id, step) in ["authorization", "token", "userinfo"].enumerated() {
            var exchange = Exchange(
                id: id,
                step: step,
                request: Exchange.Request(method: "GET", url: "https://idp.example.com/\(step)"),
                startedAt: 1
            )
            exchange.response = Exchange.Response(status: 200, headers: [], body: .text(""))
            evidence.exchanges.append(exchange)
        }
        var run = ScenarioRun(
            scenario: .flow(type),
            clientID: "client-1",
            responseType: type,
            outcome: .notAttempted("a test")
        )
        run[.authorization]?.sent = [Field("scope", "openid email calendars.read"), Field("code_challenge", "x")]
        let token = token(verified: true)
        let redirect = RedirectAnswer(
            address: "https://app.example.com/callback",
            isRedirectURI: true,
            query: [],
            fragment: []
        )
        run.authorization = .observed(
            AuthorizationAnswer(ending: .redirected(redirect), exchange: 0, idToken: type.hasIDToken ? token : nil)
        )
        let granted = scope.map { ", \"scope\": \"\($0)\"" } ?? ""
        run.token = .observed(
            EndpointAnswer(exchange: 1, body: .text("{\"access_token\": \"‹hidden›\"\(granted)}"), idToken: token)
        )
        run.userInfo = .observed(EndpointAnswer(exchange: 2, body: .text(#"{"sub": "1", "name": "Ala", "n": null}"#)))
        change(&run, &evidence)
        evidence.runs = [run]
        return evidence
    }

    private static func token(verified: Bool) -> TokenFacts {
        TokenFacts(
            partCount: 3,
            partFaults: [nil, nil, nil],
            header: .text(#"{"alg": "ES256"}"#),
            claims: .text(claims),
            trials: [
                SignatureTrial(key: .published(0), isVerified: false),
                SignatureTrial(key: .published(1), isVerified: verified),
            ],
            receivedAt: 1
        )
    }

    @Test func `claims are proven with their kinds, without their values`() throws {
        let proven = ProvenFacts(Self.evidence())
        let flow = try #require(proven.flows.first)
        #expect(flow.responseType == "code" && flow.clientID == "client-1" && flow.algorithm == "ES256")
        #expect(flow.idTokenClaims.map(\.name).prefix(3) == ["iss", "sub", "aud"])
        let kinds = flow.idTokenClaims.map { "\($0.name) \($0.kind.rawValue)" }
        let expected = ["exp number", "email_verified flag", "groups texts", "address other", "mixed other"]
        #expect(Array(kinds.suffix(5)) == expected)
        #expect(flow.userInfoClaims.map(\.name) == ["sub", "name", "n"])
        #expect(flow.scopes == ["openid", "email", "calendars.read"] && flow.refusedScopes.isEmpty)
        #expect(flow.sentPKCE && flow.userInfoMethod == "GET" && proven.failures.isEmpty)
    }

    @Test(
        arguments: [
            ("openid email calendars.read", ["openid", "email", "calendars.read"], []),
            ("email", ["openid", "email"], ["calendars.read"]), ("", ["openid"], ["email", "calendars.read"]),
        ] as [(String, [String], [String])]
    )
    func `a scope that the token response omits is not proven`(
        _ scope: String,
        _ granted: [String],
        _ refused: [String]
    ) throws {
        let flow = try #require(ProvenFacts(Self.evidence(scope: scope)).flows.first)
        #expect(flow.scopes == granted && flow.refusedScopes == refused)
    }

    @Test func `a provider that Firebase supports by name may use its own names of scopes`() throws {
        let evidence = Self.evidence(scope: "user,repo") { _, evidence in
            evidence.target.registration.providerID = "github.com"
        }
        let flow = try #require(ProvenFacts(evidence).flows.first)
        #expect(flow.scopes == ["openid", "email", "calendars.read"] && flow.refusedScopes.isEmpty)
    }

    @Test func `an incomplete flow proves nothing, and says why`() {
        let other = RedirectAnswer(address: "https://a.example", isRedirectURI: false, query: [], fragment: [])
        let denied = RedirectAnswer(
            address: "https://app.example.com/callback",
            isRedirectURI: true,
            query: [ResponseParameter(name: "error", value: "access_denied")],
            fragment: []
        )
        let cases: [(ResponseType, String, (inout ScenarioRun, inout Evidence) -> Void)] = [
            ("code", "no user signed in", { run, _ in run.authorization = .absent("no user signed in") }),
            (
                "code", "did not end at the redirect URI",
                { run, _ in run.authorization = .observed(AuthorizationAnswer(ending: .redirected(other), exchange: 0))
                }
            ),
            (
                "code", "error=“access_denied”",
                { run, _ in run.authorization = .observed(AuthorizationAnswer(ending: .redirected(denied), exchange: 0))
                }
            ),
            ("code", "issued no tokens", { _, evidence in evidence.exchanges[1].response?.status = 400 }),
            ("code", "no token answer", { run, _ in run.token = .absent("no token answer") }),
            (
                "id_token", "no ID Token with a verified signature",
                { run, _ in
                    run.authorization = run.authorization.map { answer in
                        var answer = answer
                        answer.idToken = Self.token(verified: false)
                        return answer
                    }
                    run.token = .notAttempted("no code")
                }
            ),
            ("code", "did not sign in", { run, _ in run.scenario = "another" }),
        ]
        for (type, words, change) in cases {
            let proven = ProvenFacts(Self.evidence(type, change))
            #expect(proven.flows.isEmpty, "\(words)")
            #expect(proven.failures.first?.reason.contains(words) == true, "\(proven.failures)")
        }
    }

    @Test func `a code flow without a verified ID Token proves none of its claims`() throws {
        let proven = ProvenFacts(
            Self.evidence { run, _ in
                run.token = run.token.map { answer in
                    var answer = answer
                    answer.idToken = Self.token(verified: false)
                    return answer
                }
            }
        )
        let flow = try #require(proven.flows.first)
        #expect(flow.idTokenClaims.isEmpty && flow.algorithm == nil)
    }

    @Test func `a UserInfo error response proves no claim`() throws {
        let proven = ProvenFacts(Self.evidence { _, evidence in evidence.exchanges[2].response?.status = 401 })
        let flow = try #require(proven.flows.first)
        #expect(flow.userInfoClaims.isEmpty && flow.userInfoMethod == nil)
    }

    @Test func `trust in a private authority is reported`() throws {
        let evidence = Self.evidence { _, evidence in
            let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified, usedPrivateAuthority: true)
            evidence.hosts = [
                HostObservation(host: "idp.example.com", port: 443, members: ["issuer"], tls: .observed(tls))
            ]
        }
        let proven = ProvenFacts(evidence)
        #expect(proven.usedPrivateAuthority)
        let file = try Samples.file(.kubernetes, evidence.target, proven: proven)
        #expect(file.notes.contains { $0.contains("private certificate authority") })
    }
}
