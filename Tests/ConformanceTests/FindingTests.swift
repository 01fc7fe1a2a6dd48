import Conformance
import Testing

@Suite(.timeLimit(.minutes(5))) struct FindingTests {
    @Test func `a finding about several subjects is reported once, with all of them`() {
        let reported = Finding.merged([
            Finding("lost", fix: "keep it", exchange: 3, subject: "code"),
            Finding("late", fix: "hurry", exchange: 4, subject: "code"),
            Finding("lost", fix: "keep it", exchange: 5, subject: "id_token"),
        ])
        #expect(reported.map(\.message) == ["lost.", "late."])
        #expect(reported.map(\.subjects) == [["code", "id_token"], ["code"]])
        #expect(reported.map(\.exchange) == [3, 4])
    }

    @Test func `findings that differ in anything else stay apart`() {
        let findings = [
            Finding("lost", found: "a", fix: "keep it", subject: "code"),
            Finding("lost", found: "b", fix: "keep it", subject: "id_token"),
            Finding("lost", at: "/x", found: "a", fix: "keep it", subject: "code"),
        ]
        #expect(Finding.merged(findings) == findings)
    }
}

extension FindingTests {
    @Test func `many subjects are counted, however long their names`() {
        let long = String(repeating: "k", count: 100_000)
        let findings = (0..<2_000).map { Finding("weak", fix: "grow", subject: "key \($0) \(long)") }
        let reported = Finding.merged(findings)
        #expect(reported.count == 1)
        #expect(reported[0].subjects.count == Finding.mostSubjects)
        #expect(reported[0].subjectsLeft == 1_000)
        #expect(reported[0].subjectText?.hasSuffix("; and 1992 more") == true)
        #expect((reported[0].subjectText?.count ?? 0) < 2_000)
    }
}
