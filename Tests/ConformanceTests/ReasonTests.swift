import Conformance
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReasonTests {
    private static let cause = Cause(.signIn, "The password is refused.", advice: "Check it.", mayBeConfiguration: true)
    private static let other = Cause(
        .codeRedemption,
        "The code is refused.",
        advice: "Check it.",
        mayBeConfiguration: true
    )

    @Test func `a reason in a text hands its cause on`() {
        let reason = Reason("the sign-in failed", of: Self.cause)
        let reported: Reason = "no ID Token: \(reason), after \(3) attempts"
        #expect(reported.text == "no ID Token: the sign-in failed, after 3 attempts")
        #expect(reported.isWaiting(for: Self.cause))
        #expect(!reported.isWaiting(for: Self.other))
        // Text without a cause waits for nothing.
        #expect(!("no ID Token: \(reason.text)" as Reason).isWaiting(for: Self.cause))
    }

    @Test func `a reason in a text hands its kind on`() {
        let absent: Observation<Int> = .absent("no code: \(Reason("the limit", .limit))")
        #expect(absent.whyNot?.kind == .limit)
        let notAttempted: Observation<Int> = .notAttempted("no code: \(Reason("not sent", .withheld))")
        #expect(notAttempted.whyNot?.kind == .withheld)
    }

    @Test func `an absent value keeps its cause`() {
        let absent: Observation<Int> = .absent(Reason("the sign-in failed", of: Self.cause))
        guard case .absent(let why) = absent.map({ $0 + 1 }) else {
            Issue.record("it is there")
            return
        }
        #expect(why.isWaiting(for: Self.cause))
    }

    @Test func `evidence keeps the words`() throws {
        let absent: Observation<Int> = .absent(Reason("the sign-in failed", of: Self.cause))
        let text = String(decoding: try JSONEncoder().encode(absent), as: UTF8.self)
        #expect(text == #"{"absent":{"_0":"the sign-in failed"}}"#)
        #expect(
            try JSONDecoder().decode(Observation<Int>.self, from: Data(text.utf8)).whyNot?.text == "the sign-in failed"
        )
    }

    @Test func `evidence keeps the kind of a reason beside its words`() throws {
        let observations: [Observation<Int>] = [
            .observed(3), .absent("no answer"), .absent(Reason("the limit", .limit)),
            .notAttempted(Reason("not sent", .withheld)),
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = try observations.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        #expect(
            texts == [
                #"{"observed":{"_0":3}}"#, #"{"absent":{"_0":"no answer"}}"#,
                #"{"absent":{"_0":"the limit","kind":"limit"}}"#,
                #"{"notAttempted":{"_0":"not sent","kind":"keptBack"}}"#,
            ]
        )
        for (text, observation) in zip(texts, observations) {
            #expect(try JSONDecoder().decode(Observation<Int>.self, from: Data(text.utf8)) == observation)
        }
        let later = #"{"absent":{"_0":"why","kind":"of-a-later-version"}}"#
        #expect(try JSONDecoder().decode(Observation<Int>.self, from: Data(later.utf8)) == .absent("why"))
    }

    /// A run of many targets keeps the entries of all of them: 700 for each.
    @Test func `an entry of a report without cause and waiver is small`() {
        #expect(MemoryLayout<Reason>.stride <= 32)
        #expect(MemoryLayout<Report.Entry>.stride <= 120)
    }
}
