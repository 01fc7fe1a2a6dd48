import Conformance
import Preflight
import ReferenceProvider
import Reporting
import TestSupport
import Testing

/// The first line of three commands for each key that a provider can require, in every form in which providers reject requests.
@Suite("Keys that the configuration lacks", .phase(.runs), .timeLimit(.minutes(20)))
struct ForgottenKeyTests {
    static let cases = ForgottenKey.all.flatMap { key in key.place.forms.map { (key, $0) } }

    @Test("the first line names the missing key, and the provider is not blamed", arguments: cases)
    func isNamed(key: ForgottenKey, form: Rejection) async throws {
        let result = try await Laboratory.collect(
            key.persona,
            profile: "openid",
            configure: { target in
                target.flows = ["code"]
                target.clients = []
                if key.persona == .fapi { target.client?.assertionAudience = .issuer }
                key.forget(&target)
            },
            provide: { settings in settings.hook { key.reject(as: form, &$0) } }
        )
        let cause = try #require(result.report.causes.first)
        #expect(cause.advice.contains(key.key), "\(cause.message) \(cause.advice)")
        #expect(cause.words?.contains(key.words) == true, "\(cause.words ?? "no words")")
        let closing = result.report.entries.filter(\.closesGate).map(\.id)
        // A document without RS256, and an error in a form that no specification has, are findings in any case.
        let isOfForm = { (id: CheckID) in
            id.rawValue.contains(".error.") || id == "discovery.id-token-signing-alg-values-supported.include-rs256"
        }
        #expect(closing.filter { !isOfForm($0) } == [])
        if closing.isEmpty { #expect(result.report.outcome.exitCode == 2) }
        #expect(Self.firstLine(of: result.report).contains(key.named), "\(cause.message)")

        let trial = result.run.trial
        let tried = trial.trial(by: await trial.collect { _ in }, now: 0)
        #expect(tried.exitCode == 2)
        let failed = tried.text(suggesting: nil).split(separator: "\n").first { $0.contains("FAILED") }
        #expect(failed?.contains(key.named) == true, "\(tried.text(suggesting: nil))")

        guard key.place != .token else { return }
        let signIn = result.run.signInTrial
        let lines = signIn.signInTrial(by: await signIn.collect { _ in }).text.split(separator: "\n")
        #expect(lines.first?.contains(key.named) == true, "\(lines)")
    }

    /// The first line that states the cause, in a wide terminal.
    private static func firstLine(of report: Report) -> Substring {
        let start = report.causes.first?.message.dropFirst().prefix(20) ?? ""
        let text = ReportFormat.text.render(report, options: ReportOptions(width: 1_000, verbosity: .brief))
        return text.split(separator: "\n").first { $0.contains(start) } ?? ""
    }
}
