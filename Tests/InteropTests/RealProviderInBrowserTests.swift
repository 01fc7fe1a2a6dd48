import Browsing
import Conformance
import Flows
import Preflight
import SignIn
import Testing

/// Sign-ins at real providers without a step of the configuration: by forms where the pages have them, and by browser.
@Suite("Sign-ins at real providers", .serialized)
struct RealProviderInBrowserTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var provider: String
        var driver: SignInDriver
        /// What a step says; `nil` for none at all.
        var step: String?

        var testDescription: String { "\(provider), by \(driver.rawValue)" }
    }

    static let ways = [
        Way(provider: "canaille-http", driver: .form),
        Way(provider: "canaille-http", driver: .browser),
        Way(provider: "canaille-https", driver: .browser),
        Way(provider: "django-oauth-toolkit-http", driver: .form),
        Way(provider: "django-oauth-toolkit-http", driver: .browser),
        Way(provider: "django-oauth-toolkit-https", driver: .browser),
        Way(provider: "glewlwyd-http", driver: .browser),
    ]

    @Test("a person gets through the pages, and what was asked for comes back", arguments: ways)
    func through(way: Way) async throws {
        let browser = BrowserPrograms.installed()
        guard way.driver == .form || browser != nil else {
            print("** NOT RUN: \(way.testDescription): no browser can be driven here (Scripts/setup.sh browser)")
            return
        }
        guard RealProvider.folder != nil else {
            print("** NOT RUN: \(way.testDescription): no provider was started; run `make interop`")
            return
        }
        if let reason = RealProvider.missing(way.provider) {
            print("** NOT RUN: \(way.testDescription): \(reason)")
            return
        }
        let provider = try RealProvider(way.provider)
        let (trial, evidence) = try await provider.signIn(steps: way.step) { configuration in
            // Forms must do without a browser here.
            configuration.conduct = SignInConduct(driver: way.driver, browser: way.driver == .form ? nil : browser)
        }
        #expect(trial.exitCode == 0, "\(trial.text)")
        #expect(evidence.signIns == 1, "\(trial.text)")
        let wasShown = evidence.exchanges.contains { $0.step.hasSuffix("page in the browser") }
        #expect(wasShown == (way.driver == .browser))
    }
}
