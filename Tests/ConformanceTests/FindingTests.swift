import Conformance
import Testing

@Suite(.timeLimit(.minutes(5))) struct FindingTests {
    @Test func `what is said of several subjects is told once, with all of them`() {
        let told = Finding.merged([
            Finding("lost", fix: "keep it", exchange: 3, subject: "code"),
            Finding("late", fix: "hurry", exchange: 4, subject: "code"),
            Finding("lost", fix: "keep it", exchange: 5, subject: "id_token"),
        ])
        #expect(told.map(\.message) == ["lost", "late"])
        #expect(told.map(\.subjects) == [["code", "id_token"], ["code"]])
        #expect(told.map(\.exchange) == [3, 4])
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
        let told = Finding.merged(findings)
        #expect(told.count == 1)
        #expect(told[0].subjects.count == Finding.mostSubjects)
        #expect(told[0].subjectsLeft == 1_000)
        #expect(told[0].subjectText?.hasSuffix("; and 1992 more") == true)
        #expect((told[0].subjectText?.count ?? 0) < 2_000)
    }
}
