import Browsing
import Conformance
import Flows
import Preflight
import SignIn
import TestSupport
import Testing

/// Sign-ins at real providers without configured steps: with forms if the pages have them, and with a browser.
@Suite("Sign-ins at real providers", .serialized, .phase(.browsers), .timeLimit(.minutes(5)))
struct RealProviderInBrowserTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var provider: String
        /// The browser; `nil` for forms.
        var browser: BrowserKind?
        /// The text of a configured step; `nil` for none.
        var step: String?

        var driver: SignInDriver { browser == nil ? .form : .browser }
        var testDescription: String { "\(provider), by \(browser?.rawValue ?? driver.rawValue)" }
    }

    static let ways =
        ["canaille-http", "django-oauth-toolkit-http"].map { Way(provider: $0) }
        + BrowserKind.allCases.flatMap { browser in
            [
                "canaille-http", "canaille-https", "django-oauth-toolkit-http", "django-oauth-toolkit-https",
                "glewlwyd-http", "glewlwyd-https",
            ]
            .map { Way(provider: $0, browser: browser) }
        }

    @Test("the user can sign in, and the requested response is returned", arguments: ways)
    func through(way: Way) async throws {
        let browser = way.browser.flatMap { BrowserPrograms.installed($0) }
        if let kind = way.browser {
            try await Oracle("\(kind.rawValue) (Scripts/setup.sh browser)") { browser?.browser }.require()
        }
        let provider = try await RealProvider(way.provider)
        let (trial, evidence) = try await provider.signIn(steps: way.step) { configuration in
            // Forms must work without a browser here.
            configuration.signInSettings = SignInSettings(
                driver: way.driver,
                browser: way.driver == .form ? nil : browser
            )
        }
        #expect(trial.exitCode == 0, "\(trial.text)")
        #expect(evidence.signIns == 1, "\(trial.text)")
        let wasShown = evidence.exchanges.contains { $0.step.hasSuffix("page in the browser") }
        #expect(wasShown == (way.driver == .browser))
    }
}
