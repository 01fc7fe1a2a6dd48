import LoopbackServer
import Testing
import Transport

@testable import SignIn

/// Which visits are a sign-in: those that wrote the user's name or the password, by whatever means.
@Suite(.timeLimit(.minutes(5))) struct CredentialVisitTests {
    private static let redirectURI = "https://rp.example/cb"

    /// A page, the steps for it, and whether sending it is a sign-in.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var page: String
        var steps: [SignInStep] = []
        var wroteCredentials: [Bool]
    }

    private static let boxes = """
        <form method=post><input type=checkbox name=scope value=profile><button name=answer value=yes>Go</button></form>
        """

    private static func step(_ field: String, _ template: String) -> SignInStep {
        .form(FormStep(formHas: [.name(field)], fill: [.init(field: .name(field), template: template)]))
    }

    private static func request(_ request: RequestStep.Request) -> SignInStep {
        .requests(RequestStep(page: .init(path: "/authorize"), requests: [request], next: .follow))
    }

    private static func cases() throws -> [Case] {
        [
            Case(testDescription: "a sign-in form", page: Pages.djangoLogin, wroteCredentials: [false, true]),
            Case(testDescription: "a form for the name", page: Pages.canailleLogin, wroteCredentials: [false, true]),
            Case(testDescription: "a consent form", page: Pages.keycloakConsent, wroteCredentials: [false, false]),
            Case(
                testDescription: "a consent form whose boxes a step ticks",
                page: boxes,
                steps: [step("scope", "profile")],
                wroteCredentials: [false, false]
            ),
            Case(
                testDescription: "a step that writes the name",
                page: Pages.canailleLogin,
                steps: [step("login", "{username}@corp.example")],
                wroteCredentials: [false, true]
            ),
            Case(
                testDescription: "a step that writes the password",
                page: Pages.canaillePassword,
                steps: [step("password", "{password}")],
                wroteCredentials: [false, true]
            ),
            Case(
                testDescription: "a request with the password",
                page: Pages.scriptOnly,
                steps: [
                    request(
                        .init(
                            method: "POST",
                            url: try Template("/next"),
                            body: .form([.init(name: "p", template: try Template("{password}"))])
                        )
                    )
                ],
                wroteCredentials: [false, true]
            ),
            Case(
                testDescription: "a request with the name in its address",
                page: Pages.scriptOnly,
                steps: [request(.init(method: "POST", url: try Template("/users/{username}")))],
                wroteCredentials: [false, true]
            ),
            Case(
                testDescription: "a request with the name in a header",
                page: Pages.scriptOnly,
                steps: [
                    request(
                        .init(
                            method: "POST",
                            url: try Template("/next"),
                            headers: [.init(name: "X-User", template: try Template("{username}"))]
                        )
                    )
                ],
                wroteCredentials: [false, true]
            ),
            Case(
                testDescription: "a request that consents",
                page: Pages.scriptOnly,
                steps: [
                    request(
                        .init(
                            method: "POST",
                            url: try Template("/next"),
                            body: .form([.init(name: "scope", template: try Template("openid"))])
                        )
                    )
                ],
                wroteCredentials: [false, false]
            ),
        ]
    }

    @Test(arguments: try Self.cases())
    func `a visit records whether it wrote credentials`(sample: Case) async {
        let server = LoopbackServer { request in
            request.method == "POST" ? .redirect(Self.redirectURI + "?code=c") : .page(sample.page)
        }
        let client = HTTPClient(
            configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
        )
        let instructions = SignInInstructions(
            username: "alice",
            password: Credential("s3cret"),
            steps: sample.steps
        )
        let session = SignInSession(client: client, instructions: instructions, redirectURI: Self.redirectURI)
        let (_, visits) = await session.open(server.url + "/authorize")
        #expect(visits.map(\.wroteCredentials) == sample.wroteCredentials)
    }
}
