import Conformance
import Flows
import Foundation
import OtherPrograms
import Preflight
import SignIn
import TestSupport
import Testing

/// Sign-ins by hand at real providers: a script in Python plays the person, and pastes the address that its browser ends at.
@Suite("Sign-ins by hand at real providers", .serialized, .phase(.providers), .timeLimit(.minutes(15)))
struct RealProviderByHandTests {
    /// Canaille over http alone: its own server answers one connection over TLS at a time, and the run keeps one open, so that each page
    /// would be waited for half a minute.
    static let providers = [
        "canaille-http", "django-oauth-toolkit-http", "django-oauth-toolkit-https", "glewlwyd-http", "glewlwyd-https",
    ]

    @Test("a person signs in by hand, and what was asked for comes back", arguments: providers)
    func through(name: String) async throws {
        let provider = try await RealProvider(name)
        let (lines, feed) = AsyncStream<PersonAtHand.Line>.makeStream()
        let person = PersonAtHand(
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
                        Issue.record("\(name): the person ended at \(words)")
                    }
                    feed.yield(.text(words.trimmingCharacters(in: .whitespacesAndNewlines)))
                }
                return true
            }
        )
        let (trial, evidence) = try await provider.signIn(steps: .none) { configuration in
            configuration.conduct = SignInConduct(driver: .manual)
            configuration.conduct.person = person
            configuration.conduct.manualTimeout = 180
        }
        #expect(trial.exitCode == 0, "\(trial.text)")
        // The program itself sends no password.
        #expect(evidence.signIns == 0, "\(trial.text)")
        #expect(evidence.exchanges.contains { $0.step.hasSuffix("by hand") }, "\(evidence.exchanges.map(\.step))")
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("CommandTests/sign_in_by_hand.py").path
}
