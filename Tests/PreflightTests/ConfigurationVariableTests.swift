import Conformance
import Flows
import Preflight
import Profiles
import ReportRecord
import Testing

private let variables = [
    "ISSUER": "https://staging.example", "CLIENT": "c1", "CLIENT_SECRET": "s3cret", "PASSWORD": "pass word", "MAX": "4",
    "AUTHENTICATION": "client_secret_bsic", "ALICE": "alice", "EMPTY": "",
]

private func read(_ text: String, readsSecrets: Bool = true) throws -> Configuration {
    let environment = Environment(
        variable: { variables[$0] },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) },
        names: { variables.keys.sorted() }
    )
    return try ConfigurationRecord.keeping(text) {
        try ConfigurationReader(environment, readsSecrets: readsSecrets).read(text, file: "p.yaml", checks: [])
    }
}

@Suite("Variables of the configuration", .timeLimit(.minutes(5)))
struct ConfigurationVariableTests {
    private static let whole = """
        issuer: ${ISSUER}   # ${NOT_READ} in a comment
        profile: ${PROFILE:-kubernetes}
        client: { id: "${CLIENT}", secret: "${CLIENT_SECRET}" }
        redirect_uri: ${ISSUER}/${PATH_OF_CALLBACK:-cb}
        flows: ["${FLOW:-code}"]
        custom_parameters: { ${KEY}: "$${literal}" }
        sign_in:
          username: ${ALICE}
          password: ${PASSWORD}
          max: ${MAX}

        """

    @Test("any value may come from the environment, and a secret stays one")
    func whole() throws {
        let text = Self.whole.replacing("${KEY}: ", with: "\"${KEY}\": ")
        let configuration = try read(text)
        #expect(configuration.target.issuer == "https://staging.example")
        #expect(configuration.profile == "kubernetes")
        #expect(configuration.target.redirectURI == "https://staging.example/cb")
        #expect(configuration.target.client == Client(id: "c1", authentication: .clientSecretBasic, hasSecret: true))
        #expect(configuration.target.flows.map(\.text) == ["code"])
        // A key is as it is written.
        #expect(configuration.target.customParameters == [Field("${KEY}", "${literal}")])
        #expect(configuration.maxSignIns == 4 && configuration.username == "alice")
        #expect(configuration.secrets.clientSecrets["c1"]?.reveal() == "s3cret")
        #expect(configuration.secrets.password?.reveal() == "pass word")
        #expect(configuration.secretSources.map(\.key) == ["client.secret", "sign_in.password"])
        #expect(configuration.secretSources.map(\.kind) == [.variable("CLIENT_SECRET"), .variable("PASSWORD")])
    }

    @Test(
        "a mistake is reported with file, line and variable, and never with a secret",
        arguments: [
            ("client: { id: c, secret: \"${GONE}\" }", "p.yaml:2:26: the environment variable GONE is not set"),
            ("client: { id: c, secret: \"${GONE:-hunter2}\" }", "remove the default of ${GONE:-…}"),
            ("client: { id: c, secret: \"x${CLIENT_SECRET}\" }", "or ${NAME} alone"),
            ("client: { id: \"${CLIENT_ID}\" }", "p.yaml:2:15: “client.id”: the variable CLIENT_ID is not set"),
            (
                "client: { id: c, authentication: \"${AUTHENTICATION}\" }",
                "“client_secret_bsic” is not a supported client authentication; did you mean “client_secret_basic”?; the value comes from "
                    + "${AUTHENTICATION}"
            ),
            (
                "client: { id: c, authentication: \"${CLIENT_SECRET}\" }",
                "the value of the variable CLIENT_SECRET is invalid for “client.authentication”"
            ),
            ("client: { id: ${CLIENT} }", "inside { } and [ ], put a variable in quotes"),
            ("client: { id: c, secret: { env: hunter2 } }", "p.yaml:2:33: the environment variable that is named here"),
            ("client: { id: c, secret: { env: $hunter2 } }", "If the text is the secret itself, remove it from"),
            ("client: { id: c, secret: { env: $CLIENT_SECRET } }", "without the dollar sign: CLIENT_SECRET"),
            ("client: { id: c, secret: { env: EMPTY } }", "p.yaml:2:33: the environment variable EMPTY is empty"),
            ("client: { id: c, secret: \"${EMPTY}\" }", "p.yaml:2:26: the environment variable EMPTY is empty"),
        ]
    )
    func mistakes(line: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try read("issuer: https://a.example\n\(line)\n") }
        let reported = error.map { "\($0)" } ?? ""
        #expect(reported.contains(message), "\(reported)")
        #expect(!reported.contains("s3cret") && !reported.contains("hunter2"), "\(reported)")
        #expect(error?.problems.count == 1, "\(reported)")
    }

    @Test("commands that send nothing need no secrets, but all other variables")
    func withoutSecrets() throws {
        let text = "issuer: ${ISSUER}\nclient: { id: c, secret: \"${GONE}\" }\n"
        #expect(try read(text, readsSecrets: false).target.client?.hasSecret == true)
        #expect(throws: ConfigurationError.self) {
            try read("issuer: ${GONE}\n", readsSecrets: false)
        }
    }
}
