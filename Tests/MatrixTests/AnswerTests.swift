import Conformance
import Preflight
import ReferenceProvider
import Testing

/// The answers of a run to the three questions of a user: sign-in, safety and conformance.
@Suite("The three answers", .timeLimit(.minutes(5)))
struct AnswerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var persona = Persona.standard
        var fault: CheckID?
        var tier: Tier?
        var mistake: @Sendable (inout Configuration) -> Void = { _ in }
        var signIn: Answers.SignInVerdict
        /// Contained in the reason; empty if the test user could sign in.
        var because = ""
        var flows: [Answers.SignInVerdict]
        var safety = Answers.Verdict.sound
        var conformance = Answers.Verdict.sound
        var exitCode: Int
    }

    private static let rows: [Row] = [
        Row(testDescription: "all is well", signIn: .works, flows: [.works, .works, .works, .works], exitCode: 0),
        Row(testDescription: "OAuth 1.0", persona: .twitter, signIn: .works, flows: [.works], exitCode: 0),
        Row(testDescription: "no ID Token at all", persona: .github, signIn: .works, flows: [.works], exitCode: 0),
        Row(
            testDescription: "public documents only",
            tier: .static,
            signIn: .notTried,
            because: "tier static",
            flows: [.notTried, .notTried, .notTried, .notTried],
            exitCode: 0
        ),
        Row(
            testDescription: "a wrong password",
            mistake: { $0.signIn(as: Persona.standard.credentials.username, password: Secret("wrong")) },
            signIn: .inconclusive,
            because: "rejects the user name or the password",
            flows: [.inconclusive, .inconclusive, .inconclusive, .inconclusive],
            safety: .inconclusive,
            conformance: .inconclusive,
            exitCode: 2
        ),
        Row(
            testDescription: "a wrong password at a provider that also breaks sign-in",
            fault: "keys.response.has-no-byte-order-mark",
            mistake: { $0.signIn(as: Persona.standard.credentials.username, password: Secret("wrong")) },
            signIn: .fails,
            because: "rejects the user name or the password",
            flows: [.inconclusive, .inconclusive, .inconclusive, .inconclusive],
            safety: .inconclusive,
            conformance: .inconclusive,
            exitCode: 1
        ),
        Row(
            testDescription: "a wrong secret, which implicit flows do not need",
            mistake: { $0.takeClientSecrets { _ in Secret("wrong") } },
            signIn: .inconclusive,
            because: "rejects client",
            flows: [.inconclusive, .works, .works, .inconclusive],
            safety: .inconclusive,
            conformance: .inconclusive,
            exitCode: 2
        ),
        Row(
            testDescription: "a fault that every client library rejects",
            fault: "idtoken.iss.matches-issuer",
            signIn: .fails,
            flows: [.works, .works, .works, .works],
            exitCode: 1
        ),
        Row(
            testDescription: "a fault that an attacker can exploit",
            fault: "token.code.is-single-use",
            signIn: .works,
            flows: [.works, .works, .works, .works],
            safety: .problems,
            exitCode: 1
        ),
        Row(
            testDescription: "a fault without consequences",
            fault: "token.made-up-code.has-invalid-grant",
            signIn: .works,
            flows: [.works, .works, .works, .works],
            conformance: .problems,
            exitCode: 1
        ),
    ]

    @Test(arguments: rows) func `each answer is of its own findings`(row: Row) async throws {
        let faults = Fault.all.first { $0.trips == row.fault && $0.persona == row.persona }.map { [$0] } ?? []
        if let fault = row.fault { try #require(!faults.isEmpty, "no fault \(fault)") }
        let result = try await Laboratory.collect(
            row.persona,
            faults: faults,
            profile: row.persona == .standard ? "openid" : nil,
            tier: row.tier,
            mistake: row.mistake
        )
        let (answers, outcome) = (result.report.answers, result.report.outcome)
        #expect(outcome.exitCode == row.exitCode, "\(outcome.summary)")
        #expect(answers.signIn.verdict == row.signIn, "\(answers.signIn)")
        #expect(answers.signIn.flows.map(\.verdict) == row.flows, "\(answers.signIn.flows)")
        let reason = answers.signIn.reason
        #expect(row.because.isEmpty ? reason == nil : reason?.contains(row.because) == true, "\(reason ?? "none")")
        #expect(answers.safety.verdict == row.safety, "\(answers.safety)")
        #expect(answers.conformance.verdict == row.conformance, "\(answers.conformance)")
        let closing = result.report.entries.count(where: \.closesGate)
        #expect(answers.signIn.problems + answers.safety.problems + answers.conformance.problems == closing)
        // If a sign-in was planned, the gate is open only if every flow was completed.
        if outcome.gate == .open { #expect([.works, .notTried].contains(answers.signIn.verdict), "\(answers.signIn)") }
        if row.signIn == .notTried { #expect(outcome.summary.contains("sign-in not tried"), "\(outcome.summary)") }
    }
}
