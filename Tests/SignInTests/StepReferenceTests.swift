import Testing
import Transport

@testable import SignIn

/// How steps reference fields, buttons and pages; no network.
@Suite("References of steps", .timeLimit(.minutes(5)))
struct StepReferenceTests {
    private static let page = """
        <body class="app dark"><div id="main" class="card wide"><section><form method="post" class="login">
        <input id="u" class="field big" data-role="user-name" name="f1"><label for="u">User  name: *</label>
        <input id="p" type="password" name="f2" aria-label="Secret word"></form></section></div>
        <div class="card"><form><input name="q" placeholder="Search"></form></div><p id="ready">Choose an Account</p></body>
        """

    @Test(
        "a selector finds the same elements as in a browser",
        arguments: [
            ("input", ["f1", "f2", "q"]), ("*", ["f1", "f2", "q"]), ("#u", ["f1"]), (".big.field", ["f1"]),
            ("INPUT#p", ["f2"]), ("form.login input", ["f1", "f2"]), (".card input", ["f1", "f2", "q"]),
            (".card > form input", ["q"]), ("div > section > form > input", ["f1", "f2"]), ("div > input", []),
            ("body .card.wide form.login > #p", ["f2"]), ("section section input", []), ("div div input", []),
            ("[aria-label]", ["f2"]), ("[name=q]", ["q"]), ("[name = \"q\" ]", ["q"]), ("[data-role^=user]", ["f1"]),
            ("[data-role$='name']", ["f1"]), ("[data-role*=er-na]", ["f1"]), ("[class~=big]", ["f1"]),
            ("[class=big]", []), ("[class~='']", []), ("[class^='']", []), ("[class*='']", []),
            (".card>form>input", ["q"]),
        ]
    )
    func selectors(text: String, names: [String]) throws {
        let selector = try CSSSelector(text)
        let page = HTMLReader.read(Array(Self.page.utf8), selectors: [selector])
        #expect(page.forms.flatMap(\.controls).filter { $0.met.contains(selector) }.map(\.name) == names)
    }

    @Test(
        "unsupported CSS is reported",
        arguments: [
            ("a:hover", "“:” is not supported there"), ("a, b", "“,” is not supported there"),
            ("a + b", "“+” is not supported there"),
            ("a ~ b", "“~” is not supported there"), ("", "it is empty"), ("a >", "nothing follows"),
            ("> a", "“>” is not supported there"), ("[a", "“[” is not closed"),
            ("[a!=b]", "is not an attribute operator"),
            ("[a=\"b]", "a quotation mark is not closed"), ("#", "a name must follow “#”"), ("a\\:b", "“\\” is not"),
            ("[a|=b]", "is not an attribute operator"), ("[]", "a name must follow “[”"),
            (String(repeating: "a ", count: 17), "more than 16 nested elements"),
            (String(repeating: "a", count: 501), "longer"),
        ]
    )
    func mistakes(text: String, message: String) {
        let mistake = #expect(throws: CSSSelector.Mistake.self) { try CSSSelector(text) }
        #expect(mistake?.reason.contains(message) == true, "\(mistake?.reason ?? "")")
    }

    @Test("a deep page costs no more than its length, whatever the selector")
    func depth() throws {
        // Each look at an element's attribute is a comparison with one of the selector's 16 parts.
        let selector = try CSSSelector(Array(repeating: "div[class]", count: 15).joined(separator: " ") + " > b")
        var walk = SelectorWalk([selector])
        var comparisons = 0
        for _ in 0..<20_000 {
            _ = walk.enter("div") { _ in
                comparisons += 1
                return "open"
            }
        }
        #expect((20_000...(16 * 20_000)).contains(comparisons), "\(comparisons)")
        #expect(walk.enter("b") { _ in nil } == [selector])
    }

    private func fill(
        _ html: String,
        _ step: FormStep,
        at address: String = "https://a.example/login"
    ) throws -> FormFilling {
        let instructions = SignInInstructions(
            username: "alice",
            password: Credential("s3cret word"),
            steps: [.form(step)]
        )
        let recognition = FormRecognition(instructions: instructions)
        let page = HTMLReader.read(Array(html.utf8), selectors: recognition.selectors)
        return try #require(recognition.filling(for: page, at: WebURL(address)))
    }

    @Test(
        "a field is known by its name, id, label or selector",
        arguments: ["f1", "name=f1", "id=u", "label=user NAME", "label=User name:", "css=form.login [data-role]"]
    )
    func fields(reference: String) throws {
        let field = try FieldReference(reading: reference)
        let filling = try fill(
            Self.page,
            FormStep(
                formHas: [field],
                fill: [
                    .init(field: field, template: "{username}"),
                    .init(field: try FieldReference(reading: "label=Secret word"), template: "{password}"),
                ]
            )
        )
        #expect(filling.misfit == nil)
        #expect(filling.parameters.serialized == "f1=alice&f2=s3cret+word")
        #expect(filling.carriesPassword && filling.secretFields == ["f2"])
    }

    static let choices = """
        <form method=post><select name=realm id=r><option value=1>Staff<option value=2>Guests<option value=3 disabled>Closed</select>
        <label><input type=radio name=a value=x1> Alice Adams (alice)</label><label><input type=radio name=a value=x2>Bob</label>
        <button name=who value=u1>Alice &lt;alice&gt;</button><button name=who value=u2>Bob</button><button id=none>Cancel</button></form>
        """

    @Test(
        "a choice is made by its value or its words",
        arguments: [
            ("realm", "2", "realm=2"), ("realm", "guests", "realm=2"), ("css=select", "Guests", "realm=2"),
            ("a", "x2", "a=x2"), ("a", "bob", "a=x2"), ("a", "{username}", "a=x1"), ("who", "u2", "who=u2"),
            ("who", "{username}", "who=u1"), ("id=r", "Guests", "realm=2"),
        ]
    )
    func choose(field: String, choice: String, sent: String) throws {
        let reference = try FieldReference(reading: field)
        let step = FormStep(formHas: ["realm"], choose: [.init(field: reference, template: choice)])
        let filling = try fill(Self.choices, step)
        #expect(filling.misfit == nil)
        #expect(
            filling.parameters.serialized.split(separator: "&").contains(Substring(sent)),
            "\(filling.parameters.serialized)"
        )
        #expect(!filling.writesCredentials)
    }

    @Test("a button is pressed by its words, its id or a selector")
    func press() throws {
        for reference in ["label=cancel", "id=none", "css=button#none"] {
            let filling = try fill(
                Self.choices,
                FormStep(formHas: ["realm"], button: try FieldReference(reading: reference))
            )
            #expect(filling.misfit == nil && filling.button?.identifier == "none", "\(reference)")
        }
        let byWords = try fill(Self.choices, FormStep(formHas: ["realm"], button: .label("bob")))
        #expect(byWords.parameters["who"] == "u2")
    }

    @Test("a step that does not fit the page is reported, and nothing is sent")
    func misfits() throws {
        let cases: [(FormStep, StepMismatch)] = [
            (FormStep(formHas: ["realm"], fill: [.init(field: .label("PIN"), template: "1")]), .field("label=PIN")),
            (FormStep(formHas: ["realm"], button: .label("Send")), .field("label=Send")),
            (
                FormStep(formHas: ["realm"], choose: [.init(field: "realm", template: "Closed")]),
                .choice("Closed", field: "realm")
            ),
            (FormStep(formHas: ["realm"], choose: [.init(field: "zone", template: "1")]), .field("zone")),
            (FormStep(formHas: ["realm"], waitFor: [.text("Ready")]), .condition("text=Ready")),
            (FormStep(formHas: ["realm"], waitFor: [.path("/other*")]), .condition("url=/other*")),
            (
                FormStep(formHas: ["realm"], waitFor: [.selector(try CSSSelector("select.ready"))]),
                .condition("css=select.ready")
            ),
        ]
        for (step, misfit) in cases { #expect(try fill(Self.choices, step).misfit == misfit) }
        let ready = FormStep(
            formHas: ["f1"],
            waitFor: [.text("choose  an account"), .path("/log*"), .selector(try CSSSelector("p#ready"))]
        )
        #expect(try fill(Self.page, ready).misfit == nil)
    }
}
