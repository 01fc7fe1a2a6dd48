import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import SignIn

/// Forms that would change the test user's account: nothing is typed into them, and they are not sent.
@Suite(.timeLimit(.minutes(5))) struct AccountFormTests {
    /// In the shape of the page that Keycloak shows for the required action UPDATE_PROFILE.
    private static let profile = """
        <input name=email type=email value=u@two.example><input name=firstName value=U><input name=lastName value=One>
        """
    private static let signIn = "<input name=user><input type=password name=p>"
    private static let username = "alice@one.example"

    private static let forms: [(fields: String, objection: FormObjection)] = [
        (profile, .hasOtherValue(field: "email")),
        ("<input name=email value=u@two.example>", .hasOtherValue(field: "email")),
        ("<input name=email value=u@two.example><input type=password name=p>", .hasOtherValue(field: "email")),
        ("<input name=email><input name=firstName>", .hasFurtherField("firstName")),
        (signIn + "<input name=tenant>", .hasFurtherField("tenant")),
        (signIn + "<input name=tenant value=lab>", .hasFurtherField("tenant")),
        (signIn + "<textarea name=about></textarea>", .hasFurtherField("about")),
        ("<input name=username><input name=hint placeholder='Password hint'>", .hasFurtherField("hint")),
    ]

    /// The requests that a provider got, and the end of the sign-in.
    private static func open(
        query: String = "",
        answer: @escaping @Sendable (String, String) -> LoopbackReply
    ) async -> (posts: [String], outcome: SignInOutcome) {
        let posts = Mutex<[String]>([])
        let server = LoopbackServer { request in
            if request.method == "POST" { posts.withLock { $0.append(request.path) } }
            return answer(request.method, request.path)
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let session = SignInSession(
            client: client,
            instructions: SignInInstructions(username: username, password: Credential("s3cret")),
            redirectURI: "https://rp.example/cb"
        )
        let outcome = await session.open(server.url + "/authorize" + query).0
        return (posts.withLock(\.self), outcome)
    }

    private static func page(_ fields: String, action: String = "/next") -> LoopbackReply {
        .page("<title>Page</title><form method=post action=\(action)>\(fields)<button>Submit</button></form>")
    }

    @Test(arguments: forms)
    func `a form with fields or values beyond a sign-in is not submitted`(
        fields: String,
        objection: FormObjection
    ) async {
        let (posts, outcome) = await Self.open { _, _ in Self.page(fields) }
        #expect(posts.isEmpty)
        guard case .stopped(.unsuitableForm(objection, _), let page) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(page?.title == "Page")
    }

    @Test(arguments: [profile, "<input name=email>"])
    func `no form for a user name is filled in after the password was sent`(fields: String) async {
        let (posts, outcome) = await Self.open { method, _ in
            method == "GET" ? Self.page(Self.signIn) : Self.page(fields, action: "/profile")
        }
        #expect(posts == ["/next"])
        guard case .stopped(.unsuitableForm, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test func `a form with data in it is not confirmed as a consent`() async {
        let (posts, outcome) = await Self.open { _, _ in
            .page("<form method=post><input name=nickname value=Al><button>Continue</button></form>")
        }
        #expect(posts.isEmpty, "\(outcome)")
    }

    @Test(
        arguments: [
            // The user name, in whatever case the provider keeps it, and the login_hint of the request.
            "<input name=email value=' Alice@One.example '><input type=password name=p>",
            "<input name=email value=nobody@example.com><input type=password name=p>",
            "<input name=email value=nobody@example.com>",
            // Neither hidden fields nor read-only fields are filled.
            signIn + "<input type=hidden name=tenant value=lab><input name=shown value=lab readonly>",
            "<input name=who value=Alice readonly><input type=password name=p>",
            signIn + "<input name=otp autocomplete=one-time-code>", signIn + "<input type=search name=s>",
            signIn + "<input name=website style='display: none'><input name=fax hidden>",
        ]
    )
    func `a sign-in form is sent all the same`(fields: String) async {
        let (posts, _) = await Self.open(query: "?login_hint=nobody@example.com") { method, _ in
            method == "GET" ? Self.page(fields) : .page("")
        }
        #expect(posts == ["/next"])
    }

    @Test func `a step fills in a form that is no sign-in form by itself`() throws {
        let html = "<form method=post>\(Self.signIn)<input name=tenant><button>Go</button></form>"
        let step = FormStep(
            formHas: ["tenant"],
            fill: [.init(field: "user", template: "{username}"), .init(field: "tenant", template: "lab")]
        )
        let instructions = SignInInstructions(
            username: Self.username,
            password: Credential("s3cret"),
            steps: [.form(step)]
        )
        let page = HTMLReader.read(Array(html.utf8))
        let filling = try #require(FormRecognition(instructions: instructions).filling(for: page))
        #expect(filling.cause == .configuredStep && filling.parameters["tenant"] == "lab")
    }
}
