import LoopbackServer
import Synchronization
import Testing
import Transport

@testable import SignIn

/// Pages that require something only a user can provide: one attempt, and one sentence that names it.
@Suite(.timeLimit(.minutes(5))) struct PageDemandTests {
    private static let redirectURI = "https://rp.example/cb"

    private func demand(_ html: String) -> PageDemand? { PageDemand(of: HTMLReader.read(Array(html.utf8))) }

    @Test(
        arguments: [
            ("<form><input name=x autocomplete=one-time-code></form>", .oneTimeCode),
            ("<form><input name=otp></form>", .oneTimeCode),
            ("<form><input type=password name=totp></form>", .oneTimeCode),
            ("<form><label for=a>Enter the verification code</label><input id=a name=code></form>", .oneTimeCode),
            ("<form><input name=code2fa></form>", .oneTimeCode),
            ("<form><input name=c placeholder=Sicherheitscode></form>", .oneTimeCode),
            ("<div class='g-recaptcha' data-sitekey=k></div>", .captcha), ("<div class='x h-captcha'></div>", .captcha),
            ("<div class=cf-turnstile></div>", .captcha), ("<iframe src='https://x/recaptcha/a'></iframe>", .captcha),
            ("<title>Just a moment</title><script src='/cdn-cgi/challenge-platform/x.js'></script>", .botWall),
            ("<p>Checking your browser before you proceed", .botWall), ("<h1>Pardon Our Interruption", .botWall),
            ("<title>Access Denied</title><p>You don't have permission. Reference #18.2f", .botWall),
            ("<p>Error 403: disallowed_useragent", .blockedAgent),
            ("<p>This browser or app may not be secure. Try another.", .blockedAgent),
            ("<p>Dieser Browser wird nicht unterstützt", .blockedAgent),
            ("<p>We sent you a text message<form><input name=code autocomplete=one-time-code></form>", .sentCode),
            ("<form><input name=sms_otp></form>", .sentCode),
            ("<form><img src=c.png><input name=captcha_1></form>", .captcha),
            ("<p>Please check your e-mail for a link.", .emailMessage),
            ("<p>An email with instructions to verify your email address has been sent to you.", .emailMessage),
            ("<p>Bitte bestätigen Sie Ihre E-Mail-Adresse.", .emailMessage), ("<p>メールを確認してください", .emailMessage),
            ("<title>Terms and Conditions</title><form><button>Accept</button></form>", .termsOfUse),
            ("<form><label><input type=checkbox name=a> I accept the Terms of Service</label></form>", .termsOfUse),
            ("<form><input type=checkbox name=acceptTermsOfUse></form>", .termsOfUse),
            ("<title>Nutzungsbedingungen</title>", .termsOfUse),
            ("<h1>Use your passkey</h1><button>Continue</button><a href=/help>Other ways</a>", .passkey),
            ("<p>Insert your security key<script src=/webauthn.js></script>", .passkey),
            ("<a href=/g>Sign in with Google</a><a href=/m>Continue with Microsoft</a>", .otherProvider),
            ("<form action=/saml><button>Anmelden mit SSO</button></form>", .otherProvider),
            // A page with a possible password form is not reported in this way.
            ("<a href=/g>Sign in with Google</a><form><input name=user></form>", nil),
            ("<p>Use your passkey or your password<div id=app></div>", nil),
            ("<p>You may sign in with your account.", nil),
            // A footer, a script that any page may have, and an ordinary sign-in demand nothing.
            ("<p>Welcome <a href=/terms>Terms of Service</a>", nil), ("<script src='/recaptcha.js'></script>", nil),
            ("<form><input name=username><input type=password name=password></form>", nil),
            ("<form><input type=password name=password placeholder='Password or one-time code'></form>", nil),
            ("<p>Your account is locked.", nil),
        ] as [(String, PageDemand?)]
    )
    func `the demand of a page is recognised`(html: String, expected: PageDemand?) {
        #expect(demand(html) == expected)
    }

    /// The response to the first form, and its report.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var first = Pages.djangoLogin
        var then: String
        var status = 200
        var reported: String
        /// How often eight browsers at once send the form.
        var posts = 1
    }

    private static let cases = [
        Case(
            testDescription: "second factor",
            then: "<form method=post><input name=otp><button>Sign in</button></form>",
            reported: "the page requires a one-time code"
        ),
        Case(
            testDescription: "CAPTCHA in the sign-in form",
            first: Pages.djangoLogin.replacing("<p><label", with: "<div class=g-recaptcha></div><p><label"),
            then: Pages.djangoLogin.replacing(
                "<p><label",
                with: "<p role=alert>Try again</p><div class=g-recaptcha></div><p><label"
            ),
            reported:
                "the provider returned the form again, and the page requires a CAPTCHA, which cannot be automated: disable the CAPTCHA "
                + "for the test user, or sign in by hand with --driver manual; message of the page: Try again"
        ),
        Case(
            testDescription: "CAPTCHA instead of the page, with an error status",
            then: "<div class=h-captcha></div>",
            status: 403,
            reported: "the page requires a CAPTCHA"
        ),
        Case(
            testDescription: "a bot check instead of the page, with an error status",
            then: "<script src='/cdn-cgi/challenge-platform/x.js'></script>",
            status: 403,
            reported: "the page requires a bot check, which blocks automated clients"
        ),
        Case(
            testDescription: "a link by e-mail, after the name alone",
            first: Pages.canailleLogin,
            then: "<p>Check your inbox",
            reported: "the page requires a confirmation by e-mail"
        ),
        Case(
            testDescription: "new terms of use",
            then: "<form method=post><input type=checkbox name=terms required><button>Agree</button></form>",
            reported: "the provider returned the form again, and the page requires acceptance of its terms of use",
            posts: 2
        ),
        Case(
            testDescription: "the form for the name appears again",
            first: Pages.canailleLogin,
            then: Pages.canailleLogin,
            reported: "the provider returned the same form after it was submitted"
        ),
        Case(
            testDescription: "a wrong password, with a box for terms",
            first: Pages.djangoLogin.replacing("<p><label", with: "<input type=checkbox name=terms required><p><label"),
            then: Pages.djangoLogin.replacing("<p><label", with: "<input type=checkbox name=terms required><p><label"),
            reported: "the provider rejected the user name or the password"
        ),
    ]

    @Test(arguments: cases) func `it is tried once, and reported in one sentence`(sample: Case) async {
        let posts = Mutex(0)
        let server = LoopbackServer { request in
            guard request.method == "POST" else { return .page(sample.first) }
            posts.withLock { $0 += 1 }
            return .page(sample.then, status: sample.status)
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        let url = server.url + "/authorize"
        let reasons = await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let session = SignInSession(
                        client: client,
                        instructions: instructions,
                        redirectURI: Self.redirectURI
                    )
                    guard case .stopped(let reason, _) = await session.open(url).0 else { return "no stop" }
                    return reason.description
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(posts.withLock(\.self) == sample.posts)
        #expect(reasons.count { $0.hasPrefix(sample.reported) } == 1, "\(reasons)")
        #expect(
            reasons.count { $0.hasPrefix("the password was not sent again: " + sample.reported) } == 7,
            "\(reasons)"
        )
    }

    /// A page without a form, and whether the way to it proves that the provider works without JavaScript.
    @Test(arguments: [
        // Before the first successful sign-in, the report says what the page seems to need.
        ("/blank", false, "the page needs JavaScript"),
        ("/refused", false, "the page needs JavaScript"),
        // After that its text is the answer, if it has any.
        ("/refused", true, "the page has no form to continue with; its text: Sorry: Unknown client"),
        ("/blank", true, "the page needs JavaScript"),
        ("/says", true, "the page has no form to continue with; its text: Sorry: No access"),
        ("/says", false, "the page needs JavaScript"),
    ])
    func `a page without a form is reported by its words where forms work`(
        path: String,
        isProven: Bool,
        reported: String
    ) async {
        let server = LoopbackServer { request in
            if request.method == "POST" { return .redirect(Self.redirectURI + "?code=c") }
            switch request.path {
            case "/blank": return .page(Pages.scriptOnly)
            case "/refused": return .page("<title>Sorry</title><script src=a.js></script><p>Unknown client")
            case "/says":
                return .page("<title>Sorry</title><noscript>Enable JavaScript</noscript><script></script><p>No access")
            default: return .page(Pages.djangoLogin)
            }
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        func session() -> SignInSession {
            SignInSession(client: client, instructions: instructions, redirectURI: Self.redirectURI)
        }
        // Another browser of the same user is proof as well.
        if isProven { _ = await session().open(server.url + "/authorize") }
        guard case .stopped(let reason, _) = await session().open(server.url + path).0 else {
            Issue.record("nothing stopped the way")
            return
        }
        #expect(reason.description.hasPrefix(reported), "\(reason)")
    }

    @Test(arguments: [
        ("<title>Error</title><p>Incident 4711", "the page has no form to continue with; its text: Error: Inc", true),
        ("<title>Error</title><p>Incident 4711 <a href=/again>Try again</a>", "no sign-in, consent or", false),
        ("<title>Welcome</title><p>Hello", "no sign-in, consent or", false),
    ])
    func `an error page without a form and a link is for the operator`(
        page: String,
        reported: String,
        isForOperator: Bool
    ) async {
        guard let reason = await Self.stop(of: LoopbackServer { _ in .page(page) }) else { return }
        #expect(reason.description.hasPrefix(reported), "\(reason)")
        #expect(reason.nextStep?.contains("operator") == isForOperator, "\(reason.nextStep ?? "")")
    }

    /// The first sign-in passes a form and ends at a page of scripts: the form is proof, unless the page requires scripts.
    @Test(arguments: [
        ("<script src=a.js></script><p>No access", "the page has no form to continue with; its text: No access"),
        ("<noscript>Needs JavaScript</noscript><p>Consent", "the page needs JavaScript"),
    ])
    func `a sign-in on the way is proof`(page: String, reported: String) async {
        let server = LoopbackServer { request in .page(request.method == "POST" ? page : Pages.djangoLogin) }
        guard let reason = await Self.stop(of: server) else { return }
        #expect(reason.description.hasPrefix(reported), "\(reason)")
    }

    /// Why a sign-in with a new browser stops; `nil`, with an issue, if it does not.
    private static func stop(of server: LoopbackServer) async -> StopReason? {
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        let session = SignInSession(client: client, instructions: instructions, redirectURI: redirectURI)
        guard case .stopped(let reason, _) = await session.open(server.url + "/authorize").0 else {
            Issue.record("nothing stopped the way")
            return nil
        }
        return reason
    }
}
