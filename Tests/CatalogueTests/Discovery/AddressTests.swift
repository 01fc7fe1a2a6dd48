import Conformance
import JSONTree
import Testing

/// URLs with invalid characters, and the fixes for relative URLs.
@Suite("URLs in documents", .timeLimit(.minutes(5)))
struct AddressTests {
    private static let characters: CheckID = "discovery.url-members.consist-of-uri-characters"

    private func findings(_ id: CheckID, _ member: String, _ value: String) throws -> [Finding] {
        var provider = DocumentProvider()
        provider.discovery[member] = .string(value)
        return provider.judge(try #require(StaticChecks.check(id))).findings
    }

    @Test(
        "a character that is not allowed in a URI is found in any URL",
        arguments: [
            "\u{0}", "\n", "\t", "\u{1B}", " ", "<", ">", "\\", "\"", "^", "`", "{", "|", "}", "\u{E9}", "%zz", "%4",
            "%",
        ]
    )
    func oddities(text: String) throws {
        for member in ["jwks_uri", "token_endpoint", "op_tos_uri"] {
            let found = try findings(Self.characters, member, "https://op.example/a" + text)
            #expect(found.map(\.pointer) == ["/\(member)"])
        }
    }

    @Test(
        "every URI character and percent-encoding is accepted",
        arguments: ["/~user/a-b_c.d", "/a;b=c,d", "/?a=b&c=%C3%a9", ":8443/a:b@c", "/!$'()*+", "/[x]"]
    )
    func legal(text: String) throws {
        #expect(try findings(Self.characters, "op_tos_uri", "https://op.example" + text).isEmpty)
    }

    @Test("the issuer is checked as well, and another check reports a template")
    func issuers() throws {
        #expect(try !findings(Self.characters, "issuer", "https://op.example/a b").isEmpty)
        #expect(try findings(Self.characters, "issuer", "https://op.example/{tenant}").isEmpty)
    }

    @Test(
        "the fix for a relative URL names the complete URL",
        arguments: [
            ("/token", "https://127.0.0.1:8443/token"), ("//op.example/token", "https://op.example/token"),
            ("op.example/token", "https://op.example/token"), ("token", "https://127.0.0.1:8443/token"),
        ]
    )
    func resolved(text: String, whole: String) throws {
        let finding = try #require(findings("discovery.url-members.are-absolute", "token_endpoint", text).first)
        #expect(finding.fix.contains(whole), "\(finding.fix)")
    }

    @Test("the fix does not say to leave out a required URL")
    func emptyAddress() throws {
        let required = try #require(findings("discovery.url-members.are-absolute", "jwks_uri", "").first)
        #expect(!required.fix.contains("Leave"))
        let optional = try #require(findings("discovery.url-members.are-absolute", "op_tos_uri", "").first)
        #expect(optional.fix.contains("Leave"))
    }

    @Test("the fix does not say to leave out a required list")
    func emptyList() throws {
        for (member, isRequired) in [("response_types_supported", true), ("claims_supported", false)] {
            var provider = DocumentProvider()
            provider.discovery[member] = []
            let check = try #require(StaticChecks.check("discovery.list-members.are-not-empty"))
            let finding = try #require(provider.judge(check).findings.first)
            #expect(finding.fix.contains("Leave") != isRequired, "\(finding.fix)")
        }
    }

    @Test(
        "the fix does not say to register an invalid issuer",
        arguments: [
            "https://op.example/.well-known/openid-configuration", "https://op.example/?tenant=1",
            "https://op.example/#a", "https://op.example/slash space", "https://me@op.example", "op.example",
        ]
    )
    func unusableIssuer(stated: String) throws {
        let finding = try #require(findings("discovery.issuer.matches-request", "issuer", stated).first)
        #expect(!finding.fix.contains("Register"), "\(finding.fix)")
    }
}
