import Browsing
import Conformance
import Flows
import Preflight
import ReferenceProvider
import SignIn
import TestSupport
import Testing

/// Steps that identify fields, choices and buttons by id, label or selector, with forms and in a browser.
@Suite(
    "Steps on the reference provider's pages",
    .phase(.browsers),
    .serialized,
    .timeLimit(.minutes(5)),
    .oracle(.browser(.chromium))
)
struct SignInStepTests {
    private static let programs = BrowserPrograms.installed()

    private static func steps() throws -> [SignInStep] {
        [
            .form(
                FormStep(
                    formHas: [.label("User name"), .selector(try CSSSelector("input[type=password]"))],
                    waitFor: [.text("Sign in")],
                    fill: [
                        .init(field: .label("User name"), template: "{username}"),
                        .init(field: .selector(try CSSSelector("form > input#password")), template: "{password}"),
                    ],
                    button: .label("Sign in")
                )
            ),
            .form(
                FormStep(formHas: ["account"], choose: [.init(field: "account", template: "{username}")])
            ),
            .form(
                FormStep(
                    formHas: [.identifier("password")],
                    fill: [.init(field: .identifier("password"), template: "{password}")]
                )
            ),
        ]
    }

    private static func result(
        _ variant: SignInVariant,
        _ driver: SignInDriver,
        _ steps: [SignInStep],
        pageTimeout: Double? = nil
    ) async throws -> Laboratory.Run {
        try await SignInVariantTests.result(
            variant,
            maxSignIns: 1,
            over: .sockets,
            mistake: { configuration in
                configuration.steps = steps
                configuration.signInSettings = SignInSettings(
                    driver: driver,
                    browser: driver == .browser ? programs : nil
                )
                if let pageTimeout { configuration.signInSettings.pageTimeout = pageTimeout }
            }
        )
    }

    private static let drivers: [SignInDriver] = [.form, .browser]

    @Test(
        "the steps complete the plain page and the account chooser",
        arguments: [SignInVariant.plain, .accountChooser],
        drivers
    )
    func through(variant: SignInVariant, driver: SignInDriver) async throws {
        let result = try await Self.result(variant, driver, try Self.steps())
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        #expect(result.evidence.signIns == 1)
        let filled = result.evidence.exchanges.filter {
            $0.step.contains("configured step") || $0.step.contains("step")
        }
        #expect(!filled.isEmpty)
    }

    @Test("a step in a browser waits for elements that a script creates")
    func waits() async throws {
        let step = FormStep(
            formHas: [.label("Password")],
            waitFor: [.selector(try CSSSelector("#root > form > button"))],
            fill: [
                .init(field: .label("User name"), template: "{username}"),
                .init(field: .label("Password"), template: "{password}"),
            ],
            button: .label("Sign in")
        )
        let result = try await Self.result(.scriptFetch, .browser, [.form(step)])
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        #expect(result.evidence.signIns == 1)
    }

    @Test("a missing element is reported with the step that waits for it, and no password is sent", arguments: drivers)
    func waitsInVain(driver: SignInDriver) async throws {
        let step = FormStep(
            formHas: ["username"],
            waitFor: [.text("Never said")],
            fill: [.init(field: "username", template: "{username}"), .init(field: "password", template: "{password}")]
        )
        let result = try await Self.result(.plain, driver, [.form(step)], pageTimeout: 2)
        try SignInVariantTests.expect(
            .init(
                message: "a step in sign_in.steps waits for text=Never said, which did not appear",
                advice: "Compare wait_for with the page",
                signIns: 0
            ),
            result
        )
    }

    @Test(
        "a missing element is reported whatever else the page contains, and no password is sent",
        arguments: drivers
    )
    func waitsAtPageInVain(driver: SignInDriver) async throws {
        let step = FormStep(page: .init(path: "*"), waitFor: [.text("Never said")])
        let result = try await Self.result(.plain, driver, [.form(step)], pageTimeout: 2)
        try SignInVariantTests.expect(
            .init(
                message: "a step in sign_in.steps waits for text=Never said, which did not appear",
                advice: "Compare wait_for with the page",
                signIns: 0
            ),
            result
        )
    }

    @Test("a missing field is reported, and no password is sent", arguments: drivers)
    func missing(driver: SignInDriver) async throws {
        let step = FormStep(
            formHas: ["username"],
            fill: [.init(field: .label("PIN"), template: "1"), .init(field: "password", template: "{password}")]
        )
        let result = try await Self.result(.plain, driver, [.form(step)])
        try SignInVariantTests.expect(
            .init(message: "names label=PIN, which the form does not have", advice: "Compare the step", signIns: 0),
            result
        )
    }
}
