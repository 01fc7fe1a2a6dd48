import Conformance
import OtherPrograms
import Reporting
import Testing

/// A command sends the recorded request.
@Suite(.timeLimit(.minutes(5))) struct CurlTests {
    private static func exchange(
        _ method: String = "GET",
        _ url: String = "https://idp.example.com/",
        headers: [Field] = [],
        body: String? = nil
    ) -> Exchange {
        Exchange(
            id: 0,
            step: "s",
            request: .init(method: method, url: url, headers: headers, body: body),
            startedAt: 0
        )
    }

    @Test(arguments: [
        (
            "&code_challenge_method=plain", "(code_verifier:43-characters)",
            "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        ),
        ("", "(code_verifier:43-characters)", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
        ("&code_challenge_method=S256", "challenge-of-the-run", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ("&code_challenge_method=other", "challenge-of-the-run", "challenge-of-the-run"),
    ])
    func `the sign-in URL has a challenge whose verifier is known`(
        method: String,
        recorded: String,
        shown: String
    ) throws {
        let address = "https://idp.example.com/authorize?response_type=code&code_challenge="
        var first = Self.exchange("GET", address + recorded + method)
        var second = Self.exchange(
            "POST",
            "https://idp.example.com/token",
            body: "code=(code:20-characters)&code_verifier=(code_verifier:43-characters)"
        )
        (first.id, second.id) = (1, 2)
        var report = SampleReport.open.report
        report.recorded = [first, second]
        report.entries[0].verdict = .failed([Finding("It is wrong.", fix: "Correct it.", exchange: 2)])
        let text = try #require(CurlText(report.entries[0].id.rawValue, in: report)?.text())
        #expect(text.contains("# Sign-in URL: \(address)\(shown)\(method)\n"), "\(text)")
    }

    @Test func `a plain GET needs no method`() {
        #expect(
            Curl.command(for: Self.exchange())
                == "curl --include --silent --show-error --url 'https://idp.example.com/'"
        )
        #expect(Curl.command(for: Self.exchange("HEAD")).contains(" --head "))
        #expect(Curl.command(for: Self.exchange("PUT")).contains(" --request 'PUT' "))
        #expect(Curl.command(for: Self.exchange("POST")).contains(" --request 'POST' "))
        #expect(Curl.command(for: Self.exchange("GET", "https://[::1]/")).contains(" --globoff "))
    }

    @Test func `fields that curl computes are omitted, and a file is never read`() {
        let headers = [
            Field("Host", "a"), Field("Content-Length", "3"), Field("@/etc/passwd", "x"), Field("X-Empty", ""),
        ]
        let command = Curl.command(for: Self.exchange("POST", headers: headers, body: "@/etc/passwd"))
        #expect(!command.contains("Host"))
        #expect(!command.contains("Length"))
        #expect(command.contains("--header 'X-Empty;'"))
        let nobody = Curl.command(for: Self.exchange(headers: [Field("User-Agent", "")]))
        #expect(nobody.contains("--header 'User-Agent:'"), "curl then sends no such field")
        #expect(!command.contains("'@/etc/passwd: x'"))
        #expect(command.contains("--data-raw '@/etc/passwd'"))
    }

    @Test func `the command connects to a host as the run did`() {
        var evidence = Evidence(tool: "t", startedAt: 0, target: Target(issuer: "i"), tier: .full, because: "no")
        evidence.route = Route(
            resolve: ["idp.example.com:443:192.0.2.7", "other.example:443:192.0.2.8"],
            connectTo: ["IDP.example.com:443:[2001:db8::1]:8443"],
            hasAuthorities: true
        )
        let reach = { ConnectionSettings(evidence) }
        let command = Curl.command(for: Self.exchange(), reach: reach())
        #expect(command.contains(" --resolve 'idp.example.com:443:192.0.2.7' "))
        #expect(command.contains(" --connect-to 'IDP.example.com:443:[2001:db8::1]:8443' "))
        #expect(!command.contains("other.example"))
        #expect(command.contains(" --cacert \"$OIDC_CA_FILE\" "), "the run did not verify the host's certificate")
        #expect(
            Curl.command(for: Self.exchange(), reach: reach(), authorities: "my ca.pem")
                .contains(" --cacert 'my ca.pem' ")
        )
        #expect(Curl.variables(for: Self.exchange(), reach: reach()).map(\.name) == ["OIDC_CA_FILE"])
        #expect(Curl.variables(for: Self.exchange(), reach: reach(), authorities: "my ca.pem").isEmpty)
        #expect(
            !Curl.command(for: Self.exchange("GET", "http://idp.example.com/"), reach: reach()).contains("--cacert")
        )
        // A host that the system trusts needs no CA file.
        let tls = TLSFacts(version: "TLSv1.3", chain: [], verification: .verified)
        evidence.hosts = [HostObservation(host: "idp.example.com", port: 443, members: ["issuer"], tls: .observed(tls))]
        #expect(!Curl.command(for: Self.exchange(), reach: reach()).contains("--cacert"))
    }

    @Test func `each variable is explained, and one-time values are marked`() {
        let headers = [
            Field("Authorization", "Basic (credentials:80-characters)"),
            Field("Cookie", "a=(cookie); b=(cookie:9-characters)"),
        ]
        let exchange = Self.exchange(
            "POST",
            headers: headers,
            body: "code=(code:32-characters)&username=(form_field:5-characters)&x=(form_field)&password=(password)"
        )
        let command = Curl.command(for: exchange)
        #expect(command.contains("--header \"Cookie: $OIDC_COOKIE\""))
        let variables = Curl.variables(for: exchange)
        #expect(
            variables.map(\.name) == [
                "OIDC_CREDENTIALS", "OIDC_COOKIE", "OIDC_CODE", "OIDC_FIELD_USERNAME", "OIDC_FIELD_X", "OIDC_PASSWORD",
            ]
        )
        for variable in variables { #expect(command.contains("$\(variable.name)\""), "\(variable.name)") }
        #expect(variables.first { $0.name == "OIDC_CODE" }?.isOneTime == true)
    }

    @Test(
        "a value that the run made up is explained as such, and the command can be repeated with it",
        arguments: [
            ("Basic (bogus_credentials:80-characters)", "", "OIDC_BOGUS_CREDENTIALS", "wrong-on-purpose"),
            ("", "code=(bogus_code:32-characters)", "OIDC_BOGUS_CODE", "any text of 32 characters"),
            (
                "", "client_secret=(bogus_client_secret:32-characters)", "OIDC_BOGUS_CLIENT_SECRET",
                "except the client secret"
            ),
            ("", "code_verifier=(bogus_code_verifier:43-characters)", "OIDC_BOGUS_CODE_VERIFIER", "that is not"),
        ]
    )
    func bogus(header: String, body: String, name: String, advice: String) throws {
        let headers = header.isEmpty ? [] : [Field("Authorization", header)]
        let exchange = Self.exchange("POST", headers: headers, body: body)
        let variable = try #require(Curl.variables(for: exchange).first)
        #expect(variable.name == name && variable.advice.contains(advice) && !variable.isOneTime)
        #expect(Curl.command(for: exchange).contains("$\(name)\""))
    }

    @Test func `the advice on credentials names the configured client`() {
        var target = Target(issuer: "i")
        target.client = Client(id: "it's", authentication: .clientSecretBasic, hasSecret: true)
        var evidence = Evidence(tool: "t", startedAt: 0, target: target, tier: .full, because: "no")
        let advice = { (name: String) in
            let header = Field("Authorization", "Basic (\(name):80-characters)")
            let exchange = Self.exchange("POST", headers: [header])
            return Curl.variables(for: exchange, reach: ConnectionSettings(evidence)).first?.advice ?? ""
        }
        #expect(advice("credentials").hasSuffix(#"$(printf %s 'it'\''s:'"$OIDC_CLIENT_SECRET" | base64 | tr -d '\n')"#))
        #expect(
            advice("bogus_credentials").hasSuffix(#"$(printf %s 'it'\''s:wrong-on-purpose' | base64 | tr -d '\n')"#)
        )
        // With several clients, it is unknown which one sent the request.
        evidence.target.otherClient = Client(id: "other", authentication: .clientSecretBasic, hasSecret: true)
        #expect(advice("bogus_credentials").contains("'CLIENT-ID:wrong-on-purpose'"))
    }

    @Test(
        arguments: [
            ("token=(access_token:30-characters)", #"{"active":true}"#, false),
            // A revocation changes what later requests return.
            ("token=(access_token:30-characters)", "", true),
        ]
    )
    func `an introspection is no step before another request, and a revocation is`(
        body: String,
        response: String,
        isStep: Bool
    ) throws {
        let host = "https://idp.example.com"
        var recorded = [
            Self.exchange("GET", host + "/authorize?response_type=code"),
            Self.exchange("POST", host + "/oauth", body: body),
            Self.exchange("POST", host + "/userinfo", body: "access_token=(access_token:30-characters)"),
        ]
        recorded[1].response = Exchange.Response(status: 200, headers: [], body: .text(response))
        for index in recorded.indices { recorded[index].id = index + 1 }
        var report = SampleReport.open.report
        report.recorded = recorded
        report.entries[0].verdict = .failed([Finding("It is wrong.", fix: "Correct it.", exchange: 3)])
        let text = try #require(CurlText(report.entries[0].id.rawValue, in: report)?.text())
        #expect(text.contains("# Step 1 of 2") == isStep, "\(text)")
    }

    @Test func `a request that only uses a token is no step before another one`() throws {
        let token = Field("Authorization", "Bearer (credentials:30-characters)")
        let host = "https://idp.example.com"
        var recorded = [
            Self.exchange("GET", host + "/authorize?response_type=code"),
            Self.exchange("POST", host + "/token", body: "grant_type=authorization_code&code=(code:20-characters)"),
            Self.exchange("GET", host + "/userinfo", headers: [token]),
            Self.exchange("POST", host + "/userinfo", headers: [token], body: ""),
            Self.exchange("POST", host + "/userinfo", body: "access_token=(access_token:30-characters)"),
        ]
        for index in recorded.indices { recorded[index].id = index + 1 }
        var report = SampleReport.open.report
        report.recorded = recorded
        report.entries[0].verdict = .failed([Finding("It is wrong.", fix: "Correct it.", exchange: 5)])
        let text = try #require(CurlText(report.entries[0].id.rawValue, in: report)?.text())
        #expect(text.contains("# Step 1 of 2") && text.contains("# Step 2 of 2"), "\(text)")
    }

    @Test func `an access token and a client's credentials have different variables`() {
        let bearer = Self.exchange("GET", headers: [Field("Authorization", "Bearer (credentials:30-characters)")])
        #expect(Curl.variables(for: bearer).map(\.name) == ["OIDC_ACCESS_TOKEN"])
        #expect(Curl.command(for: bearer).contains("'Authorization: Bearer '\"$OIDC_ACCESS_TOKEN\""))
    }

    /// A shell runs the command; a function instead of curl prints its arguments.
    @Test(arguments: [
        ("it's \"quoted\" $HOME `id` \\ !! *", "it's \"quoted\" $HOME `id` \\ !! *"),
        ("a=‹client_secret: 24 characters›&b", "a=s3&b"),
        ("‹client_secret: 24 characters›‹PATH: 1 characters›", "s3p"),
        ("‹client_secret: x characters› ‹ ›", "‹client_secret: x characters› ‹ ›"),
        ("‹x$(id)`id`: 2 characters›", "weird"),
        ("‹secret, 12 characters›", "plain"),
        ("a=(client_secret:24-characters)&b", "a=s3&b"),
        ("(client_secret:24-characters)(PATH:1-characters)", "s3p"),
        ("(client_secret:x-characters) ( )", "(client_secret:x-characters) ( )"),
        ("(x$`id`:2-characters)", "other"),
        ("line\nbreak\u{1B}", "line%0Abreak%1B"),
        ("''", "''"),
    ])
    func `a shell reads back what was sent`(_ sent: String, _ read: String) async throws {
        let command = Curl.command(for: Self.exchange("POST", headers: [Field("X", sent)], body: sent))
        let script = """
            curl() { printf '%s\\n' "$@"; }
            OIDC_CLIENT_SECRET=s3 OIDC_PATH=p OIDC_X__ID__ID_=weird OIDC_SECRET=plain OIDC_X__ID_=other
            \(command)
            """
        let answer = try await OtherProgram.run("sh", ["-c", script])
        let expected = [
            "--include", "--silent", "--show-error", "--header", "X: " + read, "--data-raw", read, "--url",
            "https://idp.example.com/",
        ]
        #expect(answer.text.split(separator: "\n").map(String.init) == expected, "\(answer.errors)")
    }
}
