import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("Rules of platforms", .timeLimit(.minutes(5)))
struct RuleTests {
    // MARK: Fetching documents

    /// The duration of a request, whether the document arrived, and the verdict with a limit of 30 seconds.
    private static let arrivals: [(seconds: Double, isWhole: Bool, word: String)] = [
        (29.9, true, "passed"), (30.2, true, "failed"), (30, false, "failed"), (45, false, "failed"),
        // This program timed out before the platform would.
        (10, false, "inconclusive"),
    ]

    @Test("a missing document is too late only if this program waited as long as the platform", arguments: arrivals)
    func arrival(sample: (seconds: Double, isWhole: Bool, word: String)) throws {
        for rule in [Rule.documentSeconds, .keySetSeconds] {
            let facts = try keys(after: sample.seconds, isWhole: sample.isWhole, within: rule)
            #expect(try check(rule.name).judge(facts).word == sample.word, "\(rule.name)")
        }
        // The discovery document arrived immediately.
        let facts = try keys(after: sample.seconds, isWhole: sample.isWhole, within: .discoverySeconds)
        #expect(try check(Rule.discoverySeconds.name).judge(facts) == .passed)
    }

    private func keys(after seconds: Double, isWhole: Bool, within rule: Rule<Int>) throws -> Facts {
        var evidence = DocumentProvider().evidence
        let place = try #require(evidence.keysHops.last)
        evidence.exchanges[place].timings.total = seconds
        if !isWhole {
            evidence.exchanges[place].response = nil
            evidence.exchanges[place].failure = Exchange.Failure(kind: .timedOut, message: "nothing more came")
            evidence.keys = .absent("nothing more came")
        }
        return Facts(evidence, profile: profile([rule.name: .number(30)]))
    }

    @Test(
        "hosts and ports of a redirect are compared as written",
        arguments: [
            ("https://op.example.com:8443/keys", false), ("https://op.example.com:443/keys", false),
            ("https://other.example.com/keys", false), ("https://OP.example.com/moved", true), ("/moved", true),
        ]
    )
    func redirect(location: String, isRight: Bool) throws {
        var evidence = DocumentProvider().evidence
        let place = try #require(evidence.keysHops.last)
        evidence.exchanges[place].request.url = "https://op.example.com/keys"
        evidence.exchanges[place].response?.status = 302
        evidence.exchanges[place].response?.headers = [Field("Location", location)]
        let verdict = try check(Rule.documentHosts.name)
            .judge(Facts(evidence, profile: profile([Rule.documentHosts.name: .stated])))
        #expect(verdict.findings.isEmpty == isRight, "\(verdict)")
    }

    // MARK: The configuration

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var rules: [PlatformRule.Name: PlatformRule.Value]
        var isRight: Bool
        var change: @Sendable (inout Target) -> Void
    }

    private static let codeOnly: [PlatformRule.Name: PlatformRule.Value] = [
        Rule.clientResponseTypes.name: .words(["code"])
    ]
    private static let ports: [PlatformRule.Name: PlatformRule.Value] = [
        Rule.metadataPorts.name: .words(["80", "443"])
    ]

    static let cases: [Case] = [
        Case(testDescription: "the run tests more flows than the platform uses", rules: codeOnly, isRight: true) {
            $0.flows = ["code", "id_token"]
        },
        Case(
            testDescription: "the registered response type counts, whatever flows the run tests",
            rules: codeOnly,
            isRight: true
        ) {
            $0.flows = ["code", "id_token"]
            $0.registration.responseTypes = ["code"]
        },
        Case(testDescription: "the platform uses none of the flows", rules: codeOnly, isRight: false) {
            $0.flows = ["id_token", "id_token token"]
        },
        Case(testDescription: "the registration enables more than the platform uses", rules: codeOnly, isRight: false) {
            $0.flows = ["code"]
            $0.registration.responseTypes = ["code", "id_token"]
        },
        Case(
            testDescription: "a key, but a secret is required",
            rules: [Rule.clientHasSecret.name: .stated],
            isRight: false
        ) {
            $0.client = Client(id: "client", authentication: .privateKeyJWT, hasSecret: false)
            $0.client?.keyThumbprint = "thumbprint"
        },
        Case(
            testDescription: "a key for a confidential client",
            rules: [Rule.clientIsConfidential.name: .stated],
            isRight: true
        ) {
            $0.client = Client(id: "client", authentication: .privateKeyJWT, hasSecret: false)
            $0.client?.keyThumbprint = "thumbprint"
        },
        Case(
            testDescription: "a key for a public client",
            rules: [Rule.clientIsPublic.name: .stated],
            isRight: false
        ) {
            $0.client = Client(id: "client", authentication: .privateKeyJWT, hasSecret: false)
            $0.client?.keyThumbprint = "thumbprint"
        },
        Case(
            testDescription: "neither secret nor key for a public client",
            rules: [Rule.clientIsPublic.name: .stated],
            isRight: true
        ) {
            $0.client = Client(id: "client", authentication: .none, hasSecret: false)
        },
        Case(
            testDescription: "a parameter for which the library has a setter",
            rules: [Rule.settableParameters.name: .words(["prompt"])],
            isRight: false
        ) {
            $0.customParameters = [Field("prompt", "login")]
        },
        Case(
            testDescription: "a parameter for which the library has no setter",
            rules: [Rule.settableParameters.name: .words(["prompt"])],
            isRight: true
        ) {
            $0.customParameters = [Field("audience", "api")]
        },
        Case(
            testDescription: "a secret of the client for the code flow",
            rules: [Rule.clientHasSecret.name: .stated],
            isRight: true
        ) {
            let client = $0.client
            $0.client?.hasSecret = false
            $0.clients = client.map { [ResponseTypeClient(responseType: "code", client: $0)] } ?? []
        },
    ]

    @Test("rules check the configuration", arguments: cases)
    func configuration(sample: Case) throws {
        var provider = DocumentProvider()
        sample.change(&provider.target)
        let facts = Facts(provider.evidence, profile: profile(sample.rules))
        for name in sample.rules.keys {
            let verdict = try check(name).judge(facts)
            #expect((verdict == .passed) == sample.isRight && verdict.findings.isEmpty == sample.isRight, "\(verdict)")
        }
    }

    @Test("a finding names the rule's profile apart from its message")
    func authority() throws {
        var provider = DocumentProvider()
        provider.discovery["issuer"] = "https://op.example.com:8443"
        let verdict = try check(Rule.metadataPorts.name).judge(Facts(provider.evidence, profile: profile(Self.ports)))
        let finding = try #require(verdict.findings.first)
        #expect(finding.authority?.sentence == "Test: it is demanded (a test)")
        #expect(!finding.message.contains("it is demanded"))
    }

    @Test(
        "the rule for ports applies to the issuer as well",
        arguments: [
            ("https://op.example.com:8443", false), ("https://op.example.com:443", true),
            ("https://op.example.com", true), ("https://127.0.0.1:8443", true),
        ]
    )
    func issuerPort(issuer: String, isRight: Bool) throws {
        var provider = DocumentProvider()
        provider.discovery["issuer"] = .string(issuer)
        let verdict = try check(Rule.metadataPorts.name).judge(Facts(provider.evidence, profile: profile(Self.ports)))
        #expect(verdict.findings.isEmpty == isRight, "\(verdict)")
    }

    // MARK: Helpers

    private func profile(_ rules: [PlatformRule.Name: PlatformRule.Value]) -> Profile {
        var profile = Profile(name: "test", title: "Test")
        for (name, value) in rules {
            profile.parameters.rules[name] = PlatformRule(value, because: "it is demanded", source: "a test")
        }
        return profile
    }

    private func check(_ name: PlatformRule.Name) throws -> Check {
        try #require(Catalogue.all.first { $0.id == name.check })
    }

    // MARK: Scripts at the authorization endpoint

    /// The allowed origins, the status of the endpoint's own response, and the verdict.
    private static let scriptAnswers: [(allowed: [String], status: Int, word: String)] = [
        ([], 200, "passed"), (["*"], 200, "failed"), (["https://app.example"], 302, "failed"),
        (["null"], 200, "failed"),
        (["https://app.example", "*"], 200, "passed"),
        // The provider's own pages have the same origin; a host with the same prefix does not.
        (["https://op.example"], 200, "passed"), (["https://op.ex"], 200, "failed"),
        // A server error is inconclusive, and never passes.
        ([], 503, "inconclusive"), ([], 429, "inconclusive"),
    ]

    @Test(
        "a single header that allows another origin is reported, and a server error is inconclusive",
        arguments: scriptAnswers
    )
    func scripts(sample: (allowed: [String], status: Int, word: String)) throws {
        let facts = asked(sample.allowed.map { Field("access-control-allow-origin", $0) }, status: sample.status)
        #expect(try check(Rule.authorizationIsClosedToScripts.name).judge(facts).word == sample.word)
    }

    /// An authorization request of a script: the endpoint's response, then a page behind it that allows every origin.
    private func asked(_ headers: [Field], status: Int) -> Facts {
        var evidence = DocumentProvider().evidence
        let scenario = Scenario.requestedByScript
        var run = ScenarioRun(
            scenario: scenario,
            clientID: "client",
            responseType: "code",
            outcome: .notAttempted("not asked")
        )
        for (status, headers) in [(status, headers), (200, [Field("Access-Control-Allow-Origin", "*")])] {
            let id = evidence.exchanges.count
            evidence.exchanges.append(
                Exchange(
                    id: id,
                    step: scenario.title,
                    request: .init(method: "GET", url: "https://op.example/authorize?client_id=client"),
                    response: .init(status: status, headers: headers, body: .text("")),
                    startedAt: DocumentProvider.now
                )
            )
            run.visits.append(PageVisit(exchange: id, filled: []))
        }
        let redirect = RedirectAnswer(address: "https://app.example/cb", isRedirectURI: true, query: [], fragment: [])
        run.authorization = .observed(
            AuthorizationAnswer(ending: .redirected(redirect), exchange: evidence.exchanges.count - 1)
        )
        evidence.runs.append(run)
        return Facts(evidence, profile: profile([Rule.authorizationIsClosedToScripts.name: .stated]))
    }
}
