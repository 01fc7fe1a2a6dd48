import Catalogue
import Conformance
import Testing

/// Former names of checks, which old waivers, commands and reports may still use.
@Suite("Former names of checks", .timeLimit(.minutes(5)))
struct FormerNameTests {
    @Test("a former name is not an identifier, but maps to an existing check", arguments: CheckID.formerNames)
    func standsForACheck(name: String) {
        #expect(!Catalogue.all.contains { $0.id.rawValue == name })
        #expect(Catalogue.all.contains { $0.id == CheckID(written: name) }, "\(name)")
    }

    @Test("a former name as a pattern matches the current check, but a wildcard over former names does not")
    func patterns() {
        let old = "platform.firebase.keys.have-kid"
        #expect(CheckPattern(old).matches("platform.keys.have-kid"))
        #expect(!CheckPattern(old).matches(CheckID(old)))
        #expect(!CheckPattern("platform.firebase.*").matches("platform.keys.have-kid"))
    }

    @Test("a failure under a former name is not a new failure under the current one")
    func comparison() {
        func digest(_ id: String, _ verdict: Verdict) -> ReportDigest {
            let entry = ReportDigest.Entry(
                id: CheckID(written: id),
                level: .error,
                verdict: verdict.word,
                reason: nil,
                isWaived: false,
                closes: true,
                findings: verdict.findings
            )
            return ReportDigest(
                issuer: "https://op.example",
                profile: "firebase-oidc",
                gate: .closed,
                answers: [],
                causes: [],
                entries: [entry]
            )
        }
        let failed = Verdict.failed([Finding("aud is another's", at: "/aud", fix: "Add the client ID to aud.")])
        let before = digest("platform.firebase.id-token.aud-holds-client", failed)
        let comparison = Comparison(from: before, to: digest("idtoken.aud.holds-client", failed))
        #expect(comparison.new.isEmpty && comparison.known.count == 1)
    }
}
