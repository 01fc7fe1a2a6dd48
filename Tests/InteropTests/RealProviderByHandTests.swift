import Conformance
import Flows
import Foundation
import OtherPrograms
import Preflight
import SignIn
import TestSupport
import Testing

/// Sign-ins by hand at real providers: a Python script acts as the user and pastes the final URL of its browser.
@Suite("Sign-ins by hand at real providers", .serialized, .phase(.providers), .timeLimit(.minutes(20)))
struct RealProviderByHandTests {
    /// Canaille over http only: its server accepts one TLS connection at a time, and the run keeps one open, so each page would take half
    /// a minute.
    static let providers = [
        "canaille-http", "django-oauth-toolkit-http", "django-oauth-toolkit-https", "glewlwyd-http", "glewlwyd-https",
    ]

    @Test("a user signs in by hand, and the requested response is returned", arguments: providers)
    func through(name: String) async throws {
        let provider = try await RealProvider(name)
        let (lines, feed) = AsyncStream<TerminalUser.Line>.makeStream()
        let user = TerminalUser(
            isAtTerminal: false,
            line: { _ in
                for await line in lines { return line }
                return .late
            },
            open: { address in
                Task {
                    let arguments = [
                        Self.script, provider.caFile ?? "-", address, provider.username,
                        provider.environment["OIDC_PASSWORD"] ?? "",
                    ]
                    let outcome = try? await OtherProgram.run("python3", arguments, limit: .seconds(180))
                    let words = outcome?.words ?? "python3 could not be run"
                    if !(outcome?.text ?? "").hasPrefix("https://") {
                        Issue.record("\(name): the user ended at \(words)")
                    }
                    feed.yield(.text(words.trimmingCharacters(in: .whitespacesAndNewlines)))
                }
                return true
            }
        )
        let (trial, evidence) = try await provider.signIn(steps: .none) { configuration in
            configuration.signInSettings = SignInSettings(driver: .manual)
            configuration.signInSettings.user = user
            configuration.signInSettings.manualTimeout = 180
        }
        #expect(trial.exitCode == 0, "\(trial.text)")
        // The program itself sends no password.
        #expect(evidence.signIns == 0, "\(trial.text)")
        #expect(evidence.exchanges.contains { $0.step.hasSuffix("by hand") }, "\(evidence.exchanges.map(\.step))")
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CommandTests/sign_in_by_hand.py").path
}
