import Conformance
import OAuth1
import Testing

@Suite(.timeLimit(.minutes(5))) struct AuthorizationFieldTests {
    @Test func `the field of RFC 5849 section 3.5.1 is read, realm left out`() {
        let field = """
            OAuth realm="Example",
               oauth_consumer_key="0685bd9184jfhq22",
               oauth_signature="wOJIO9A2W5mFwDgiDvZbTSMK%2FPY%3D",
               oauth_token=""
            """
        #expect(
            AuthorizationField.parameters(of: field) == [
                Field("oauth_consumer_key", "0685bd9184jfhq22"),
                Field("oauth_signature", "wOJIO9A2W5mFwDgiDvZbTSMK/PY="), Field("oauth_token", ""),
            ]
        )
    }

    @Test func `serialised text is read again`() {
        let parameters = [Field("oauth_callback", "https://a.example/b?c=d&e=ü, \"f\""), Field("oauth_version", "1.0")]
        #expect(AuthorizationField.parameters(of: AuthorizationField.text(parameters)) == parameters)
    }

    @Test(arguments: ["", "Basic YTpi", "OAuth oauth_token=unquoted", "OAuth oauth_token", "OAuth a=\"%zz\""])
    func `another field is refused`(field: String) {
        #expect(AuthorizationField.parameters(of: field) == nil)
    }

    private static let signer = RequestSigner(
        consumerKey: "key",
        consumerSecret: Secret("secret"),
        token: TokenCredentials(identifier: Secret("token"), secret: Secret("token secret"))
    )

    private func request(_ change: (inout [Field]) -> Void = { _ in }) throws -> SignedRequest {
        var parameters = try #require(
            Self.signer.parameters(
                method: "GET",
                url: "https://api.example/1.1/user.json?include_email=true",
                nonce: "once",
                timestamp: 1_700_000_000
            )
        )
        change(&parameters)
        return try #require(
            SignedRequest(
                method: "GET",
                url: "https://api.example:443/1.1/user.json",
                authorization: AuthorizationField.text(parameters),
                otherParameters: [Field("include_email", "true")]
            )
        )
    }

    @Test func `a server finds right what a client signed, and nothing else`() throws {
        let request = try request()
        #expect(request.fault == nil)
        #expect(request.isSigned(clientSecret: Secret("secret"), tokenSecret: Secret("token secret")))
        #expect(!request.isSigned(clientSecret: Secret("secret"), tokenSecret: nil))
        #expect(!request.isSigned(clientSecret: Secret("other"), tokenSecret: Secret("token secret")))
        var other = request
        other.otherParameters = [Field("include_email", "false")]
        #expect(!other.isSigned(clientSecret: Secret("secret"), tokenSecret: Secret("token secret")))
    }

    @Test(
        arguments: [
            ("oauth_nonce", nil, "oauth_nonce is missing"), ("oauth_signature", nil, "oauth_signature is missing"),
            ("oauth_timestamp", "now", "oauth_timestamp"), ("oauth_timestamp", "-1", "oauth_timestamp"),
            ("oauth_signature_method", "PLAINTEXT", "not supported"), ("oauth_version", "2.0", "oauth_version"),
        ] as [(String, String?, String)]
    )
    func `a server says what is wrong with the parameters`(name: String, value: String?, fault: String) throws {
        let request = try request { parameters in
            parameters.removeAll { $0.name == name }
            if let value { parameters.append(Field(name, value)) }
        }
        #expect(request.fault?.contains(fault) == true, "\(request.fault ?? "no fault")")
    }

    @Test func `a repeated protocol parameter is a fault`() throws {
        let request = try request { $0.append(Field("oauth_nonce", "twice")) }
        #expect(request.fault?.contains("more than once") == true)
    }
}
