import Conformance
import JSONTree
import ReferenceProvider
import Testing

/// Behaviour that the specifications allow is never an error.
@Suite("Allowed variants of documents and keys", .timeLimit(.minutes(5)))
struct LeniencyTests {
    private func errors(_ provider: DocumentProvider) -> Set<CheckID> {
        let errors = StaticChecks.all.filter { $0.requirement.level == .error }
        return provider.failures(of: errors)
    }

    @Test("the members that Discovery requires are enough, and other missing members are at most warnings")
    func minimal() {
        var provider = DocumentProvider()
        provider.target.flows = ["code", "id_token"]
        provider.discovery = DocumentProvider.minimal
        #expect(errors(provider).isEmpty)
        let expected: Set<CheckID> = [
            "discovery.userinfo-endpoint.is-present", "discovery.scopes-supported.is-present",
            "discovery.claims-supported.is-present", "discovery.code-challenge-methods-supported.is-present",
            "discovery.token-endpoint-auth-methods-supported.is-stated", "discovery.grant-types-supported.is-stated",
            "discovery.response-modes-supported.is-stated", "discovery.request-uri-parameter-supported.is-stated",
        ]
        #expect(provider.failures(of: StaticChecks.all) == expected)
    }

    @Test("a token endpoint is not required if only the implicit flow is used")
    func implicitOnly() {
        var provider = DocumentProvider()
        provider.target.flows = ["id_token"]
        provider.discovery["response_types_supported"] = ["id_token"]
        provider.discovery["grant_types_supported"] = ["implicit"]
        provider.discovery["token_endpoint"] = nil
        provider.discovery["token_endpoint_auth_methods_supported"] = nil
        provider.discovery["code_challenge_methods_supported"] = nil
        provider.discovery["userinfo_endpoint"] = nil
        #expect(provider.failures(of: StaticChecks.all).isEmpty)
    }

    @Test(
        "an issuer with a path is accepted with and without a terminating slash",
        arguments: ["/tenant", "/tenant/", "/a/b.c~d"]
    )
    func paths(path: String) {
        var provider = DocumentProvider()
        provider.target.issuer = DocumentProvider.issuer + path
        provider.discovery["issuer"] = .string(DocumentProvider.issuer + path)
        #expect(errors(provider).isEmpty)
    }

    @Test("unknown members are ignored", arguments: [JSON.integer(1), "text", ["a": "b"], ["x"], true])
    func unknownMembers(value: JSON) {
        var provider = DocumentProvider()
        provider.discovery["x_extension"] = value
        provider.keySet["x_extension"] = value
        #expect(provider.failures(of: StaticChecks.all).isEmpty)
    }

    @Test("a single key needs no kid, and no key needs use or alg")
    func anonymousKey() throws {
        var key = try #require(DocumentProvider.rsaKey.objectValue)
        for member in ["kid", "use", "alg"] { key[member] = nil }
        var provider = DocumentProvider()
        provider.keySet["keys"] = [.object(key)]
        // A notice.
        #expect(provider.failures(of: StaticChecks.all) == ["keys.kid.is-stated"])
    }

    /// Measured with go-oidc, Kubernetes and Vault: `Sources/Preflight/Explanations/consequences.tsv`.
    @Test(
        "a thumbprint without a certificate is checked as clients read it",
        arguments: [
            ("x5t", "6FaWTMlYoo2suTRtGP0Qc2wZ9SY", true), ("x5t", "", true),
            ("x5t", "ZTg1Njk2NGNjOTU4YTI4ZGFjYjkzNDZkMThmZDEwNzM2YzE5ZjUyNg", true),
            ("x5t", "6FaWTMlYoo2suTRtGP0Qc2wZ9SY=", false), ("x5t", "6FaW", false),
            ("x5t", "e856964cc958a28dacb9346d18fd10736c19f526", false),
            ("x5t#S256", "6FaWTMlYoo2suTRtGP0Qc2wZ9SY", false),
        ]
    )
    func thumbprints(member: String, value: String, isUsable: Bool) throws {
        var key = try #require(DocumentProvider.rsaKey.objectValue)
        key[member] = .string(value)
        var provider = DocumentProvider()
        provider.keySet["keys"] = [.object(key)]
        #expect(provider.failures(of: StaticChecks.all) == (isUsable ? [] : ["keys.thumbprints.are-usable"]))
    }

    @Test("a key of an unknown type beside a valid key is a notice")
    func unknownKey() {
        var provider = DocumentProvider()
        provider.keySet.append(["kty": "NEW", "kid": "new", "use": "sig"], to: "keys")
        #expect(provider.failures(of: StaticChecks.all) == ["keys.kty.is-known"])
    }

    @Test("an encryption key without a kid beside one signing key is accepted")
    func encryptionKey() throws {
        var key = try #require(DocumentProvider.ecKey.objectValue)
        key["use"] = "enc"
        key["alg"] = "ECDH-ES"
        key["kid"] = nil
        var provider = DocumentProvider()
        provider.keySet.append(.object(key), to: "keys")
        #expect(provider.failures(of: StaticChecks.all).isEmpty)
    }

    @Test(
        "JSON media types with parameters and other letter case are accepted",
        arguments: ["application/json; charset=UTF-8", "Application/JSON", "application/json;charset=utf-8"]
    )
    func mediaTypes(type: String) {
        var provider = DocumentProvider()
        provider.hooks.answer = { _, answer in answer.setHeader("Content-Type", type) }
        #expect(provider.failures(of: StaticChecks.all).isEmpty)
    }

    @Test("a key set may have its own media type, which is a notice")
    func keySetType() {
        var provider = DocumentProvider()
        provider.hooks.answer = { endpoint, answer in
            if endpoint == .keys { answer.setHeader("Content-Type", "application/jwk-set+json") }
        }
        #expect(provider.failures(of: StaticChecks.all) == ["keys.response.content-type-is-application-json"])
    }

    @Test("checks of the response are skipped for a document from a file")
    func fromFile() {
        let provider = DocumentProvider()
        var evidence = provider.evidence
        evidence.exchanges = []
        evidence.discoveryHops = []
        evidence.keysHops = []
        let text = DocumentProvider.reference.serialized()
        evidence.discovery = .observed(Document(origin: .file("metadata.json"), body: .text(text)))
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        let answered = ["discovery.response.status-is-200", "discovery.clock.is-stated"]
        for check in StaticChecks.all where check.id.stage == .discovery {
            let verdict = check.judge(facts)
            if answered.contains(check.id.rawValue) { #expect(verdict.word == "notAttempted") }
            #expect(verdict.findings.isEmpty, "\(check.id)")
        }
    }

    @Test("no check passes without a provider")
    func nothing() {
        var evidence = Evidence(
            tool: "test",
            startedAt: 0,
            target: Target(issuer: "https://op.example"),
            tier: .static,
            because: "x"
        )
        evidence.discovery = .absent("no answer")
        evidence.keys = .absent("no answer")
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        for check in StaticChecks.all { #expect(check.judge(facts) != .passed, "\(check.id)") }
    }
}
