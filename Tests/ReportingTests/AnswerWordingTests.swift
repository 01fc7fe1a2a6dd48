import Conformance
import Testing

@testable import Reporting

/// The first line of a report.
@Suite(.timeLimit(.minutes(5))) struct AnswerWordingTests {
    private static let reason = "the password was refused"

    @Test(
        arguments: [
            ([.works, .works], "Sign-in: 1 problem affects some clients; the provider accepted the test user"),
            (
                [.undecided, .undecided],
                "Sign-in: 1 problem affects some clients; the test user could not sign in: \(reason)"
            ),
            (
                [.undecided, .works],
                "Sign-in: 1 problem affects some clients; the test user could not sign in with code: \(reason)"
            ),
            ([.fails, .works], "Sign-in: fails because \(reason); works with response_type id_token"),
        ] as [([Answers.SignInVerdict], String)]
    )
    func `a failing sign-in says whether the test user could sign in`(
        flows: [Answers.SignInVerdict],
        expected: String
    ) {
        let signIn = Answers.SignIn(
            .fails,
            flows: zip(["code", "id_token"], flows).map(Answers.Flow.init),
            problems: 1,
            because: flows.allSatisfy { $0 == .works } ? nil : Self.reason
        )
        let rest = Answers.Answer(verdict: .sound, judged: 1)
        let answers = Answers(signIn: signIn, safety: rest, conformance: rest)
        #expect(answers.sentences.first == expected)
    }
}
