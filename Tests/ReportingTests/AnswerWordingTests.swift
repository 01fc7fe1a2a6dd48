import Conformance
import Testing

@testable import Reporting

/// The first line of a report.
@Suite(.timeLimit(.minutes(5))) struct AnswerWordingTests {
    private static let reason = "the password was refused"
    private static let broken = "Sign-in: 1 problem breaks sign-in in clients that check for it"

    @Test(
        arguments: [
            ([.works, .works], "\(broken); the provider accepted the test user"),
            (
                [.inconclusive, .inconclusive],
                "Sign-in: 1 problem breaks sign-in; the test user could not sign in: \(reason)"
            ),
            (
                [.inconclusive, .works],
                "Sign-in: 1 problem breaks sign-in; the test user could not sign in with code: \(reason)"
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

    @Test(
        arguments: [
            (.sound, 124, 0, "Safety: no problems (124 checks)"),
            (.sound, 82, 221, "Safety: no problems (82 checks with a result, 221 inconclusive)"),
            (.inconclusive, 38, 69, "Safety: inconclusive (38 checks with a result, 69 inconclusive)"),
        ] as [(Answers.Verdict, Int, Int, String)]
    )
    func `checks with and without a result are counted apart`(
        verdict: Answers.Verdict,
        judged: Int,
        inconclusive: Int,
        expected: String
    ) {
        var safety = Answers.Answer(verdict: verdict, judged: judged, notJudged: inconclusive)
        safety.inconclusive = inconclusive
        let rest = Answers.Answer(verdict: .sound, judged: 1)
        let answers = Answers(signIn: Answers.SignIn(.works), safety: safety, conformance: rest)
        #expect(answers.sentences[1] == expected)
    }
}
