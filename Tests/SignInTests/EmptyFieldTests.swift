import LoopbackServer
import Testing
import Transport

@testable import SignIn

/// Empty fields are named at the end of a sign-in, with the step that would fill them.
@Suite(.timeLimit(.minutes(5))) struct EmptyFieldTests {
    /// A page that answers everything, and how the way ends there.
    struct Case: Sendable, CustomTestStringConvertible {
        var page: String
        var steps: [FormStep] = []
        var reported: String

        var testDescription: String { page }
    }

    private static let signIn = "<input name=user><input type=password name=p>"
    private static let refused = "the provider rejected the user name or the password"
    private static let cameBack = "the provider returned the form after user name and password were sent"
    private static let orMissing = "; if they are right, something else is missing: "
    private static let credentials = "user: \"{username}\", p: \"{password}\""

    private static let cases = [
        Case(page: signIn, reported: refused),
        Case(page: "<p role=alert>Wrong</p>" + signIn, reported: refused + ": Wrong"),
        // Only the fields that the form requires are reported.
        Case(
            page: "<p role=alert>Realm unknown</p>" + signIn + "<select name=a><option value=''>choose</select>"
                + "<select name='org[id]' required><option value=''>choose<option value=a>A</select>",
            reported: cameBack + ": Realm unknown" + orMissing
                + "the field “org[id]” was left empty: add to sign_in.steps "
                + "- { form_has: [user, p, \"org[id]\"], fill: { \(credentials), \"org[id]\": … } }"
        ),
        Case(
            page: signIn + "<select name=realm required><option value=''>choose<option value=a>A</select>",
            reported: cameBack + orMissing + "the field “realm” was left empty: add to sign_in.steps "
                + "- { form_has: [user, p, realm], fill: { \(credentials), realm: … } }"
        ),
        Case(
            page: signIn + "<input type=radio name=kind value=a required><input type=radio name=kind value=b>",
            reported: cameBack + orMissing + "the field “kind” was left empty: add to sign_in.steps "
                + "- { form_has: [user, p, kind], fill: { \(credentials), kind: \"a\" } }"
        ),
        // Fields with a value, read-only fields and search fields do not count as left empty.
        Case(
            page: signIn
                + "<input name=b disabled><input name=c readonly><input type=search name=d>"
                + "<input type=checkbox name=e><input name=q><input type=hidden name=f><input><select name=g></select>",
            reported: refused
        ),
        Case(
            page: "<input name=login><select name=company required><option value=''>choose</select>",
            reported:
                "the provider returned the same form after it was submitted; the field “company” was left empty: add to "
                + "sign_in.steps - { form_has: [login, company], fill: { login: \"{username}\", company: … } }"
        ),
        // A step that forgot something; what it writes may be a secret.
        Case(
            page: "<input name=pin><input name=tenant><input type=checkbox name=agreed value=1 required>",
            steps: [FormStep(formHas: ["pin"], fill: [.init(field: "pin", template: "4711")])],
            reported:
                "the provider returned the same form after it was submitted; the field “agreed” was left empty: add to "
                + "sign_in.steps - { form_has: [pin, agreed], fill: { pin: …, agreed: \"1\" } }"
        ),
        // A form that is not recognised at all.
        Case(
            page: "<input name=tenant><input name=region>",
            reported:
                "no sign-in, consent or continuation form was recognised on the page; the fields “tenant” and “region” "
                + "were left empty: add to sign_in.steps - { form_has: [tenant, region], fill: { tenant: …, region: … } }"
        ),
        Case(
            page: "<input type=search name=s>",
            reported: "no sign-in, consent or continuation form was recognised on the page"
        ),
    ]

    @Test(arguments: cases) func `an empty field is named`(sample: Case) async {
        let server = LoopbackServer { _ in .page("<form method=post>\(sample.page)<button>Go</button></form>") }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let instructions = SignInInstructions(
            username: "alice",
            password: Credential("s3cret"),
            steps: sample.steps.map { .form($0) }
        )
        let session = SignInSession(client: client, instructions: instructions, redirectURI: "https://rp.example/cb")
        guard case .stopped(let reason, _) = await session.open(server.url + "/authorize").0 else {
            Issue.record("nothing stopped the way")
            return
        }
        #expect(reason.description == sample.reported)
    }
}
