import Catalogue
import Conformance
import Testing

/// Names that checks had before: waivers, commands and reports of that time stay understood.
@Suite("Former names of checks", .timeLimit(.minutes(5)))
struct FormerNameTests {
    @Test("a former name is no check's, and stands for one that there is", arguments: CheckID.formerNames)
    func standsForACheck(name: String) {
        #expect(!Catalogue.all.contains { $0.id.rawValue == name })
        #expect(Catalogue.all.contains { $0.id == CheckID(written: name) }, "\(name)")
    }

    @Test("a pattern that is a former name matches the check of today, and no family of names does")
    func patterns() {
        let old = "platform.firebase.keys.have-kid"
        #expect(CheckPattern(old).matches("platform.keys.have-kid"))
        #expect(!CheckPattern(old).matches(CheckID(old)))
        #expect(!CheckPattern("platform.firebase.*").matches("platform.keys.have-kid"))
    }

    @Test("what had failed by a former name has not come anew")
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
