import LoopbackServer
import Testing
import Transport

@testable import SignIn

/// Consent page with boxes: which of them are ticked.
@Suite(.timeLimit(.minutes(5))) struct ConsentTests {
    private func fill(_ html: String, scopes: [String] = [], steps: [FormStep] = []) -> FormFilling? {
        let instructions = SignInInstructions(
            username: "alice",
            password: Credential("s3cret"),
            steps: steps.map { .form($0) }
        )
        return FormRecognition(instructions: instructions)
            .filling(for: HTMLReader.read(Array(html.utf8)), scopes: scopes)
    }

    private func consent(_ boxes: String) -> String {
        "<form method=post>\(boxes)<button name=go value=1>Allow</button></form>"
    }

    @Test(arguments: [
        // The built-in page of a framework: a box per scope, none ticked.
        (
            "<input type=checkbox name=scope value=openid><input type=checkbox name=scope value=profile>",
            "scope=openid&scope=profile"
        ),
        // Scopes that were not requested are not granted, and ticked boxes stay ticked.
        (
            "<input type=checkbox name=scope value=profile><input type=checkbox name=scope value=admin>",
            "scope=profile"
        ),
        ("<input type=checkbox name=s value=profile><input type=checkbox name=s value=x checked>", "s=profile&s=x"),
        ("<input type=checkbox name=s value=profile disabled><input type=checkbox name=s value=openid>", "s=openid"),
        // Boxes that name the scope themselves.
        ("<input type=checkbox name=scope_profile><input type=checkbox name=scope_admin>", "scope_profile=on"),
        ("<input type=checkbox name='scopes[openid]' value=1>", "scopes%5Bopenid%5D=1"),
        ("<input type=checkbox name=profile value=true>", "profile=true"),
        // If no box represents a scope, all boxes of the grant are ticked.
        (
            "<input type=checkbox name=scopes value=3><input type=checkbox name=scopes value=4>",
            "scopes=3&scopes=4"
        ),
        ("<input type=checkbox name=grantScope value=a>", "grantScope=a"),
        ("<input type=checkbox name='Input.Scopes[0].Checked' value=true>", "Input.Scopes%5B0%5D.Checked=true"),
        ("<label><input type=checkbox name=confirm> Consent?</label>", "confirm=on"),
        ("<input type=checkbox name=scopes value=3 checked><input type=checkbox name=scopes value=4>", "scopes=3"),
        // How long the choice is remembered, and other settings, are the user's choice.
        ("<input type=checkbox name=remember value=1>", ""),
        ("<input type=checkbox name=remember_consent>", ""),
        ("<label><input type=checkbox name=consent2> Do not ask me again</label>", ""),
        ("<input type=checkbox name=scope value=openid><input type=checkbox name=remember>", "scope=openid"),
        ("<input type=checkbox name=accept_newsletter>", ""),
        ("<input type=checkbox name=deny_scopes value=9>", ""),
        // A decision by radio buttons, none of which is chosen.
        (
            "<label><input type=radio name=d value=n>Deny</label><label><input type=radio name=d value=y>Allow</label>",
            "d=y"
        ),
        (
            "<label><input type=radio name=d value=n checked>Deny</label><label><input type=radio name=d value=y>Allow</label>",
            "d=n"
        ),
        // Without a required box a browser does not send the form.
        ("<input type=checkbox name=terms required>", "terms=on"),
        ("<input type=checkbox name=terms value=1 aria-required=true>", "terms=1"),
    ])
    func `the boxes of the requested scopes are ticked`(boxes: String, sent: String) throws {
        let filling = try #require(fill(consent(boxes), scopes: ["openid", "profile"]))
        #expect(filling.cause == .consent)
        #expect(filling.parameters.serialized == (sent.isEmpty ? "" : sent + "&") + "go=1")
    }

    @Test(
        "an empty field for a note is left empty if the form can be declined, and any other field needs a step",
        arguments: [
            ("<input name=Input.Description placeholder='Description or name of device'>", true, true),
            ("<input name=Input.Description value='My phone'>", true, false),
            ("<input name=Input.Description required>", true, false),
            ("<input name=Input.Description>", false, false), ("<input name=nickname>", true, false),
        ]
    )
    func note(field: String, canBeDeclined: Bool, isSent: Bool) {
        let no = canBeDeclined ? "<button name=Input.Button value=no>No, Do Not Allow</button>" : ""
        let yes = "<button name=Input.Button value=yes>Yes, Allow</button>"
        let filling = fill("<form method=post>\(field)\(yes)\(no)</form>")
        #expect(
            filling?.unlessObjected?.parameters.serialized == (isSent ? "Input.Description=&Input.Button=yes" : nil)
        )
    }

    @Test(
        "a form beside the consent form is left alone",
        arguments: [
            // A newsletter.
            ("<form id=newsletter><input type=email name=email><button>OK</button></form>", false),
            ("<form><input type=email name=email><button>Subscribe</button></form>", false),
            // One that only the password before it shows to be none of the sign-in.
            ("<form><input type=email name=email><button>Send</button></form>", true),
        ]
    )
    func besideForms(form: String, afterPassword: Bool) throws {
        let recognition = FormRecognition(
            instructions: SignInInstructions(username: "alice", password: Credential("s3cret"))
        )
        let page = HTMLReader.read(Array((form + consent("")).utf8))
        let filling = try #require(recognition.filling(for: page, afterPassword: afterPassword))
        #expect(filling.parameters.serialized == "go=1")
    }

    @Test("an accessible name decides for a button without words")
    func accessibleNames() throws {
        let html = """
            <form method=post><button aria-label=Reject name=go value=0>✗</button>
            <button aria-label=Authorize name=go value=1>✓</button></form>
            """
        #expect(try #require(fill(html)).parameters.serialized == "go=1")
    }

    @Test func `boxes of other forms stay as they are, but for those without which they are not sent`() throws {
        let html = """
            <form method=post><input name=username><input type=password name=p><input type=checkbox name=scope value=openid>
            <input type=checkbox name=remember><input type=checkbox name=terms required><button>Sign in</button></form>
            """
        let filling = try #require(fill(html, scopes: ["openid"]))
        #expect(filling.parameters.serialized == "username=alice&p=s3cret&terms=on")
    }

    @Test(
        arguments: [
            (["openid", "profile"], "scope=openid&scope=profile&other=on&go=1"),
            (["email"], "scope=email&other=on&go=1"),
            (["openid", "made-by-script"], "scope=openid&other=on&go=1&scope=made-by-script"),
            ([], "other=on&go=1"),
        ] as [([String], String)]
    )
    func `a step ticks several boxes of one name`(values: [String], sent: String) throws {
        let boxes = """
            <input type=checkbox name=scope value=openid><input type=checkbox name=scope value=email checked>
            <input type=checkbox name=scope value=profile><input type=checkbox name=other checked>
            """
        let step = FormStep(
            formHas: ["scope"],
            fill: [.init(field: "scope", templates: values)],
            press: [.init(name: "go", value: "1")]
        )
        let filling = try #require(fill(consent(boxes), steps: [step]))
        #expect(filling.parameters.serialized == sent)
    }

    /// How the scopes of an authorization request reach the session.
    @Test(
        arguments: [
            ("GET", "/authorize?scope=openid+profile", nil, "scope=openid&scope=profile"),
            ("GET", "/authorize?scope=openid%20email&x=1", nil, "scope=openid&scope=email"),
            ("POST", "/authorize", "client_id=c&scope=email", "scope=email"),
            // Pushed, or in a request object: the scopes are unknown, so all are granted.
            ("GET", "/authorize?request_uri=urn:x", nil, "scope=openid&scope=profile&scope=email"),
        ] as [(String, String, String?, String)]
    )
    func `the scopes are those of the authorization request`(
        method: String,
        path: String,
        body: String?,
        sent: String
    ) async {
        let page = consent(
            ["openid", "profile", "email"].map { "<input type=checkbox name=scope value=\($0)>" }.joined()
        )
        let server = LoopbackServer { request in
            if request.body.hasSuffix("go=1") { return .redirect("https://rp.example/cb?code=c") }
            return request.path == "/consent" ? .page(page) : .redirect("/consent")
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let session = SignInSession(
            client: client,
            instructions: SignInInstructions(username: "alice", password: Credential("s3cret")),
            redirectURI: "https://rp.example/cb"
        )
        let request = HTTPRequest(method: method, url: server.url + path, body: body.map { Array($0.utf8) })
        let (outcome, _) = await session.open(request)
        #expect(outcome == .arrived(at: "https://rp.example/cb?code=c", formPost: nil))
        #expect(server.requests.last?.body == sent + "&go=1")
    }
}
