import Browsing
import Foundation
import LoopbackServer
import OtherPrograms
import SignIn
import TestSupport
import Testing
import Transport

/// Steps that are recorded from a user's actions; here the pages act as the user.
@Suite(
    "Recording a sign-in",
    .serialized,
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(Installed.anyBrowser)
)
struct RecordInBrowserTests {
    /// A page that fills in its fields and presses its button after loading.
    private static func page(
        _ title: String,
        _ content: String,
        _ typed: [String: String],
        press: String
    ) -> LoopbackReply {
        let fills = typed.sorted { $0.key < $1.key }
            .map { name, value in
                """
                { const e = document.querySelector('[name="\(name)"], #\(name), .\(name)'); e.focus();
                  if (e.type === 'checkbox') e.click(); else e.value = '\(value)';
                  e.dispatchEvent(new Event('input', { bubbles: true })); }
                """
            }
        return .page(
            """
            <title>\(title)</title>\(content)<script>
            setTimeout(() => { \(fills.joined()) document.querySelector('\(press)').click(); }, 100)</script>
            """
        )
    }

    private static let pyYAML = Oracle.python("yaml")

    @Test("fields and buttons become steps without secrets", .oracle(pyYAML), arguments: Installed.browsers)
    func recorded(browser: BrowserKind) async throws {
        let relyingParty = LoopbackServer { _ in .page("never") }
        let uri = relyingParty.url + "/cb"
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("POST", "/name"):
                Self.page(
                    "Password",
                    """
                    <form method=post action=/password><input name=shown type=password><input name=pin type=password>
                    <button name=go value="in &quot;now&quot;">Sign in</button></form>
                    <script>document.querySelector('[name=shown]').oninput = event => { event.target.type = 'text' }</script>
                    """,
                    ["shown": "s3cret-word", "pin": "98765"],
                    press: "button"
                )
            case ("POST", "/password"):
                // A single-page app without a form or field names.
                Self.page(
                    "Code",
                    """
                    <input id=code autocomplete=one-time-code><label>Room: <input class=room></label>
                    <input class=floor inputmode=decimal><div role=button id=verify>Verify</div>
                    <script>document.getElementById('verify').onclick = () => { location = '/consent' }</script>
                    """,
                    ["code": "123456", "room": "north", "floor": "3"],
                    press: "#verify"
                )
            case (_, "/consent"):
                Self.page(
                    "Consent",
                    """
                    <form method=post action=/done><input type=hidden name=csrf value=hidden-token>
                    <button>Allow</button></form>
                    """,
                    [:],
                    press: "button"
                )
            case ("POST", "/done"): .redirect(uri + "?code=c&state=some-state")
            default:
                Self.page(
                    "Name",
                    """
                    <form method=post action=/name><input type=hidden name=csrf value=hidden-token>
                    <input name=login><input name=tenant value=none><input type=checkbox name=stay value=yes>
                    <button>Next</button></form>
                    """,
                    ["login": "alice", "tenant": "example", "stay": ""],
                    press: "button"
                )
            }
        }
        let recorder = SignInRecorder(timeLimit: 30)
        let transport = TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        var options = BrowserOptions(pageTimeout: 15, transport: transport)
        options.isWatched = true
        let browsers = Browsers(try #require(BrowserPrograms.installed(browser)), options)
        var instructions = SignInInstructions(
            username: "alice",
            password: Credential("s3cret-word"),
            driving: SharedSignInDriver(.browser, browsers: browsers)
        )
        instructions.recorder = recorder
        let session = SignInSession(
            client: HTTPClient(configuration: transport),
            instructions: instructions,
            redirectURI: uri
        )
        let (outcome, _) = await session.open(server.url + "/authorize?state=some-state")
        await browsers.stop()
        #expect(outcome == .arrived(at: uri + "?code=c&state=some-state", formPost: nil))
        #expect(relyingParty.connections == 0)
        let text = recorder.steps(username: "alice", password: "s3cret-word")
        for secret in ["s3cret-word", "98765", "123456", "hidden-token"] { #expect(!text.contains(secret)) }
        #expect(text.contains("# pin is a second secret on the page"))
        #expect(text.contains("# /consent: “Allow” was pressed, which needs no step"))
        let python = try await Self.pyYAML.path()
        let read =
            "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin)['sign_in']['steps'], sys.stdout, sort_keys=True)"
        let answer = try await OtherProgram.run(python, ["-c", read], input: text)
        let expected = """
            [{"fill": {"login": "{username}", "stay": ["yes"], "tenant": "example"}, "form_has": ["login", "tenant", "stay"]}, \
            {"fill": {"shown": "{password}"}, "form_has": ["shown", "pin", "go"], "press": {"go": "in \\"now\\""}}, \
            {"fill": {"css=input[inputmode=\\"decimal\\"]": "3", "id=code": "{totp}", "label=room:": "north"}, \
            "form_has": ["id=code", "label=room:", "css=input[inputmode=\\"decimal\\"]"]}]
            """
        #expect(answer.text == expected, "\(text)\(answer.errors)")
    }
}
