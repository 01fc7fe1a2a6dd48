import Conformance
import JOSE
import JSONTree
import Testing

@Suite("Permitted variations of ID Tokens", .timeLimit(.minutes(5)))
struct IDTokenLeniencyTests {
    private static let now = RunModel.now

    static let liberties: [Liberty] = [
        Liberty("aud is a list with one element", advice: ["idtoken.aud.is-one-string"]) {
            $0.eachClaims { $0["aud"] = ["client-1"] }
        },
        Liberty("azp is the client") { $0.eachClaims { $0["azp"] = "client-1" } },
        Liberty("claims that no specification defines") { model in
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
        Liberty(
            "no email although only the ID Token could contain it",
            advice: ["idtoken.claims.of-scopes-are-present"]
        ) {
            $0.eachClaims { $0["email"] = nil }
        },
        Liberty("email in every ID Token", advice: ["idtoken.claims.are-left-to-userinfo"]) {
            $0.eachClaims { $0["email"] = "alice@example.com" }
        },
        Liberty("at_hash of an Ed448 signature with the first 32 of 57 bytes") { model in
            let bytes = (0..<57).map { UInt8($0) }
            model["flow.code"]?.back?.accessTokenHash = Base64URL.encode(bytes)
            model["flow.code"]?.back?.claims["at_hash"] = .string(Base64URL.encode(bytes.prefix(32)))
        },
        Liberty("typ as a full media type", advice: ["idtoken.typ.is-jwt"]) {
            $0.eachToken { $0.header["typ"] = "application/JWT" }
        },
        Liberty("no kid in the header and in the only key", advice: ["platform.keys.have-kid"]) { model in
            model.keySet = .observed(["keys": [["kty": "RSA", "use": "sig", "n": "AQAB", "e": "AQAB"]]])
            model.eachToken { $0.header["kid"] = nil }
        },
        Liberty(
            "no signature in the code flow for a client registered with none",
            advice: ["platform.id-token.algorithm-is-accepted"]
        ) { model in
            model.discovery["id_token_signing_alg_values_supported"] = ["RS256", "none"]
            model.target.client?.idTokenSignedResponseAlg = "none"
            model.modelledRun.removeAll { $0.type.hasIDToken && $0.scenario.id.rawValue.hasPrefix("flow.") }
            model.target.flows = ["code"]
            model["flow.code"]?.back?.header = ["alg": "none"]
            model["flow.code"]?.back?.trials = []
        },
        Liberty("no at_hash if it is optional") { $0["flow.code"]?.back?.claims["at_hash"] = nil },
        Liberty("nbf in the past") { $0.eachClaims { $0["nbf"] = .integer(now - 60) } },
        Liberty("a clock 30 seconds ahead, and a token that expires in 1 second", advice: ["idtoken.iat.is-not-ahead"])
        { model in
            model["flow.code"]?.back?.claims["iat"] = .integer(now + 30)
            model["flow.id_token"]?.front?.claims["exp"] = .integer(now + 1)
        },
        Liberty("auth_time with a fraction of a second", advice: ["idtoken.times.are-whole-seconds"]) { model in
            model.eachClaims { $0["auth_time"] = 1_799_999_990.5 }
        },
        Liberty("pairwise subjects of two clients") { model in
            model.discovery["subject_types_supported"] = ["pairwise"]
            model["flow.id_token"]?.clientID = "client-2"
            model["flow.id_token"]?.front?.claims["aud"] = "client-2"
            model["flow.id_token"]?.front?.claims["sub"] = "pairwise-2"
        },
        Liberty(
            "HS256 with the client secret, listed in discovery",
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

    @Test("a permitted variation fails no check but its advice", arguments: liberties)
    func leniency(liberty: Liberty) {
        #expect(liberty.failures == liberty.advice)
    }

    @Test("an issuer that differs in discovery is reported once, by the discovery checks")
    func issuerReportedOnce() {
        var model = RunModel.conformant
        model.discovery["issuer"] = "https://op.example.com/"
        #expect(model.failures.isEmpty)
        model.eachClaims { $0["iss"] = "https://op.example.com/" }
        #expect(model.failures == ["platform.firebase.id-token.iss-is-the-registered-issuer"])
    }

    @Test("without a key set, the checks of signature and kid are inconclusive")
    func noKeys() {
        var model = RunModel.conformant
        model.keySet = .absent("the key set did not arrive")
        model.eachToken { $0.trials = [] }
        #expect(model.judge("idtoken.signature.verifies")?.word == "inconclusive")
        #expect(model.judge("idtoken.kid.is-published")?.word == "inconclusive")
        #expect(model.failures.isEmpty)
    }

    @Test("a token without iss is not reported as having another one, and the fix shows JSON")
    func noIssuer() throws {
        var model = RunModel.conformant
        model.eachClaims { $0["iss"] = nil }
        let finding = try #require(model.judge("idtoken.iss.matches-issuer")?.findings.first)
        #expect(finding.message.contains("no issuer"))
        #expect(finding.fix.contains("\"iss\": \"\(RunModel.issuer)\""), "\(finding.fix)")
    }

    @Test("a found string is shown without quotation marks if the expected text is a value")
    func plainValues() throws {
        var model = RunModel.conformant
        model.eachToken { token in
            token.header["kid"] = "key-3"
            token.trials = []
        }
        let finding = try #require(model.judge("idtoken.kid.is-published")?.findings.first)
        #expect(finding.found == "key-3" && finding.expected == "key-1")
    }

    @Test("times in milliseconds are reported as such, and other times are shown with their date")
    func milliseconds() throws {
        var model = RunModel.conformant
        model.eachClaims { $0["iat"] = .integer(Self.now * 1_000) }
        let wrong = try #require(model.judge("idtoken.iat.is-not-in-the-future")?.findings.first)
        #expect(wrong.message.contains("milliseconds") && wrong.fix.contains("1000"), "\(wrong)")
        model.eachClaims { $0["iat"] = .integer(Self.now - 7_200) }
        let old = try #require(model.judge("idtoken.iat.is-recent")?.findings.first)
        #expect(old.found?.contains(HTTPDate.text(Double(Self.now - 7_200))) == true, "\(old)")
        #expect(old.expected?.contains("GMT") == true, "\(old)")
    }

    @Test("a token given as input may be old and have an unknown nonce")
    func offlineInput() throws {
        let facts = try offlineInput {
            $0.claims["iat"] = .integer(Self.now - 80_000)
            $0.claims["nonce"] = "whatever"
        }
        for check in ModelledChecks.all where check.id.stage == .idtoken {
            #expect(check.judge(facts).findings.isEmpty, "\(check.id)")
        }
        #expect(ModelledChecks.check("idtoken.signature.verifies")?.judge(facts) == .passed)
    }

    @Test("for an input token of another client, the fix mentions the application's clients for other platforms")
    func suppliedForAnotherClient() throws {
        let facts = try offlineInput { $0.claims["aud"] = "client-of-the-phone" }
        let finding = try #require(ModelledChecks.check("idtoken.aud.holds-client")?.judge(facts).findings.first)
        #expect(finding.fix.contains("for each platform"), "\(finding.fix)")
        var model = RunModel.conformant
        model.eachClaims { $0["aud"] = "client-of-the-phone" }
        let own = try #require(model.judge("idtoken.aud.holds-client")?.findings.first)
        #expect(!own.fix.contains("platform"), "\(own.fix)")
    }

    private func offlineInput(_ change: (inout RunModel.Token) -> Void) throws -> Facts {
        var model = RunModel.conformant
        var token = try #require(model["flow.id_token"]?.front)
        change(&token)
        model.target.flows = []
        model.modelledRun = []
        var evidence = model.evidence
        var run = ScenarioRun(
            scenario: Scenario.flow("code"),
            clientID: RunModel.clientID,
            responseType: "id_token",
            outcome: .notAttempted("handed in")
        )
        run.scenario = StepResults.offlineInput
        run.token = .observed(EndpointAnswer(exchange: -1, body: .omitted("handed in"), idToken: token.facts))
        evidence.runs = [run]
        return Facts(evidence, profile: model.facts.profile)
    }
}
