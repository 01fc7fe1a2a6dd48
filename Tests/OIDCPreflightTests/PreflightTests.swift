import OIDCPreflight
import Testing

/// The library checks an application in this process like the command line checks a server.
@Suite(.timeLimit(.minutes(5))) struct PreflightTests {
    static func preflight(_ server: SampleServer, profile: Profile.Name = .firebaseOIDC) -> Preflight {
        Preflight(issuer: server.issuer, profile: profile, http: .inMemory { await answer(server, $0) })
            .client(
                server.clientID,
                secret: Secret(server.clientSecret),
                redirectURI: server.redirectURI,
                scopes: ["email"]
            )
    }

    static func answer(_ server: SampleServer, _ request: Preflight.Request) async -> Preflight.Response {
        let answer = await server.answer(
            method: request.method,
            target: request.path + (request.query.map { "?\($0)" } ?? ""),
            headers: request.headers.map { ($0.name, $0.value) },
            body: request.body
        )
        return Preflight.Response(
            status: answer.status,
            headers: answer.headers.map { Preflight.Header($0.name, $0.value) },
            body: answer.body
        )
    }

    static func report(failing fault: String? = nil, profile: Profile.Name = .firebaseOIDC) async throws -> Report {
        let server = try SampleServer(failing: fault)
        return try await preflight(server, profile: profile)
            .signingIn(as: server.username, password: Secret(server.password)).report()
    }

    @Test func `a sound server opens the gate, and TLS is not reported`() async throws {
        let report = try await Self.report()
        #expect(report.gate == .open, "\(report.text())")
        #expect(report.signInWorks == .yes)
        #expect(report.isSafe == .yes)
        #expect(report.closing.isEmpty && report.causes.isEmpty && report.unjudged.isEmpty)
        #expect(report.passed > 100)
        #expect(report.notes.contains { $0.contains("were not checked") })
        let whole = report.text(isWhole: true)
        #expect(!whole.contains("✓ transport.certificate"))
        #expect(whole.contains("there is no TLS connection"))
        #expect(report.text().split(separator: "\n").last?.contains("Gate open") == true)
    }

    @Test func `a fault is found with all that a test shows of it`() async throws {
        let report = try await Self.report(failing: "token.code.is-single-use")
        #expect(report.gate == .closed)
        #expect(report.isSafe == .no)
        let finding = try #require(report.closing.first { $0.check == "token.code.is-single-use" })
        #expect(report.findings.first?.closesGate == true)
        #expect(finding.consequence == .safety && finding.level == .error)
        #expect(finding.link.hasPrefix("https://"))
        let lines = finding.description.split(separator: "\n")
        #expect(lines[0] == "token.code.is-single-use: \(finding.message)")
        #expect(lines.contains("  fix: \(finding.fix)"))
    }

    @Test func `the output contains no secret`() async throws {
        let server = try SampleServer()
        #expect("\(Secret(server.password))" == "(secret:\(server.password.count)-characters)")
        let report = try await Self.report(failing: "token.code.is-single-use")
        for form in Report.Form.allCases {
            let text = report.rendered(as: form)
            #expect(!text.contains(server.password) && !text.contains(server.clientSecret))
        }
    }

    @Test func `a report without a user says that sign-in was not tried`() async throws {
        let server = try SampleServer()
        let report = try await Self.preflight(server).report()
        #expect(report.signInWorks == .notTried)
        let required = try await Self.preflight(server).requiringSignIn().report()
        #expect(required.gate == .undecided)
    }

    @Test func `a wrong password is reported as the cause, and opens no gate`() async throws {
        let server = try SampleServer()
        let report = try await Self.preflight(server).signingIn(as: server.username, password: "wrong").report()
        #expect(report.gate == .undecided)
        #expect(report.causes.first?.contains("user name or the password") == true)
    }

    @Test(
        arguments: [
            (Preflight(issuer: "idp.example.com"), "must start with https://"),
            (Preflight(issuer: "https://idp.example.com").signingIn(as: "alice", password: "x"), "add .client(…)"),
            (Preflight(issuer: "https://idp.example.com").judging(only: ["discovry"]), "no check matches “discovry”"),
            (
                Preflight(issuer: "https://idp.example.com")
                    .client("c", redirectURI: "https://app.example.com/cb", authentication: .clientSecretPost),
                "requires a secret"
            ),
            (
                Preflight(issuer: "https://idp.example.com", http: .libcurl(trusting: "/nowhere/ca.pem")),
                "cannot read the file of certificate authorities /nowhere/ca.pem"
            ),
            (
                Preflight(issuer: "https://idp.example.com", http: .libcurl(connectingTo: ["idp.example.com"])),
                "HOST:PORT:ADDRESS:PORT"
            ),
        ]
    )
    func `an invalid description is reported before anything is sent`(_ preflight: Preflight, _ words: String) async {
        let mistake = await #expect(throws: Mistake.self) { try await preflight.report() }
        #expect(mistake?.description.contains(words) == true, "\(mistake?.description ?? "")")
    }

    @Test func `every constant is a built-in profile`() {
        let named: [Profile.Name] = [
            .openid, .oauthSecurityBCP, .fapi2Security, .firebaseOIDC, .firebaseGitHub, .firebaseMicrosoft,
            .firebaseYahoo, .firebaseTwitter, .xOAuth2, .googleIdentityPlatform, .supabase, .awsCognito,
            .entraExternalID, .auth0Enterprise, .oauth2Proxy, .vaultSignIn, .spa, .appAuth, .tokenVerifier, .awsIAM,
            .googleWorkloadIdentity, .kubernetes, .vault, .sigstoreFulcio, .sigstoreFulcioEmail,
        ]
        #expect(Set(named).count == named.count && Set(named).isSubset(of: Profile.Name.allCases))
        #expect(Profile.Name(rawValue: "firebase-oidc") == .firebaseOIDC)
        #expect(Profile.Name(rawValue: "firebase") == nil)
    }
}

/// Documents and tokens without requests.
@Suite(.timeLimit(.minutes(5))) struct OfflineTests {
    @Test(arguments: [("web", nil), ("another", "idtoken.aud.holds-client")] as [(String, String?)])
    func `the checks evaluate a token`(_ audience: String, _ check: String?) throws {
        let (token, keys) = try SampleServer.token(audience: audience, at: 1_800_000_000)
        let report = try Preflight.judge(
            idToken: Secret(token),
            issuer: "https://idp.example.com",
            clientID: "web",
            keys: keys,
            nonce: "n",
            at: 1_800_000_010
        )
        #expect(report.gate == (check == nil ? .open : .closed), "\(report.text())")
        #expect(report.closing.first?.check == check)
        #expect(!report.rendered(as: .json).contains(token))
    }

    @Test func `the checks evaluate documents before deployment`() async throws {
        let server = try SampleServer()
        let discovery = await server.document("/.well-known/openid-configuration")
        let sound = try Preflight.judge(discovery: discovery, keys: await server.document("/keys"), at: 1_800_000_000)
        #expect(sound.gate == .open, "\(sound.text())")
        let other = try Preflight.judge(
            discovery: discovery,
            keys: nil,
            issuer: "https://other.example.com",
            at: 1_800_000_000
        )
        #expect(other.closing.contains { $0.check == "discovery.issuer.matches-request" })
        #expect(throws: Mistake.self) { try Preflight.judge(discovery: nil, keys: discovery, at: 0) }
        #expect(throws: Mistake.self) { try Preflight.judge(discovery: nil, keys: nil, at: 0) }
    }
}
