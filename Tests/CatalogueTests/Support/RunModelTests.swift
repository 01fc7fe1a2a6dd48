import Catalogue
import Conformance
import JSONTree
import Testing

@Suite("Checks of scenario runs", .timeLimit(.minutes(5)))
struct RunModelTests {
    @Test("a run without faults passes every check that applies")
    func conformant() {
        let facts = RunModel.conformant.facts
        for check in ModelledChecks.all.aboutSingleRequests {
            let verdict = check.judge(facts)
            let isFine = verdict == .passed || verdict.word == "notApplicable"
            #expect(isFine, "\(check.id): \(verdict)")
        }
    }

    @Test("each stage has at least the expected number of checks")
    func counts() {
        #expect(AuthorizationChecks.all.count >= 16)
        #expect(TokenChecks.all.count >= 16)
        #expect(IDTokenChecks.all.count >= 32)
        #expect(UserInfoChecks.all.count >= 8)
        #expect(PlatformChecks.all.count >= 14)
    }

    @Test("without scenario runs, no check of the flows passes")
    func nothingCollected() {
        var model = RunModel.conformant
        model.modelledRun = []
        let facts = model.facts
        for check in ModelledChecks.all.aboutSingleRequests where check.needs.contains(.flows) {
            #expect(check.judge(facts).word == "notAttempted", "\(check.id)")
        }
    }

    @Test("every scenario that a check reads exists")
    func scenariosExist() {
        for check in Catalogue.all {
            for case .probe(let id) in check.needs {
                #expect(id.isFlow || Scenario.named(id) != nil, "\(check.id) reads \(id)")
            }
        }
    }

    @Test("the checks of token endpoint errors need no sign-in")
    func tokenErrorsNeedNoSignIn() {
        for check in TokenErrorChecks.all {
            #expect(check.needs.map(\.tier).max() == .unauthenticated, "\(check.id)")
        }
    }

    @Test("hostile text in a finding is bounded and harmless")
    func hostileText() {
        var model = RunModel.conformant
        let text = "\u{1B}[31m\u{202E}" + String(repeating: "x", count: 5_000)
        model["flow.code"]?.set("state", text)
        model["probe.prompt-none"]?.set("error", text)
        model.eachClaims { $0["iss"] = .string(text) }
        let facts = model.facts
        let findings = ModelledChecks.all.flatMap { $0.judge(facts).findings }
        #expect(!findings.isEmpty)
        for finding in findings {
            let shown = [finding.message, finding.expected ?? "", finding.found ?? "", finding.fix].joined()
            #expect(!shown.contains("\u{1B}") && !shown.contains("\u{202E}"))
            #expect(shown.count < 2_500)
        }
    }
}
