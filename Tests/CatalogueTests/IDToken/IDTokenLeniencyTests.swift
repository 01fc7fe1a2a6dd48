import Conformance
import JSONTree
import Testing

@Suite("What is left open for ID Tokens")
struct IDTokenLeniencyTests {
    private static let now = ConversationModel.now

    static let liberties: [Liberty] = [
        Liberty("an audience given as a list of one", advice: ["idtoken.aud.is-one-string"]) {
            $0.eachClaims { $0["aud"] = ["client-1"] }
        },
        Liberty("azp is the client") { $0.eachClaims { $0["azp"] = "client-1" } },
        Liberty("claims that no specification knows") { model in
            model.eachClaims { claims in
                claims["oid"] = "1"
                claims["https://example.com/groups"] = [1, ["a": .null]]
            }
        },
        Liberty("no typ, no auth_time, no acr, no amr") { model in
            model.eachToken { token in
                token.header["typ"] = nil
                for name in ["auth_time", "acr", "amr"] { token.claims[name] = nil }
            }
        },
        Liberty("no e-mail where only the ID Token could tell it", advice: ["idtoken.claims.of-scopes-are-present"]) {
            $0.eachClaims { $0["email"] = nil }
        },
        Liberty("the e-mail in every ID Token", advice: ["idtoken.claims.are-left-to-userinfo"]) {
            $0.eachClaims { $0["email"] = "alice@example.com" }
        },
        Liberty("typ as a full media type") { $0.eachToken { $0.header["typ"] = "application/JWT" } },
        Liberty("no kid, and a single key without one", advice: ["platform.keys.have-kid"]) { model in
            model.keySet = .observed(["keys": [["kty": "RSA", "use": "sig", "n": "AQAB", "e": "AQAB"]]])
            model.eachToken { $0.header["kid"] = nil }
        },
        Liberty("no at_hash where it is optional") { $0["flow.code"]?.back?.claims["at_hash"] = nil },
        Liberty("nbf in the past") { $0.eachClaims { $0["nbf"] = .integer(now - 60) } },
        Liberty("clocks half a minute apart, either way") { model in
            model["flow.code"]?.back?.claims["iat"] = .integer(now + 30)
            model["flow.id_token"]?.front?.claims["exp"] = .integer(now - 30)
        },
        Liberty("a fraction of a second is worth a notice", advice: ["idtoken.times.are-whole-seconds"]) { model in
            model.eachClaims { $0["auth_time"] = 1_799_999_990.5 }
        },
        Liberty("pairwise subjects of two clients") { model in
            model.discovery["subject_types_supported"] = ["pairwise"]
            model["flow.id_token"]?.clientID = "client-2"
            model["flow.id_token"]?.front?.claims["aud"] = "client-2"
            model["flow.id_token"]?.front?.claims["sub"] = "pairwise-2"
        },
        Liberty(
            "HS256 with the client secret, announced, is advice",
            advice: [
                "idtoken.alg.is-the-default", "platform.id-token.algorithm-is-accepted",
            ]
        ) { model in
            model.discovery["id_token_signing_alg_values_supported"] = ["RS256", "HS256"]
            model.eachToken { token in
                token.header = ["alg": "HS256"]
                token.trials = [SignatureTrial(key: .clientSecret, isVerified: true)]
            }
        },
    ]

    @Test("what is left open is no flaw", arguments: liberties)
    func leniency(liberty: Liberty) {
        #expect(liberty.failures == liberty.advice)
    }

    @Test("an issuer that discovery spells otherwise is told once, by discovery")
    func issuerToldOnce() {
        var model = ConversationModel.faultless
        model.discovery["issuer"] = "https://op.example.com/"
        #expect(model.failures.isEmpty)
        model.eachClaims { $0["iss"] = "https://op.example.com/" }
        #expect(model.failures == ["platform.firebase.id-token.iss-is-the-registered-issuer"])
    }

    @Test("without a key set, signature and kid are inconclusive")
    func noKeys() {
        var model = ConversationModel.faultless
        model.keySet = .absent("the key set did not arrive")
        model.eachToken { $0.trials = [] }
        #expect(model.judge("idtoken.signature.verifies")?.word == "inconclusive")
        #expect(model.judge("idtoken.kid.is-published")?.word == "inconclusive")
        #expect(model.failures.isEmpty)
    }

    @Test("a token handed in may be old, and its nonce unknown")
    func handedIn() throws {
        var model = ConversationModel.faultless
        var token = try #require(model["flow.id_token"]?.front)
        token.claims["iat"] = .integer(Self.now - 80_000)
        token.claims["nonce"] = "whatever"
        model.target.flows = []
        model.spoken = []
        var evidence = model.evidence
        var run = ScenarioRun(
            scenario: Scenario.flow("code"),
            clientID: ConversationModel.clientID,
            responseType: "id_token",
            outcome: .notAttempted("handed in")
        )
        run.scenario = Conversations.handedIn
        run.token = .observed(EndpointAnswer(exchange: -1, body: .omitted("handed in"), idToken: token.facts))
        evidence.runs = [run]
        let facts = Facts(evidence, profile: model.facts.profile)
        for check in ConversationChecks.all where check.id.stage == .idtoken {
            #expect(check.judge(facts).findings.isEmpty, "\(check.id)")
        }
        #expect(ConversationChecks.check("idtoken.signature.verifies")?.judge(facts) == .passed)
    }
}
