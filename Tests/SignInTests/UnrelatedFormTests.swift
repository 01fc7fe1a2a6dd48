import Testing
import Transport

@testable import SignIn

/// Forms beside a sign-in or a consent that change or end the account, send a message, or buy something.
@Suite(.timeLimit(.minutes(5))) struct UnrelatedFormTests {
    private static let signIn =
        "<form method=post action=/in><input name=user><input type=password name=p><button>Sign in</button></form>"
    private static let consent =
        "<form method=post action=/ok><button name=d value=no>Deny</button><button name=d value=yes>Allow</button></form>"

    private static let forms: [(html: String, sentTo: String?)] = [
        (
            "<form method=post action=/end><input name=u><input type=password name=p><button>Delete my account</button></form>"
                + signIn, "/in"
        ),
        (
            "<form method=post action=/new><input name=e><input type=password name=p><button>Create account</button></form>"
                + signIn, "/in"
        ),
        (
            "<form method=post action=/x/register><input name=e><input type=password name=p><button>Go</button></form>"
                + signIn, "/in"
        ),
        (
            "<form method=post action=/pw><input type=password name=p autocomplete=new-password><button>Save</button></form>"
                + consent, "/ok"
        ),
        ("<form method=post action=/end><input type=password name=p><button>Confirm</button></form>" + consent, "/ok"),
        (
            "<form method=post action=/r><input type=email name=email><button>Send reset link</button></form>" + signIn,
            "/in"
        ),
        ("<form method=post action=/n><input type=email name=email><button>OK</button></form>" + consent, "/ok"),
        ("<form method=post action=/g><button>Continue with Google</button></form>" + consent, "/ok"),
        ("<form method=post action=/g><button>Continue with Google</button></form>", nil),
        ("<form method=post action=/c><button>Accept all cookies</button></form>" + consent, "/ok"),
        ("<form method=post action=/d><button>Confirm account deletion</button></form>", nil),
        // Offers to set up a second factor or a passkey.
        (
            "<form method=post action=/m><input type=radio name=p value=0 checked><button name=skip>Skip</button><button>Next</button></form>",
            nil
        ),
        ("<form method=post action=/m><button>Next</button><button name=go>Skip for now (14 days)</form>", nil),
        ("<form method=post action=/k><button>Continue</button></form><a href=/skip>Not now</a>", nil),
        ("<form method=post action=/k><button>Weiter</button><button name=s>Jetzt nicht</button></form>", nil),
        ("<form method=post action=/k><button>Next</button></form><a href=/l>Skip for now (14 days are left)</a>", nil),
        (
            "<form method=post action=/m><button>Next</button></form><form method=post action=/h>"
                + "<input type=hidden name=t value=1></form><a href=/skip>Not now</a>", nil
        ),
        ("<form method=post action=/ok><button name=a>Zulassen</button><button name=b>Später</button></form>", "/ok"),
        ("<form method=post action=/ok><button name=a>許可</button><button name=b>後で</button></form>", "/ok"),
        ("<form method=post action=/m><button>Continue</button></form><a href=/x?y#main>Skip to content</a>", "/m"),
        ("<form method=post action=/m><button>Continue</button></form><a href=#main>Skip to content</a>", "/m"),
        ("<form method=post action=/ok><button name=a>Allow</button><button name=b>Not now</button></form>", "/ok"),
        ("<form method=post action=/s><button>End the oldest session and continue</button></form>", nil),
        (
            "<form method=post action=/p><select name=country><option>Aland</select><button>Continue</button></form>",
            nil
        ),
        (
            "<form method=post action=/a><button>Yes</button></form><form method=post action=/b><button>OK</button></form>",
            nil
        ),
        (
            "<div style='display: none'><form method=post action=/x><button>Confirm</button></form></div>" + consent,
            "/ok"
        ),
        ("<dialog><form method=post action=/x><button>Confirm</button></form></dialog>" + consent, "/ok"),
        ("<form method=post action=/t><input name=otp autocomplete=one-time-code><button>Disable</button></form>", nil),
        (
            "<form action=/in><input name=user><input type=password name=p><button>Sign in</button></form><script>x()</script>",
            nil
        ),
        (
            "<form method=post action=/in><input type=hidden name=t><input name=user><div hidden><input type=password name=p></div><button>Next</button></form>",
            "/in"
        ),
    ]

    @Test func `a password page with a banner beside it gets the password`() {
        let password = "<form method=post action=/in><input type=password name=p><button>Next</button></form>"
        let banner = "<form method=post action=/b><button>Accept all</button><button>Reject all</button></form>"
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        let page = HTMLReader.read(Array((banner + password).utf8))
        #expect(FormRecognition(instructions: instructions).filling(for: page)?.form.action == "/in")
    }

    @Test(arguments: forms)
    func `only the form that signs in or consents is sent`(html: String, sentTo: String?) {
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        let page = HTMLReader.read(Array("<title>Page</title>\(html)".utf8))
        let filling = FormRecognition(instructions: instructions).filling(for: page)
        #expect(filling?.form.action == sentTo)
    }

    @Test(arguments: [
        ("<button name=b value=1>Email me a sign-in link</button><button name=b value=2>Log in</button>", "b=2"),
        ("<button name=b value=1>Continue as guest</button><button name=b value=2>Log in</button>", "b=2"),
        ("<button name=b value=1>Sign in with a passkey</button><button name=b value=2>Sign in</button>", "b=2"),
        ("<button name=b value=1>Create account</button><button name=b value=2 aria-label='Sign in'>→</button>", "b=2"),
    ])
    func `the button that signs in with the password is pressed`(buttons: String, pressed: String) {
        let html = "<form method=post><input name=user><input type=password name=p>\(buttons)</form>"
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        let filling = FormRecognition(instructions: instructions).filling(for: HTMLReader.read(Array(html.utf8)))
        #expect(filling?.pressed == pressed)
    }

    @Test(arguments: [
        "<label><input type=checkbox name=accept_offers value=1> Offers of partners</label>",
        "<label><input type=radio name=news value=y> Yes</label><label><input type=radio name=news value=n> No</label>",
    ])
    func `advertising is not accepted`(field: String) {
        let html =
            "<form method=post>\(field)<button name=d value=no>Deny</button><button name=d value=yes>Allow</button></form>"
        let instructions = SignInInstructions(username: "alice", password: Credential("s3cret"))
        let filling = FormRecognition(instructions: instructions).filling(for: HTMLReader.read(Array(html.utf8)))
        #expect(filling?.parameters.serialized == "d=yes")
    }
}
