import LoopbackServer
import Testing
import Transport

@testable import SignIn

/// `{env:NAME}` in steps: a secret as the password is.
@Suite(.timeLimit(.minutes(5))) struct StepVariableTests {
    private static let redirectURI = "https://rp.example/cb"

    private func session(_ steps: [SignInStep], hosts: [String] = []) -> SignInSession {
        var instructions = SignInInstructions(
            username: "alice",
            password: Credential("s3cret"),
            steps: steps,
            hosts: hosts
        )
        instructions.variables = ["PIN": Credential("p1n-of-alice")]
        return SignInSession(
            client: HTTPClient(
                configuration: TransportConfiguration(addressPolicy: AddressPolicy(allowedHosts: ["127.0.0.1"]))
            ),
            instructions: instructions,
            redirectURI: Self.redirectURI
        )
    }

    private static let form = FormStep(
        formHas: ["pin"],
        fill: [.init(field: "pin", template: "{env:PIN}"), .init(field: "note", template: "of {env:PIN}.")]
    )

    @Test func `a variable is written into a form, behind the password too, and recorded nowhere`() async throws {
        let server = LoopbackServer { request in
            switch (request.method, request.path) {
            case ("GET", _):
                return .page(
                    "<form method=post action=/in><input name=u type=email><input name=p type=password></form>"
                )
            case (_, "/in"): return .page("<form method=post action=/pin><input name=pin><input name=note></form>")
            default: return .redirect(Self.redirectURI + "?code=c1&state=s")
            }
        }
        let (outcome, visits) = await session([.form(Self.form)]).open(server.url + "/auth?state=s")
        #expect(outcome == .arrived(at: Self.redirectURI + "?code=c1&state=s", formPost: nil))
        let sent = try #require(server.requests.last { $0.method == "POST" })
        #expect(sent.body == "pin=p1n-of-alice&note=of+p1n-of-alice.")
        let recorded = try #require(visits.last { $0.exchange.request.method == "POST" })
        let body = String(decoding: recorded.exchange.request.body ?? [], as: UTF8.self)
        #expect(body == "pin=[redacted]&note=[redacted]", "\(body)")
    }

    @Test func `a variable is not sent to a host outside the flow`() async {
        let server = LoopbackServer { _ in
            .page("<form method=post action='https://elsewhere.example/pin'><input name=pin><input name=note></form>")
        }
        let (outcome, _) = await session([.form(Self.form)]).open(server.url + "/auth?state=s")
        guard case .stopped(.passwordToUnknownHost("elsewhere.example"), _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }

    @Test(arguments: [
        ("{env:PIN}", ["PIN"]), ("a{env:PIN}b{env:T_2}", ["PIN", "T_2"]), ("{env:}", []), ("{env:A-B}", []),
        ("{env:A", []),
        ("${PIN}", []), ("{username}", []),
    ])
    func `names are found in a text`(text: String, names: [String]) {
        #expect(StepVariable.names(in: text) == names)
    }
}
