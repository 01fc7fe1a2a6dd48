import Conformance
import Flows
import Foundation
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// A verdict depends on the evidence, not on the wording of a reason.
@Suite("Verdicts and wording", .phase(.runs), .timeLimit(.minutes(20)))
struct VerdictIndependenceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var faults: [Fault] = []
        var provide: @Sendable (inout ReferenceProviderConfiguration) -> Void = { _ in }
        var mistake: @Sendable (inout Configuration) -> Void = { _ in }
    }

    private static let cases = [
        Case(testDescription: "a conformant provider"),
        Case(
            testDescription: "a faulty provider",
            faults: Array(Fault.all.filter { $0.persona == .standard }.prefix(3))
        ),
        Case(
            testDescription: "a wrong password",
            mistake: {
                $0.signIn(as: Persona.standard.credentials.username, password: Secret("not-the-password"))
            }
        ),
        Case(testDescription: "a wrong secret", mistake: { $0.takeClientSecrets { _ in Secret("not-the-secret") } }),
        Case(testDescription: "an unknown redirect URI", mistake: { $0.target.redirectURI?.append("/") }),
        Case(
            testDescription: "a token endpoint that is down",
            provide: { settings in
                settings.hook { hooks in
                    hooks.answer = { endpoint, answer in
                        guard endpoint == .token else { return }
                        answer = HTTPAnswer(status: 503, headers: [Field("Content-Type", "text/html")], body: [])
                    }
                }
            }
        ),
        Case(
            testDescription: "PKCE is rejected",
            provide: { settings in
                settings.hook { hooks in
                    hooks.authorizationError = { request, right in
                        request["code_challenge"] == nil ? right : "invalid_request"
                    }
                }
            }
        ),
        Case(testDescription: "a request limit", mistake: { $0.limits = .init(requests: 60) }),
        Case(
            testDescription: "the provider keeps no session",
            provide: { $0.hook { hooks in hooks.session.needs = { needs, _ in needs.signIn = true } } }
        ),
    ]

    @Test(arguments: cases) func `the words of a reason decide nothing`(example: Case) async throws {
        let result = try await Laboratory.collect(
            .standard,
            faults: example.faults,
            profile: "openid",
            mistake: example.mistake,
            provide: example.provide
        )
        let evidence = result.evidence
        let wordless = try evidence.rewritten(words: "x")
        #expect(try wordless.encoded() != evidence.encoded(), "no reason has changed")
        let report = result.run.judge(wordless, now: evidence.endedAt)
        Self.expectSame(result.report, report)
        #expect(Decision(result.report) == Decision(report))
    }

    private static func expectSame(_ before: Report, _ after: Report) {
        let changed = zip(before.entries, after.entries)
            .filter { CheckState($0) != CheckState($1) }
            .map { "\($0.id): \(CheckState($0)) becomes \(CheckState($1)), after \($0.verdict.reason ?? "")" }
        #expect(changed.isEmpty, "\(changed)")
        #expect(before.outcome.gate == after.outcome.gate)
        #expect(before.causes.map(\.signInStep) == after.causes.map(\.signInStep))
    }
}

/// The result of a check, without texts.
private struct CheckState: Equatable {
    let id: CheckID
    let word: String
    let level: Level
    let supersede: CheckID?
    let closesGate, blocksOpening, isProblem: Bool

    init(_ entry: Report.Entry) {
        id = entry.id
        word = entry.verdict.word
        level = entry.level
        supersede = entry.verdict.supersede
        closesGate = entry.closesGate
        blocksOpening = entry.blocksOpening
        isProblem = entry.isProblem
    }
}

/// The decisions of a report, without texts: the gate, the three answers, and the failed steps.
private struct Decision: Equatable {
    let gate: Report.Gate
    let exitCode: Int
    let coverage: Report.Coverage
    let signIn: Answers.SignInVerdict
    let flows: [Answers.Flow]
    let safety, conformance: Answers.Answer
    let signInSteps: [SignInStepState]
    let causes: [Cause.SignInStep]
    let waiting: [Int]

    init(_ report: Report) {
        gate = report.outcome.gate
        exitCode = report.outcome.exitCode
        coverage = report.coverage
        signIn = report.answers.signIn.verdict
        flows = report.answers.signIn.flows
        safety = report.answers.safety
        conformance = report.answers.conformance
        signInSteps = report.signInSteps
        causes = report.causes.map(\.signInStep)
        waiting = report.causes.map(report.waiting)
    }
}

extension Evidence {
    /// The evidence with every reason for missing data replaced by another text, in the file itself.
    ///
    /// - Parameter words: The replacement; `nil` to keep the texts and remove their kinds.
    fileprivate func rewritten(words: String) throws -> Evidence {
        let tree = try JSONSerialization.jsonObject(with: Data(try encoded()))
        let data = try JSONSerialization.data(withJSONObject: Self.rewritten(tree, words))
        return try Evidence.decode(Array(data))
    }

    private static func rewritten(_ tree: Any, _ words: String) -> Any {
        if let list = tree as? [Any] { return list.map { rewritten($0, words) } }
        guard var object = tree as? [String: Any] else { return tree }
        for (name, value) in object {
            switch name {
            case "absent", "notAttempted":
                guard var reason = value as? [String: Any], reason["_0"] is String else { continue }
                reason["_0"] = words
                object[name] = reason
            case "failure", "limitsReached": object[name] = withMessages(value, words)
            case "stopped", "why": if value is String { object[name] = words }
            default: object[name] = rewritten(value, words)
            }
        }
        return object
    }

    private static func withMessages(_ tree: Any, _ words: String) -> Any {
        if let list = tree as? [Any] { return list.map { withMessages($0, words) } }
        guard var object = tree as? [String: Any] else { return tree }
        if object["message"] != nil { object["message"] = words }
        return object
    }
}
