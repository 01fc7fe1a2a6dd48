import OIDCPreflight
import Testing

/// The library runs a configuration like the command line.
@Suite(.timeLimit(.minutes(5))) struct ConfigurationTests {
    private static func text(_ server: SampleServer, _ more: String = "") -> String {
        """
        issuer: \(server.issuer)
        profile: firebase-oidc
        client:
          id: \(server.clientID)
          secret: { env: SECRET }
        redirect_uri: \(server.redirectURI)
        flows: [code]
        scopes: [openid, email]
        sign_in:
          username: \(server.username)
          password: { env: PASSWORD }
        \(more)
        """
    }

    private static func preflight(
        _ server: SampleServer,
        _ text: String,
        target: String? = nil,
        profile: Profile.Name? = nil,
        variables: [String: String]? = nil
    ) -> Preflight {
        Preflight(
            configuration: .text(text),
            target: target,
            profile: profile,
            variables: .values(variables ?? ["SECRET": server.clientSecret, "PASSWORD": server.password]),
            http: .inMemory { await PreflightTests.answer(server, $0) }
        )
    }

    @Test func `values for client, user and platform configure the run`() async throws {
        let server = try SampleServer()
        let report = try await Self.preflight(server, Self.text(server)).report()
        #expect(report.gate == .open, "\(report.text())")
        #expect(report.signInWorks == .yes)
        #expect(report.rendered(as: .json).contains("\"name\": \"firebase-oidc\""))
        // The same as configured in the program.
        let expected = try await PreflightTests.report()
        #expect(report.passed == expected.passed)
    }

    @Test func `a fault closes the gate, and a waiver of the file opens it`() async throws {
        let server = try SampleServer(failing: "token.code.is-single-use")
        let closed = try await Self.preflight(server, Self.text(server)).report()
        #expect(closed.closing.map(\.check) == ["token.code.is-single-use"])
        let waiver = "waivers: [{ check: token.code.is-single-use, because: known }]"
        let waived = try await Self.preflight(server, Self.text(server, waiver)).report()
        #expect(waived.closing.isEmpty)
        #expect(waived.gate == .open, "\(waived.text())")
    }

    @Test func `values of the program override those of the file`() async throws {
        let server = try SampleServer()
        let wrong = Self.text(server).replacing("id: \(server.clientID)", with: "id: nobody")
        let report = try await Self.preflight(server, wrong, profile: .openid)
            .client(server.clientID, secret: Secret(server.clientSecret), redirectURI: server.redirectURI).report()
        #expect(report.signInWorks == .yes, "\(report.text())")
        #expect(report.rendered(as: .json).contains("\"name\": \"openid\""))
    }

    @Test func `one of several targets is named`() async throws {
        let server = try SampleServer()
        let targets = """
            issuer: https://elsewhere.example
            targets:
              here: { issuer: \(server.issuer) }
              there: {}
            """
        let report = try await Self.preflight(server, targets, target: "here").judging(only: ["discovery"]).report()
        #expect(report.gate == .open, "\(report.text())")
        let mistake = await #expect(throws: Mistake.self) { try await Self.preflight(server, targets).report() }
        #expect(mistake?.problems == ["target:: preflight.yaml has 2 targets: select one of here, there"])
    }

    @Test(arguments: [
        ("issuer: https://idp.example.com\nclent: {}", "preflight.yaml:2", "client"),
        ("issuer: https://idp.example.com\nprofile: openid,kubernetes", "profile:", "openid, kubernetes"),
        ("issuer: idp.example.com", "preflight.yaml:1", "idp.example.com"),
    ])
    func `a mistake is reported with its place, and nothing is sent`(
        text: String,
        place: String,
        word: String
    ) async throws {
        let mistake = await #expect(throws: Mistake.self) {
            try await Preflight(
                configuration: .text(text),
                variables: .values([:]),
                http: .inMemory { _ in
                    Issue.record("something was sent")
                    return Preflight.Response(status: 500)
                }
            )
            .report()
        }
        let words = try #require(mistake).description
        #expect(words.contains(place) && words.contains(word), "\(words)")
    }

    @Test func `a variable that is not set and a file that is not there are mistakes`() async throws {
        let server = try SampleServer()
        let unset = await #expect(throws: Mistake.self) {
            try await Self.preflight(server, Self.text(server), variables: ["SECRET": "s"]).report()
        }
        #expect(unset?.description.contains("PASSWORD") == true, "\(String(describing: unset))")
        let missing = await #expect(throws: Mistake.self) {
            try await Preflight(configuration: .file("no/such.yaml"), variables: .values([:])).report()
        }
        #expect(missing?.description.contains("no/such.yaml") == true, "\(String(describing: missing))")
        let byHand = Self.text(server).replacing("sign_in:", with: "sign_in:\n  driver: manual")
        let asked = await #expect(throws: Mistake.self) { try await Self.preflight(server, byHand).report() }
        #expect(asked?.description.contains("manual sign-ins") == true, "\(String(describing: asked))")
    }
}
