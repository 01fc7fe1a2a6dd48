import Conformance
import JSONTree
import ReferenceProvider
import Testing

@testable import Catalogue

@Suite("Differences between issuers", .timeLimit(.minutes(5)))
struct IssuerDifferenceTests {
    @Test(
        "the finding names the kind of difference",
        arguments: [
            ("https://op.example", "https://op.example/", "ends with a slash"),
            ("https://op.example/", "https://op.example", "ends with a slash"),
            ("https://op.example", "http://op.example", "a different scheme"),
            ("https://op.example", "HTTPS://op.example", "letter case in the scheme"),
            ("https://op.example", "https://OP.example", "letter case in the host"),
            ("https://op.example", "https://other.example", "a different host"),
            ("https://op.example", "https://op.example:443", "default port"),
            ("https://op.example", "https://op.example:8443", "a different port"),
            ("https://op.example/a", "https://op.example/A", "letter case in the path"),
            ("https://op.example/a", "https://op.example/b", "a different path"),
            ("https://op.example/a", "https://op.example:8443/a/", "a terminating slash in only one of them"),
            ("https://op.example/common", "https://op.example/{tenantid}", "template"),
            ("https://op.example/.well-known/openid-configuration", "https://op.example", "well-known suffix"),
            ("https://op.example/.well-known/openid-configuration", "https://op.example/", "well-known suffix"),
            ("https://op.example?a", "https://op.example?b", "query or fragment"),
            ("https://op.example/\u{E9}", "https://op.example/e\u{301}", "encoded differently"),
        ]
    )
    func kinds(asked: String, stated: String, kind: String) throws {
        var provider = DocumentProvider()
        provider.target.issuer = asked
        provider.discovery["issuer"] = .string(stated)
        let check = try #require(StaticChecks.check("discovery.issuer.matches-request"))
        let finding = try #require(provider.judge(check).findings.first)
        #expect(finding.message.contains(kind), "\(finding.message)")
        #expect(finding.fix.contains(stated.contains("{") ? stated : asked) || finding.fix.contains(stated))
    }

    @Test("a token of a provider whose document states a template leads to the registration of the tenant's issuer")
    func templateInTokens() throws {
        var model = RunModel.conformant
        model.discovery["issuer"] = "https://op.example.com/{tenantid}"
        model.eachClaims { $0["iss"] = "https://op.example.com/tenant-1" }
        let finding = try #require(model.judge("idtoken.iss.matches-issuer")?.findings.first)
        #expect(finding.found == "https://op.example.com/tenant-1")
        #expect(finding.fix == IssuerDifference.adviceForTemplate("https://op.example.com/{tenantid}"))
    }

    @Test("an http issuer is never offered for registration")
    func httpIsNotOffered() throws {
        var provider = DocumentProvider()
        provider.discovery["issuer"] = "http://127.0.0.1:8443"
        let check = try #require(StaticChecks.check("discovery.issuer.matches-request"))
        let finding = try #require(provider.judge(check).findings.first)
        #expect(!finding.fix.contains("Register"))
    }

    @Test("the address of another document is suggested if there is no document")
    func suggestion() throws {
        var provider = DocumentProvider()
        provider.hooks.answer = { endpoint, answer in
            if endpoint == .discovery { answer.status = 404 }
        }
        var evidence = provider.evidence
        evidence.suggestions = [IssuerSuggestion(address: "https://op.example/a", issuer: "https://op.example")]
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        let check = try #require(StaticChecks.check("discovery.response.status-is-200"))
        #expect(check.judge(facts).findings.first?.fix.contains("Use “https://op.example”") == true)
    }

    @Test("a well-known suffix in the issuer is recognised if there is no document")
    func suffix() throws {
        var provider = DocumentProvider()
        provider.target.issuer = "https://op.example/.well-known/openid-configuration"
        provider.hooks.answer = { endpoint, answer in
            if endpoint == .discovery { answer.status = 404 }
        }
        let check = try #require(StaticChecks.check("discovery.response.status-is-200"))
        let finding = try #require(provider.judge(check).findings.first)
        #expect(finding.fix.contains("Use “https://op.example”"))
    }
}
