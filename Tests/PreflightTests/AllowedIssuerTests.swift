import Conformance
import Flows
import Preflight
import Profiles
import Synchronization
import Testing
import Transport

/// A configuration of a stranger, with the issuers and hosts that may receive secrets.
@Suite("Allowed issuers", .timeLimit(.minutes(5)))
struct AllowedIssuerTests {
    private static let client = "client: { id: c, secret: { env: SECRET }, private_key: { file: key.pem } }\n"

    /// - Parameter read: Receives the name of each variable and file that is read.
    private static func read(
        _ text: String,
        allowing: [String],
        issuer: String? = nil,
        read: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> Configuration {
        let environment = Environment(
            variable: { name in
                read(name)
                return name == "HOST" ? "evil.example" : "s3cret"
            },
            readFile: { path in
                read(path)
                return .success(Array("text".utf8))
            }
        )
        return try ConfigurationReader(environment, allowedIssuers: allowing)
            .read(text, file: "p.yaml", issuer: issuer, checks: [])
    }

    @Test(
        "another issuer or host is rejected at its line, before any secret is read",
        arguments: [
            ("issuer: https://evil.example\n", 1, "issuer"),
            ("issuer: https://idp.example.com/\n", 1, "issuer"),
            (
                "issuer: https://idp.example.com\nendpoints:\n  token_endpoint: http://169.254.169.254/x\n", 3,
                "endpoints.token_endpoint"
            ),
            (
                "issuer: https://idp.example.com\nnetwork:\n  allowed_hosts:\n    - 10.0.0.1\n", 4,
                "network.allowed_hosts[0]"
            ),
            (
                "issuer: https://idp.example.com\nnetwork:\n  resolve: [\"idp.example.com:443:10.0.0.1\"]\n", 3,
                "network.resolve"
            ),
            ("issuer: https://idp.example.com\nnetwork:\n  connect_to: []\n", 3, "network.connect_to"),
            (
                "issuer: https://idp.example.com\nsign_in:\n  username: u\n  hosts: [evil.example]\n", 4,
                "sign_in.hosts[0]"
            ),
        ]
    )
    func rejected(text: String, line: Int, key: String) throws {
        let names = Mutex<[String]>([])
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Self.read(text + Self.client, allowing: ["https://idp.example.com"]) { name in
                names.withLock { $0.append(name) }
            }
        }
        #expect(error?.problems.map(\.line) == [line], "\(String(describing: error))")
        #expect(error?.problems.first?.message.contains("“\(key)”") == true, "\(String(describing: error))")
        #expect(names.withLock { $0 } == [])
    }

    @Test("the message does not show the value, which may come from a variable")
    func variable() throws {
        let error = #expect(throws: ConfigurationError.self) {
            _ = try Self.read("issuer: https://${HOST}\n", allowing: ["https://idp.example.com"])
        }
        #expect(
            error?.description
                == "p.yaml:1:9: --allow-issuer does not allow the value of “issuer”; allowed: https://idp.example.com"
        )
    }

    @Test(
        "an allowed issuer with its hosts is read",
        arguments: [
            ("issuer: https://idp.example.com\n", ["https://idp.example.com"], nil),
            ("issuer: https://idp.example.com/realm\n", ["https://a.example", "idp.example.com"], nil),
            (
                "issuer: https://idp.example.com\nendpoints: { token_endpoint: \"https://api.example.com/t\" }\n",
                ["*.example.com"], nil
            ),
            (
                "issuer: https://idp.example.com\nnetwork: { allowed_hosts: [IDP.example.com] }\n", ["idp.example.com"],
                nil
            ),
            // The command line overrides this issuer, and checks its own.
            ("issuer: https://evil.example\n", ["https://idp.example.com"], "https://idp.example.com"),
            ("issuer: https://evil.example\n", [], nil),
        ] as [(String, [String], String?)]
    )
    func read(text: String, allowed: [String], issuer: String?) throws {
        let client = "client: { id: c, secret: { env: SECRET } }\n"
        let configuration = try Self.read(text + client, allowing: allowed, issuer: issuer)
        #expect(configuration.secrets.clientSecrets["c"]?.reveal() == "s3cret")
        #expect((configuration.network.allowedIssuers == nil) == allowed.isEmpty)
    }
}
