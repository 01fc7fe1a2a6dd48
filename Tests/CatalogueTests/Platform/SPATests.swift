import Catalogue
import Conformance
import Testing

@Suite("Single-page application", .timeLimit(.minutes(5)))
struct SPATests {
    private static let origin = "https://app.example"

    /// The verdict on one response to a script's request.
    private func verdict(
        _ check: CheckID,
        _ request: ScriptAnswer.Request,
        status: Int = 200,
        _ headers: [Field],
        origin: Observation<String> = .observed(origin)
    ) throws -> Verdict {
        var evidence = DocumentProvider().evidence
        var second = Refetches()
        second.origin = origin
        let id = evidence.exchanges.count
        evidence.exchanges.append(
            Exchange(
                id: id,
                step: "script",
                request: .init(method: "GET", url: "https://op.example/x", headers: [Field("Origin", Self.origin)]),
                response: .init(status: status, headers: headers, body: .text("{}")),
                startedAt: DocumentProvider.now
            )
        )
        second.scripts = [
            ScriptAnswer(request: request, answer: .observed(Document(origin: .exchange(id), body: .text("{}"))))
        ]
        evidence.refetches = second
        let facts = Facts(evidence, profile: Profile(name: "test", title: "Test"))
        return try #require(PlatformChecks.all.first { $0.id == check }).judge(facts)
    }

    @Test(
        "a script may read a response if a single header allows its origin",
        arguments: [
            (["*"], true), ([origin], true), ([], false), (["https://other.example"], false), ([origin + "/"], false),
            ([origin, origin], false), (["null"], false), (["HTTPS://APP.EXAMPLE"], false),
        ] as [([String], Bool)]
    )
    func origins(values: [String], isOpen: Bool) throws {
        let headers = values.map { Field("access-control-allow-origin", $0) }
        let verdict = try verdict("platform.spa.discovery.is-open-to-scripts", .discovery, headers)
        #expect((verdict == .passed) == isOpen, "\(verdict)")
        #expect(verdict.findings.count == (isOpen ? 0 : 1))
    }

    @Test(
        "a preflight response needs a success status, the origin and the header",
        arguments: [
            (204, "Authorization", true), (200, "content-type, authorization", true), (200, "*", true),
            (301, "Authorization", false), (401, "Authorization", false), (405, "Authorization", false),
            (200, "Content-Type", false), (200, "", false),
        ] as [(Int, String, Bool)]
    )
    func preflights(status: Int, allowed: String, isAnswered: Bool) throws {
        let headers = [Field("Access-Control-Allow-Origin", "*"), Field("Access-Control-Allow-Headers", allowed)]
        let check: CheckID = "platform.spa.userinfo.preflight-is-answered"
        let verdict = try verdict(check, .userInfoPreflight, status: status, headers)
        #expect((verdict == .passed) == isAnswered, "\(verdict)")
    }

    @Test("a missing document is not reported twice, and without an origin the check is skipped")
    func silence() throws {
        let missing = try verdict("platform.spa.keys.is-open-to-scripts", .keys, status: 404, [])
        #expect(missing.word == "notApplicable")
        let reason = "the configuration names no redirect_uri"
        let unknown = try verdict("platform.spa.keys.is-open-to-scripts", .keys, [], origin: .notAttempted(reason))
        #expect(unknown == .notAttempted(reason))
    }
}
