import Browsing
import Conformance
import Flows
import Preflight
import ReferenceProvider
import SignIn
import TestSupport
import Testing

extension Oracle {
    /// A browser that the tool can drive.
    static func browser(_ kind: BrowserKind) -> Oracle {
        Oracle(kind.rawValue) { BrowserPrograms.installed(kind) == nil ? nil : kind.rawValue }
    }
}

private enum Installed {
    static let browsers = BrowserKind.allCases.filter { BrowserPrograms.installed($0) != nil }
}

/// Runs with a browser against each sign-in variant.
///
/// The browser completes those that need no second device.
@Suite(
    "Sign-in variants in a browser",
    .phase(.browsers),
    .serialized,
    .timeLimit(.minutes(5)),
    .oracle(.browser(.chromium)),
    .oracle(.browser(.firefox))
)
struct BrowserVariantTests {
    /// The variants that a browser cannot complete alone.
    static let diagnoses: [SignInVariant: SignInVariantTests.Diagnosis] = SignInVariantTests.diagnoses
        .filter { ![.scriptOnly, .scriptFetch].contains($0.key) }

    struct Way: Sendable, CustomTestStringConvertible {
        var variant: SignInVariant
        var browser: BrowserKind

        var testDescription: String { "\(variant.rawValue), in \(browser.rawValue)" }
    }

    /// The variants in the installed browsers.
    ///
    /// Variants that do not depend on the browser run in the first one only.
    private static func ways(_ isWanted: (SignInVariant) -> Bool) -> [Way] {
        let alike: Set<SignInVariant> = [
            .staySignedIn, .newTerms, .digitBoxes, .textMessage, .emailLink, .passkey, .otherProvider, .blockedAgent,
        ]
        return Installed.browsers.flatMap { browser in
            SignInVariant.allCases.filter { isWanted($0) && (browser == Installed.browsers[0] || !alike.contains($0)) }
                .map { Way(variant: $0, browser: browser) }
        }
    }

    /// - Parameter kind: The browser; `nil` for the default.
    static func take(_ driver: SignInDriver, in kind: BrowserKind? = nil, _ configuration: inout Configuration) {
        configuration.signInSettings = SignInSettings(driver: driver, browser: BrowserPrograms.installed(kind))
    }

    @Test(
        "a sign-in variant that a browser supports succeeds in every check",
        arguments: ways { diagnoses[$0] == nil }
    )
    func through(way: Way) async throws {
        let result = try await SignInVariantTests.result(
            way.variant,
            maxSignIns: way.browser == .chromium ? 3 : 2,
            over: .sockets,
            mistake: { Self.take(.browser, in: way.browser, &$0) }
        )
        let inconclusive = result.report.entries.filter { $0.verdict.word == "inconclusive" }
            .map { "\($0.id): \($0.verdict.reason ?? "")" }
        #expect(result.report.outcome.exitCode == 0, "\(result.report.outcome.summary) \(inconclusive)")
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        #expect(result.evidence.signIns > 1)
        #expect(result.evidence.exchanges.contains { $0.step.hasSuffix("page in the browser") })
    }

    @Test(
        "a sign-in variant that a browser does not support is reported with its own next step",
        arguments: ways { diagnoses[$0] != nil }
    )
    func diagnosis(way: Way) async throws {
        let expected = try #require(Self.diagnoses[way.variant])
        let result = try await SignInVariantTests.result(
            way.variant,
            over: .sockets,
            mistake: { Self.take(.browser, in: way.browser, &$0) }
        )
        try SignInVariantTests.expect(expected, result)
    }

    @Test("the run switches from forms to a browser if a page needs JavaScript, and reports it")
    func switchesToBrowser() async throws {
        let result = try await SignInVariantTests.result(
            .scriptOnly,
            maxSignIns: 2,
            over: .sockets,
            mistake: { Self.take(.form, &$0) }
        )
        #expect(result.report.outcome.exitCode == 0, "\(result.report.outcome.summary)")
        #expect(result.report.notes.contains { $0.contains("needs JavaScript") }, "\(result.report.notes)")
    }

    @Test("the run keeps using forms if no page needs JavaScript")
    func staysWithForms() async throws {
        let result = try await SignInVariantTests.result(
            .plain,
            maxSignIns: 2,
            over: .sockets,
            mistake: { Self.take(.form, &$0) }
        )
        #expect(!result.evidence.exchanges.contains { $0.step.hasSuffix("page in the browser") })
        #expect(result.evidence.decisions == nil)
    }

    @Test(
        "the full catalogue has the same results with forms and with a browser, within a minute",
        arguments: Installed.browsers
    )
    func verdicts(browser: BrowserKind) async throws {
        let byForm = try await Laboratory.collect(.standard, profile: "openid", over: .sockets)
        let clock = ContinuousClock()
        let start = clock.now
        let byBrowser = try await Laboratory.collect(
            .standard,
            profile: "openid",
            over: .sockets,
            mistake: { Self.take(.browser, in: browser, &$0) }
        )
        let seconds = start.duration(to: clock.now)
        #expect(seconds < .seconds(60), "\(seconds)")
        for (one, other) in zip(byForm.report.entries, byBrowser.report.entries) {
            #expect(one.id == other.id)
            #expect(one.verdict == other.verdict, "\(one.id)")
        }
        #expect(byForm.report.entries.count == byBrowser.report.entries.count)
        #expect(byBrowser.evidence.exchanges.contains { $0.step.hasSuffix("page in the browser") })
    }

    @Test("the evidence contains neither the password nor a browser's cookie", arguments: Installed.browsers)
    func leaks(browser: BrowserKind) async throws {
        let result = try await SignInVariantTests.result(
            .scriptFetch,
            maxSignIns: 2,
            over: .sockets,
            mistake: { Self.take(.browser, in: browser, &$0) }
        )
        let evidence = String(decoding: try result.evidence.encoded(), as: UTF8.self)
        #expect(!evidence.contains("correct horse"))
        #expect(!evidence.contains("correct+horse"))
        #expect(!evidence.contains("correct%20horse"))
        #expect(result.evidence.signIns > 0)
    }
}
