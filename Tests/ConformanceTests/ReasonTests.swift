import Conformance
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct ReasonTests {
    private static let cause = Cause(.signIn, "The password is refused.", advice: "Check it.", mayBeOurs: true)
    private static let other = Cause(.codeRedemption, "The code is refused.", advice: "Check it.", mayBeOurs: true)

    @Test func `a reason in a text hands its cause on`() {
        let reason = Reason("nobody signed in", of: Self.cause)
        let told: Reason = "no ID Token: \(reason), after \(3) attempts"
        #expect(told.text == "no ID Token: nobody signed in, after 3 attempts")
        #expect(told.isWaiting(for: Self.cause))
        #expect(!told.isWaiting(for: Self.other))
        // Words alone wait for nothing.
        #expect(!("no ID Token: \(reason.text)" as Reason).isWaiting(for: Self.cause))
    }

    @Test func `what is absent stays absent for its cause`() {
        let absent: Observation<Int> = .absent(Reason("nobody signed in", of: Self.cause))
        guard case .absent(let why) = absent.map({ $0 + 1 }) else {
            Issue.record("it is there")
            return
        }
        #expect(why.isWaiting(for: Self.cause))
    }

    @Test func `evidence keeps the words`() throws {
        let absent: Observation<Int> = .absent(Reason("nobody signed in", of: Self.cause))
        let text = String(decoding: try JSONEncoder().encode(absent), as: UTF8.self)
        #expect(text == #"{"absent":{"_0":"nobody signed in"}}"#)
        #expect(try JSONDecoder().decode(Observation<Int>.self, from: Data(text.utf8)).whyNot == "nobody signed in")
    }
}
