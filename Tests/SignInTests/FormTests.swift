import Testing
import Transport

@testable import SignIn

/// Reading pages, and choosing and filling the form to go on with; no network.
@Suite(.timeLimit(.minutes(5))) struct FormTests {
    private let instructions = SignInInstructions(username: "alice", password: Credential("s3cret word"))

    private func page(_ html: String) -> HTMLPage { HTMLReader.read(Array(html.utf8)) }

    private func fill(_ html: String, steps: [FormStep] = []) -> FormFilling? {
        var instructions = instructions
        instructions.steps = steps.map { .form($0) }
        return FormRecognition(instructions: instructions).filling(for: page(html))
    }

    @Test func `all kinds of controls are read`() throws {
        let page = page(
            """
            <title> A  title </title><base href="/base/"><form id=f action="go?x=1" method=pOsT>
            <input name=a value="1 &amp; 2"><input type=checkbox name=b checked><input type=checkbox name=c value=d>
            <input type=radio name=r value=1><input type=radio name=r value=2 checked>
            <select name=s><option>first<option value=2 selected>second</select>
            <select name=t><option disabled value="">choose<option value=u>U</select>
            <select name=m multiple><option selected>x<option>y<option selected>z</select>
            <textarea name=w>
            text &lt;</textarea><input name=off disabled value=1><input type=file name=up>
            <fieldset disabled><input name=inside value=1></fieldset>
            <label>Wrapped <input name=wrapped></label>
            <input type=reset name=reset><button type=button name=plain>P</button><button name=send value=v>Send <b>it</b></button>
            </form><input form=f name=stray value=later><p>visible <script>hidden()</script>text</p>
            """
        )
        #expect(page.title == "A title")
        #expect(page.baseReference == "/base/")
        let form = try #require(page.forms.first)
        #expect(form.method == "POST")
        #expect(form.action == "go?x=1")
        let pairs = form.controls.flatMap(\.defaultPairs).map { "\($0.name)=\($0.value)" }
        #expect(
            pairs == ["a=1 & 2", "b=on", "r=2", "s=2", "t=u", "m=x", "m=z", "w=text <", "wrapped=", "stray=later"]
        )
        #expect(form.controls.first { $0.name == "wrapped" }?.label == "Wrapped")
        #expect(form.submitButtons.map(\.label) == ["Send it"])
        #expect(page.text.contains("visible text"))
        #expect(!page.text.contains("hidden"))
    }

    @Test func `the name comes first, with hidden fields kept and the box left`() throws {
        let filling = try #require(fill(Pages.canailleLogin))
        #expect(filling.cause == .userName)
        #expect(filling.parameters.serialized == "csrf_token=c%221&login=alice")
        #expect(!filling.carriesPassword)
    }

    @Test func `a password beside a hidden name is filled`() throws {
        let filling = try #require(fill(Pages.canaillePassword))
        #expect(filling.cause == .signIn)
        #expect(filling.parameters.serialized == "csrf_token=c2&username=alice&password=s3cret+word")
        #expect(filling.carriesPassword)
    }

    @Test(arguments: [
        (Pages.canailleConsent, "csrf_token=c3&answer=accept"),
        (Pages.djangoConsent, "csrfmiddlewaretoken=t2&scope=openid+email&allow=Authorize"),
        (Pages.keycloakConsent, "code=k1&accept=Yes"),
    ])
    func `consent is given with the right button`(html: String, body: String) throws {
        let filling = try #require(fill(html))
        #expect(filling.cause == .consent)
        #expect(filling.parameters.serialized == body)
    }

    @Test func `a single form with name and password is filled`() throws {
        let django = try #require(fill(Pages.djangoLogin))
        #expect(
            django.parameters.serialized
                == "csrfmiddlewaretoken=t1&username=alice&password=s3cret+word&next=%2Fo%2Fauthorize%2F%3Fa%3Db%26c%3Dd"
        )
        let keycloak = try #require(fill(Pages.keycloakLogin))
        #expect(
            keycloak.parameters.serialized
                == "username=alice&password=s3cret+word&rememberMe=on&credentialId=&login=Sign+In"
        )
        #expect(keycloak.pressed == "login=Sign In")
    }

    @Test(arguments: [
        Pages.scriptOnly,
        "<form action=/search><input type=search name=q><button>Go</button></form>",
        "<form method=post><input type=hidden name=csrf value=1><button>Log out</button></form>",
        "<form method=post action=/logout><input type=hidden name=csrf value=1></form>",
        "<form method=post><button name=a value=deny>Do not allow</button></form>",
        "<form method=post><input type=password name=new><input type=password name=again><button>Save</button></form>",
        "<form method=post><input name=code autocomplete=one-time-code><button>Continue</button></form>",
        "<p>Something went wrong</p>",
        "",
    ])
    func `a form that neither signs in nor consents is left alone`(html: String) {
        #expect(fill(html) == nil)
    }

    @Test(arguments: [
        ("Accept", true), ("Zulassen", true), ("J'autorise l'accès", true), ("Autorizar", true), ("Zezwól", true),
        ("Consenti", true), ("Sim, continuar", true), ("Toestaan", true), ("btnAllowAccess", true), ("Weiter", true),
        ("Cancel", false), ("Ablehnen", false), ("Do not allow", false), ("Refuser", false), ("Log out", false),
        ("Rechazar", false), ("Odmów", false), ("Annulla", false), ("Não permitir", false), ("Weigeren", false),
        ("Continue without accepting", false), ("Switch user", false),
    ])
    func `buttons are understood in their languages`(text: String, proceeds: Bool) {
        #expect(ButtonWords.meaning(of: text) == (proceeds ? .proceeds : .cancels))
    }

    @Test func `configured steps win over recognition`() throws {
        let step = FormStep(
            formHas: ["login", "csrf_token"],
            fill: [
                .init(field: "login", template: "{username}@corp"), .init(field: "extra", template: "{password}{x}"),
            ],
            press: [.init(name: "go", value: "now")]
        )
        let filling = try #require(fill(Pages.canailleLogin, steps: [step]))
        #expect(filling.cause == .configuredStep)
        #expect(
            filling.parameters.serialized == "csrf_token=c%221&login=alice%40corp&extra=s3cret+word%7Bx%7D&go=now"
        )
        #expect(filling.carriesPassword)
        let press = FormStep(formHas: ["answer"], press: [.init(name: "answer", value: "deny")])
        #expect(fill(Pages.canailleConsent, steps: [press])?.parameters["answer"] == "deny")
    }

    @Test func `a hidden form that a script would send is sent`() throws {
        let html = "<body onload=f()><form method=post action=/next><input type=hidden name=a value=b></form>"
        let filling = try #require(fill(html))
        #expect(filling.cause == .continuation)
        #expect(filling.parameters.serialized == "a=b")
    }

    @Test func `the need for JavaScript is guessed`() {
        #expect(page(Pages.scriptOnly).seemsToNeedScript)
        #expect(page("<div id=app></div><script src=x></script>").seemsToNeedScript)
        #expect(!page(Pages.keycloakLogin).seemsToNeedScript)
        #expect(!page(Pages.djangoConsent).seemsToNeedScript)
    }

    @Test(arguments: [
        ("0; url=/next", 0, "/next"), ("3;URL='https://a/b?c=d'", 3, "https://a/b?c=d"), ("0,url=x", 0, "x"),
    ])
    func `a refresh is read`(text: String, seconds: Double, reference: String) {
        #expect(HTMLPage.Refresh(text) == HTMLPage.Refresh(seconds: seconds, reference: reference))
    }

    @Test(arguments: ["", "30", "x; url=/a", "0; url=", "0; /a"])
    func `a refresh without a target is none`(text: String) {
        #expect(HTMLPage.Refresh(text) == nil)
    }

    @Test func `hostile pages are read in bounded time and without harm`() {
        let deep = String(repeating: "<div>", count: 50_000) + "<form><input name=x>"
        _ = page(deep)
        let wide = page(String(repeating: "<form action=x><input name=y></form>", count: 5000))
        #expect(wide.forms.count == 5000)
        _ = HTMLReader.read([0xFF, 0xFE, 0x00, 0x3C] + Array("<form><input name=\u{0}>".utf8))
        _ = HTMLReader.read(Array("<p>x".utf8), charset: "no-such-charset")
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "<input name=field>", "<form><input name=field>", "<input type=checkbox name=a required>",
            "<input type=radio name=a required>", "<input name=userNameOrPasswordHint placeholder='a b c d e f g h'>",
        ]
    )
    func `a page that contains only controls is evaluated in bounded time`(control: String) {
        for count in [900, 400_000 / control.count] {
            let html = "<form method=post>" + String(repeating: control, count: count) + "<button>Go</button></form>"
            _ = fill(html)?.parameters
            _ = EmptyFields(on: page(html))
        }
    }

    @Test func `a credential shows only its length`() {
        let credential = Credential("s3cret word")
        var dumped = ""
        dump(instructions, to: &dumped)
        for text in ["\(credential)", String(reflecting: credential), dumped, "\(instructions)"] {
            #expect(!text.contains("s3cret"))
        }
        #expect("\(credential)" == "secret of 11 characters")
    }
}
