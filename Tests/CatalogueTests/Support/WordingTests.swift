import Conformance
import JSONTree
import Testing

@testable import Catalogue

/// Fixes match the response that they are for.
@Suite("Wording of findings", .timeLimit(.minutes(5)))
struct WordingTests {
    private func finding(_ id: CheckID, _ change: (inout RunModel) -> Void) throws -> Finding {
        var model = RunModel.conformant
        change(&model)
        return try #require(model.judge(id)?.findings.first)
    }

    @Test(
        "each status of UserInfo has its own fix",
        arguments: [
            (401, "Bearer"), (403, "scope"), (404, "userinfo_endpoint"), (405, "GET"), (500, "log"), (302, "address"),
        ]
    )
    func userInfo(status: Int, words: String) throws {
        let finding = try finding("userinfo.status.is-200") { $0["flow.code"]?.userInfo?.status = status }
        #expect(finding.fix.contains(words), "\(finding.fix)")
        #expect(finding.fix.contains("Bearer") == (status == 401), "\(finding.fix)")
    }

    @Test(
        "each status of the token endpoint has its own fix",
        arguments: [(302, "address"), (404, "token_endpoint"), (500, "log")]
    )
    func token(status: Int, words: String) throws {
        let finding = try finding("token.status.is-200") { $0["flow.code"]?.token?.status = status }
        #expect(finding.fix.contains(words), "\(finding.fix)")
        #expect(finding.fix.contains("log") == (status == 500), "\(finding.fix)")
    }

    @Test("a refresh response without JSON is superseded by a token response without JSON")
    func refresh() {
        #expect(RefreshChecks.succeeds.supersededBy.contains(TokenResponseChecks.bodyIsObject.id))
    }

    @Test("contradictory lists of grant types and response types are a warning")
    func grants() throws {
        var provider = DocumentProvider()
        provider.discovery["grant_types_supported"] = ["authorization_code"]
        let check = try #require(StaticChecks.check("discovery.grant-types-supported.fit-the-response-types"))
        #expect(!provider.judge(check).findings.isEmpty)
        #expect(check.requirement.level == .warning)
    }

    @Test("a sentence of a title or a reason has at most 25 words")
    func length() {
        for check in Catalogue.all {
            for text in [check.title, check.why] {
                for sentence in text.split(separator: ". ") where sentence.split(separator: " ").count > 25 {
                    Issue.record("\(check.id): \(sentence)")
                }
            }
        }
    }

    @Test("a key set without signing keys is reported once")
    func emptySet() {
        #expect(IDTokenHeaderChecks.kidIsPublished.supersededBy.contains(KeyChoiceChecks.hasSigningKey.id))
    }
}
