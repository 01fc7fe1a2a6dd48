import Conformance
import Flows
import JOSE
import Preflight
import ProviderTable
import ReferenceProvider
import Testing

/// Runs against each sign-in variant: the sign-in succeeds, or the run reports a root cause without failing a check.
@Suite("Sign-in variants", .timeLimit(.minutes(5)))
struct SignInVariantTests {
    /// Why a sign-in stops, and the beginning of the advice.
    struct Diagnosis: Sendable {
        var signInStep = Cause.SignInStep.signIn
        var message: String
        var advice: String
        /// The number of password submissions.
        var signIns: Int
    }

    /// `nil` for a variant that succeeds; each diagnosis has its own next step.
    static let diagnoses: [SignInVariant: Diagnosis] = [
        .textMessage: Diagnosis(
            message: "a code sent by text message or e-mail",
            advice: "Give the test user an authenticator app",
            signIns: 1
        ),
        .emailLink: Diagnosis(
            message: "a confirmation by e-mail",
            advice: "Confirm the address once by hand",
            signIns: 0
        ),
        .passkey: Diagnosis(
            message: "a passkey or a security key",
            advice: "Set sign_in.passkey to its credential",
            signIns: 0
        ),
        .otherProvider: Diagnosis(
            message: "another identity provider",
            advice: "Press its button in a step",
            signIns: 0
        ),
        .scriptOnly: Diagnosis(
            message: "needs JavaScript",
            advice: "Add the requests that its script sends to sign_in.steps",
            signIns: 0
        ),
        .scriptFetch: Diagnosis(
            message: "needs JavaScript",
            advice: "Add the requests that its script sends to sign_in.steps",
            signIns: 0
        ),
        .captcha: Diagnosis(message: "a CAPTCHA", advice: "Disable the CAPTCHA for the test user", signIns: 0),
        .botWall: Diagnosis(
            message: "a bot check",
            advice: "Let the bot protection allow this machine's address",
            signIns: 0
        ),
        .blockedAgent: Diagnosis(
            message: "rejects this User-Agent",
            advice: "Let the provider allow the User-Agent oidc-preflight",
            signIns: 0
        ),
        .errorPage: Diagnosis(
            signInStep: .authorizationRequest,
            message: "the page “Error · Reference provider”, status 200",
            advice: "Compare client.id and redirect_uri with the registration",
            signIns: 0
        ),
        .endlessRedirect: Diagnosis(
            message: "more than 20 redirects in a row",
            advice: "Open the authorization request in a browser without cookies",
            signIns: 0
        ),
    ]

    static func result(
        _ variant: SignInVariant,
        tier: Tier? = nil,
        maxSignIns: Int? = nil,
        over way: Laboratory.Way = .memory,
        mistake: (inout Configuration) -> Void = { _ in },
        provide: (inout ReferenceProviderConfiguration) -> Void = { _ in }
    ) async throws -> Laboratory.Run {
        try await Laboratory.collect(
            .standard,
            profile: "openid",
            over: way,
            tier: tier,
            maxSignIns: maxSignIns,
            configure: { $0.flows = ["code"] },
            mistake: { configuration in
                if variant.requestsCode { takeCodes(&configuration) }
                mistake(&configuration)
            },
            provide: { settings in
                settings.variant = variant
                settings.accounts = accounts
                provide(&settings)
            }
        )
    }

    /// Codes that change every two seconds, so that a run with many sign-ins is short.
    private static let accounts: [Account] = [Account.alice, Account.bob]
        .map { account -> Account in
            var account = account
            account.codes.period = 2
            account.codes.digits = 8
            return account
        }

    private static func takeCodes(_ configuration: inout Configuration) {
        let users = accounts.map { account in
            (
                account,
                try? Authenticator(
                    Secret(account.codes.shown),
                    digits: account.codes.digits,
                    period: account.codes.period,
                    algorithm: account.username == "alice" ? .sha1 : .sha256
                )
            )
        }
        configuration.signIn(as: users[0].0.username, password: users[0].0.password, authenticator: users[0].1)
        configuration.signInOther(
            as: users[1].0.username,
            password: users[1].0.password,
            authenticator: users[1].1
        )
    }

    @Test(
        "a sign-in variant that forms support succeeds in every check",
        arguments: SignInVariant.allCases.filter { diagnoses[$0] == nil }
    )
    func through(variant: SignInVariant) async throws {
        let result = try await Self.result(variant)
        #expect(result.report.outcome.exitCode == 0, "\(result.report.outcome.summary)")
        #expect(result.report.causes.isEmpty, "\(result.report.causes.map(\.message))")
        #expect(result.evidence.signIns > 1)
    }

    @Test(
        "a sign-in variant that forms do not support is reported with its own next step",
        arguments: diagnoses.keys.sorted { $0.rawValue < $1.rawValue }
    )
    func diagnosis(variant: SignInVariant) async throws {
        let expected = try #require(Self.diagnoses[variant])
        let result = try await Self.result(variant)
        try Self.expect(expected, result)
    }

    static func expect(_ expected: Diagnosis, _ result: Laboratory.Run) throws {
        let report = result.report
        #expect(report.outcome.exitCode == 2, "\(report.outcome.summary)")
        let cause = try #require(report.causes.first)
        #expect(report.causes.count == 1, "\(report.causes.map(\.message))")
        #expect(cause.signInStep == expected.signInStep)
        #expect(cause.message.contains(expected.message), "\(cause.message)")
        #expect(cause.advice.hasPrefix(expected.advice), "\(cause.advice)")
        #expect(result.evidence.signIns == expected.signIns, "\(result.evidence.signIns) sign-ins")
        let failed = report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id)
        #expect(failed.isEmpty, "\(failed)")
    }

    @Test("every diagnosis has its own next step")
    func nextSteps() {
        // Without scripts, both script-generated pages are the same.
        let others = Self.diagnoses.filter { $0.key != .scriptFetch }
        #expect(Set(others.values.map(\.advice)).count == others.count)
    }

    @Test("the command line accepts every sign-in variant")
    func commandLine() {
        #expect(ProviderProgram.variants == SignInVariant.allCases.map(\.rawValue))
    }

    // MARK: One-time codes

    @Test("a second factor without a configured secret is reported")
    func withoutSecret() async throws {
        let result = try await Self.result(.totp, mistake: { $0.signIn(as: "alice", password: Account.alice.password) })
        try Self.expect(
            Diagnosis(
                message: "a one-time code (second factor)",
                advice: "Set sign_in.totp to the secret of the authenticator app",
                signIns: 1
            ),
            result
        )
    }

    @Test("a wrong secret is reported after one code, and no further code is sent")
    func wrongSecret() async throws {
        let result = try await Self.result(
            .totp,
            mistake: { configuration in
                let wrong = try? Authenticator(Secret("MZXW6YTBOI"), digits: 8, period: 2)
                configuration.signIn(as: "alice", password: Account.alice.password, authenticator: wrong)
            }
        )
        try Self.expect(
            Diagnosis(message: "the one-time code was rejected", advice: "Compare sign_in.totp", signIns: 1),
            result
        )
        let codes = result.evidence.exchanges.filter { $0.step.hasSuffix("one-time code form") }
        #expect(codes.count == 1)
    }

    @Test("neither the evidence nor the report contains the secret or a code")
    func leaks() async throws {
        let result = try await Self.result(.totp)
        let evidence = String(decoding: try result.evidence.encoded(), as: UTF8.self)
        let forms = result.evidence.exchanges.filter { $0.step.hasSuffix("one-time code form") }
        #expect(forms.count > 1)
        for form in forms {
            #expect(form.request.body?.hasSuffix("&code=(code)") == true, "\(form.request.body ?? "")")
        }
        let numbers = Set(evidence.split { !$0.isNumber }.map(String.init).filter { $0.count == 8 })
        for account in Self.accounts {
            let secret = Base32.encode(account.codes.key)
            #expect(!evidence.uppercased().contains(secret.prefix(12)))
            let hash = account.codes.hash
            let steps = Int(result.evidence.startedAt / 2) - 5...Int(result.evidence.endedAt / 2) + 5
            let codes = Set(
                steps.compactMap { OneTimePassword.code($0, key: account.codes.key, digits: 8, hash: hash) }
            )
            #expect(codes.isDisjoint(with: numbers), "\(codes.intersection(numbers))")
        }
    }
}
