import Browsing
import Conformance
import Flows
import Foundation
import JOSE
import JSONTree
import Preflight
import Profiles
import ReportRecord
import SignIn
import Testing

private let environment = Environment(
    variable: { $0 == "OIDC_PASSWORD" ? "pass word" : nil },
    readFile: { .failure(FileError(path: $0, reason: "no files here")) }
)

/// Reads a configuration whose sign-in has these lines behind its password.
private func read(_ lines: String) throws -> Configuration {
    let text = """
        issuer: https://idp.example.com
        client: { id: my-client }
        redirect_uri: https://rp.example/cb
        flows: [code]
        sign_in:
          username: alice
          password: { env: OIDC_PASSWORD }
        \(lines)
        """
    return try ConfigurationRecord.keeping(text) {
        try ConfigurationReader(environment).read(text, file: "preflight.yaml", checks: [])
    }
}

@Suite("Configuration of sign-in", .timeLimit(.minutes(5)))
struct SignInReadingTests {
    @Test("a step takes secrets from the environment, which nothing shows")
    func variables() throws {
        let configuration = try read(
            """
              steps:
                - { form_has: [t], fill: { t: "{env:OIDC_PASSWORD}", u: "x-{env:OIDC_PASSWORD}" } }
                - { when: { path: /l }, request: { url: /a, headers: { X-Key: "{env:OIDC_PASSWORD}" } } }
            """
        )
        #expect(configuration.secrets.stepVariables.keys.sorted() == ["OIDC_PASSWORD"])
        #expect(configuration.secrets.stepVariables["OIDC_PASSWORD"]?.reveal() == "pass word")
        #expect(!"\(configuration.steps)".contains("pass word"))
        var dumped = ""
        dump(configuration.secrets, to: &dumped)
        #expect(!dumped.contains("pass word"))
    }

    @Test("a manual sign-in needs neither name nor password, and their variables may be unset")
    func byHand() throws {
        let text = """
            issuer: https://idp.example.com
            client: { id: my-client }
            redirect_uri: https://rp.example/cb
            flows: [code]
            sign_in:
            """
        let forms = [
            "  driver: manual", "  { driver: manual, manual_timeout: 90s }",
            "  { driver: manual, username: bob, password: { env: NO_SUCH }, totp: { secret: { env: NO_SUCH } } }",
            "  { driver: manual, other: { username: bob, password: { env: NO_SUCH } } }",
        ]
        for form in forms {
            let configuration = try ConfigurationReader(environment)
                .read("\(text)\n\(form)\n", file: "preflight.yaml", checks: [])
            #expect(configuration.highestTier == .full, "\(form)")
            #expect(configuration.signInSettings.driver == .manual && !configuration.hasPassword)
        }
        let mistakes = [
            ("  max: 3", "“sign_in.username” is missing"),
            ("  driver: manuel", "did you mean “manual”?"),
            ("  { driver: manual, manual_timeout: 0 }", "must be from 1 s to 86400 s"),
            (
                "  { driver: manual, session: { file: s.enc, key: { env: OIDC_PASSWORD } } }",
                "a saved session requires driver: form or browser"
            ),
        ]
        for (form, message) in mistakes {
            let error = #expect(throws: ConfigurationError.self) {
                try ConfigurationReader(environment)
                    .read("\(text)\n\(form)\n", file: "preflight.yaml", checks: [])
            }
            #expect(
                error?.description.contains(message) == true,
                "\(form): \(error?.description ?? "nothing was thrown")"
            )
        }
        // The command line wins.
        let byForm = "\(text)\n  { username: bob, password: { env: NO_SUCH } }\n"
        let configuration = try ConfigurationReader(environment, driver: .manual)
            .read(byForm, file: "preflight.yaml", checks: [])
        #expect(configuration.signInSettings.driver == .manual && configuration.username == "bob")
    }

    @Test("the browser is chosen by the file and by the command line, which wins")
    func browser() throws {
        #expect(try read("").signInSettings.wantedBrowser == nil)
        #expect(try read("  browser: firefox").signInSettings.wantedBrowser == .firefox)
        let error = #expect(throws: ConfigurationError.self) { try read("  browser: firefx") }
        #expect(error?.description.contains("did you mean “firefox”?") == true, "\(error?.description ?? "")")
        var configuration = try read("  browser: firefox")
        // Whether it is installed is another matter.
        try? configuration.drive(by: nil, in: .chromium, isShown: false)
        #expect(configuration.signInSettings.wantedBrowser == .chromium)
        var manual = try read("  driver: manual")
        let byHand = #expect(throws: ConfigurationError.self) {
            try manual.drive(by: nil, in: .chromium, isShown: false)
        }
        #expect(byHand?.description.contains("--browser") == true, "\(byHand?.description ?? "")")
    }

    @Test("a passkey selects Chromium, whichever other browsers are installed")
    func passkey() throws {
        let key = try PrivateKey.generate(.ec(.p256))
        var configuration = try read("  browser: firefox")
        configuration.takePasskey(
            PasskeyCredential(credentialID: [1], key: key, userHandle: nil, signCount: nil)
        )
        let error = #expect(throws: ConfigurationError.self) {
            try configuration.drive(by: nil, isShown: false)
        }
        #expect(
            error?.description.contains("sign_in.browser: sign_in.passkey requires chromium") == true,
            "\(error?.description ?? "")"
        )
        configuration.signInSettings.wantedBrowser = nil
        try? configuration.drive(by: nil, isShown: false)
        #expect(configuration.signInSettings.wantedBrowser == .chromium)
    }

    @Test("a step with requests is understood")
    func requests() throws {
        let configuration = try read(
            """
              hosts: [API.idp.example.com, "login.example.com:8443"]
              steps:
                - when: { path: /login.html, query: [callback_url] }
                  request:
                    - url: /api/auth/
                      headers: { X-XSRF-TOKEN: "{cookie.XSRF-TOKEN}" }
                      json: { username: "{username}", password: "{password}", otp: "5", keep: true, n: [5, -1.5, null, 007, text] }
                      expect: 200
                    - { method: PUT, url: "/api/grant/{query.client_id}/", form: { scope: "{query.scope} x{y z}" }, expect: [200, 204] }
                  then: "{query.callback_url}&g_continue"
                - { when: { path: "/consent*" }, request: { url: /ok }, then: follow }
                - { when: { path: /again }, request: { url: "{answer.a.0}", method: DELETE } }
            """
        )
        #expect(configuration.signInHosts == ["api.idp.example.com", "login.example.com:8443"])
        let json = JSONTemplate.object([
            .init(name: "username", value: .text(try Template("{username}"))),
            .init(name: "password", value: .text(try Template("{password}"))),
            .init(name: "otp", value: .text(try Template("5"))),
            .init(name: "keep", value: .literal(true)),
            .init(
                name: "n",
                value: .array([
                    .literal(5), .literal(-1.5), .literal(nil), .text(try Template("007")), .text(try Template("text")),
                ])
            ),
        ])
        let login = RequestStep.Request(
            method: "POST",
            url: try Template("/api/auth/"),
            headers: [.init(name: "X-XSRF-TOKEN", template: try Template("{cookie.XSRF-TOKEN}"))],
            body: .json(json),
            expected: [200]
        )
        let grant = RequestStep.Request(
            method: "PUT",
            url: try Template("/api/grant/{query.client_id}/"),
            body: .form([.init(name: "scope", template: try Template("{query.scope} x{y z}"))]),
            expected: [200, 204]
        )
        let first = RequestStep(
            page: .init(path: "/login.html", query: ["callback_url"]),
            requests: [login, grant],
            next: .address(try Template("{query.callback_url}&g_continue"))
        )
        let second = RequestStep(
            page: .init(path: "/consent*"),
            requests: [.init(method: "GET", url: try Template("/ok"))],
            next: .follow
        )
        let third = RequestStep(
            page: .init(path: "/again"),
            requests: [.init(method: "DELETE", url: try Template("{answer.a.0}"))]
        )
        #expect(configuration.steps == [.requests(first), .requests(second), .requests(third)])
    }

    @Test(
        "a field takes a text, or a list for several fields with the same name",
        arguments: [
            ("profile", ["profile"]), ("[openid, profile]", ["openid", "profile"]), ("[]", []),
            ("[\"{username}\"]", ["{username}"]),
        ]
    )
    func fill(written: String, templates: [String]) throws {
        let configuration = try read("  steps: [{ form_has: [scope], fill: { scope: \(written) } }]")
        let step = FormStep(formHas: ["scope"], fill: [.init(field: "scope", templates: templates)])
        #expect(configuration.steps == [.form(step)])
    }

    @Test("the word before an equals sign says whether a step means a field, a choice, a button or a wait")
    func references() throws {
        let configuration = try read(
            """
              steps:
                - form_has: [login, "id=pin", "name=id=odd", "a[b]=c"]
                  wait_for: ["css=form.ready > input", "text=Sign in", "url=/login*"]
                  fill: { "label=User name": "{username}", "css=#p": "{password}" }
                  choose: { "label=Realm": Staff, account: "{username}" }
                  press: "label=Continue"
                - { form_has: [x], wait_for: "css=#x", press: { answer: accept } }
                - { when: { path: /app* }, wait_for: ["css=form", "text=Ready"] }
            """
        )
        let first = FormStep(
            formHas: ["login", .identifier("pin"), .name("id=odd"), .name("a[b]=c")],
            waitFor: [.selector(try CSSSelector("form.ready > input")), .text("Sign in"), .path("/login*")],
            fill: [
                .init(field: .label("User name"), template: "{username}"),
                .init(field: .selector(try CSSSelector("#p")), template: "{password}"),
            ],
            choose: [
                .init(field: .label("Realm"), template: "Staff"), .init(field: "account", template: "{username}"),
            ],
            button: .label("Continue")
        )
        let second = FormStep(
            formHas: ["x"],
            waitFor: [.selector(try CSSSelector("#x"))],
            press: [.init(name: "answer", value: "accept")]
        )
        let third = FormStep(
            page: .init(path: "/app*"),
            waitFor: [.selector(try CSSSelector("form")), .text("Ready")]
        )
        #expect(configuration.steps == [.form(first), .form(second), .form(third)])
    }

    @Test("a second user is read, and enables the scenario with two users")
    func otherUser() throws {
        let configuration = try read("  other: { username: bob, password: { env: OIDC_PASSWORD } }")
        #expect(configuration.secrets.other?.username == "bob")
        #expect(configuration.secrets.other?.password.reveal() == "pass word")
        #expect(configuration.target.hasOtherPerson == true)
        #expect(configuration.target.otherEmailIsVerified == nil)
        let unverified = try read(
            "  other: { username: bob, password: { env: OIDC_PASSWORD }, email_is_verified: false }"
        )
        #expect(unverified.target.otherEmailIsVerified == false)
        #expect(Scenario.Condition.otherEmailUnverified.whyUnmet(unverified.target) == nil)
        let alone = try read("")
        #expect(alone.secrets.other == nil)
        #expect(Scenario.twoUsers.conditions.contains { $0.whyUnmet(alone.target) != nil })
        #expect(Scenario.twoUsers.conditions.allSatisfy { $0.whyUnmet(configuration.target) == nil })
    }

    @Test("a second user without a password, or with a literal one, is a mistake")
    func otherUserInPart() {
        for lines in ["  other: { username: bob }", "  other: { username: bob, password: written }"] {
            #expect(throws: ConfigurationError.self) { try read(lines) }
        }
    }

    @Test(
        "a mistake in a step is reported with its line and a suggestion",
        arguments: [
            ("{ when: { path: /l }, request: { url: /a, jsn: {} } }", "preflight.yaml:9:49: unknown key “jsn”"),
            ("{ when: { path: /l }, request: { url: /a }, than: retry }", "did you mean “then”?"),
            ("{ when: { path: /l }, request: { url: /a }, then: rety }", "did you mean “retry”?"),
            ("{ when: { path: /l }, request: { url: \"javascript:x\" } }", "must be an http or https address"),
            ("{ when: { path: l }, request: { url: /a } }", "“l” must be the path of the page's address"),
            ("{ when: { pth: /l }, request: { url: /a } }", "did you mean “path”?"),
            ("{ when: { path: /l } }", "“sign_in.steps[0].request” is missing"),
            ("{ request: { url: /a } }", "“sign_in.steps[0].when” is missing"),
            ("{ when: { path: /l }, request: [] }", "write at least one request"),
            ("{ when: { path: /l }, request: { json: { a: b } } }", "“sign_in.steps[0].request.url” is missing"),
            ("{ when: { path: /l }, request: { url: /a, method: POTS } }", "did you mean “POST”?"),
            ("{ when: { path: /l }, request: { url: /a, method: GET, form: { a: b } } }", "a GET has no body"),
            ("{ when: { path: /l }, request: { url: /a, form: { a: b }, json: { a: b } } }", "keep json or form"),
            ("{ when: { path: /l }, request: { url: /a, json: \"{}\" } }", "must be a mapping or a list"),
            ("{ when: { path: /l }, request: { url: /a, json: { p: \"{pasword}\" } } }", "did you mean “password”?"),
            ("{ when: { path: /l }, request: { url: /a, json: { p: \"{query}\" } } }", "write it as {query.NAME}"),
            ("{ when: { path: /l }, request: { url: /a, json: { p: \"{username.x}\" } } }", "write it as {username}"),
            (
                "{ when: { path: /l }, request: { url: \"/a?p={password}\" } }",
                "the password must not be in an address"
            ),
            ("{ when: { path: /l }, request: { url: /a }, then: \"/x/{password}\" }", "must not be in an address"),
            (
                "{ when: { path: /l }, request: { url: /a, headers: { X-P: \"{password}\" } } }",
                "the password must not be in a header"
            ),
            ("{ when: { path: /l }, request: { url: /a, headers: { Cookie: a } } }", "it is set automatically"),
            (
                "{ when: { path: /l }, request: { url: /a, headers: { \"a b\": c } } }",
                "a step cannot set the header"
            ),
            ("{ when: { path: /l }, request: { url: /a, expect: ok } }", "“ok” is not a status"),
            ("{ when: { path: /l }, form_has: [a], request: { url: /a } }", "write two steps"),
            (
                "{ form_has: [t], fill: { t: \"{env:NO_SUCH_TENANT}\" } }",
                "preflight.yaml:9:35: the environment variable NO_SUCH_TENANT is not set"
            ),
            (
                "{ when: { path: /l }, request: { url: /a, json: { p: \"{env:NO_SUCH_PIN}\" } } }",
                "the environment variable NO_SUCH_PIN is not set"
            ),
            ("{ when: { path: /l }, request: { url: /a, json: { p: \"{env:}\" } } }", "write it as {env:NAME}"),
            ("{ form_has: [t], fill: { t: \"{evn:PIN}\" } }", "“{evn:PIN}” for field t is an unknown placeholder"),
            (
                "{ when: { path: /l }, request: { url: \"/a?p={env:OIDC_PASSWORD}\" } }",
                "a secret from the environment must not be in an address"
            ),
            (
                "{ form_has: [t], fill: { \"lable=User\": x } }",
                "preflight.yaml:9:46: “lable=User” has no valid field prefix; did you mean “label=”?"
            ),
            ("{ form_has: [\"css=a:hover\"] }", "“:” is not supported there; a selector may contain an element, #id"),
            ("{ form_has: [\"id=\"] }", "nothing follows “id=”"),
            ("{ form_has: [t], fil: { t: x } }", "did you mean “fill”?"),
            ("{ form_has: [t], choos: { t: x } }", "did you mean “choose”?"),
            ("{ form_has: [t], choose: { t: \"{pasword}\" } }", "“{pasword}” for field t is not a valid choice"),
            ("{ form_has: [t], wait_for: \"txt=Ready\" }", "did you mean “text=”?"),
            ("{ form_has: [t], wait_for: 5s }", "“5s” is not a valid condition; write css= and a selector"),
            ("{ form_has: [t], wait_for: [\"url=consent\"] }", "must be the path of the page's address"),
            ("{ form_has: [t], wait_for: \"css=a,b\" }", "“,” is not supported there"),
            ("{ form_has: [t], waitfor: \"css=a\" }", "did you mean “wait_for”?"),
            ("{ form_has: [t], press: { \"label=Next\": x } }", "write  press: \"label=Next\""),
            ("{ form_has: [t], press: [a] }", "must be a mapping of keys to values, not a list"),
            ("{ }", "a step needs form_has (a form to fill in) or when (requests to send)"),
        ]
    )
    func mistakes(step: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read("  steps:\n    - \(step)") }
        #expect(error?.description.contains(message) == true, "\(error?.description ?? "nothing was thrown")")
    }

    @Test("the documented example is understood")
    func documentation() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Documentation/Configuration.md")
        let examples = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "```yaml\n").dropFirst()
            .compactMap { $0.components(separatedBy: "```").first }
        let example = try #require(examples.first { $0.hasPrefix("sign_in:") })
        let rest = "issuer: https://a.example\nclient: { id: a }\nredirect_uri: https://b.example/cb\nflows: [code]\n"
        let configuration = try ConfigurationReader(environment).read(rest + example, file: "doc", checks: [])
        guard case .requests(let step) = configuration.steps.first else {
            Issue.record("not a step with requests: \(configuration.steps)")
            return
        }
        #expect(step.requests.map(\.method) == ["POST", "PUT"])
    }

    @Test("a host is a name, with its port", arguments: ["https://a.example", "a.example/x", "u@a.example", ""])
    func hosts(host: String) {
        let error = #expect(throws: ConfigurationError.self) { try read("  hosts: [\"\(host)\"]") }
        #expect(error?.description.contains("must be a host") == true, "\(error?.description ?? "nothing was thrown")")
    }
}
