import Conformance
import Flows
import Preflight
import Profiles
import Testing

/// The line break that an editor or a shell appends is not part of a secret.
@Suite("Trailing line breaks of secrets", .timeLimit(.minutes(5)))
struct SecretEndingTests {
    private static func read(_ text: String, fromFile: Bool) throws -> String? {
        let environment = Environment(
            variable: { _ in text },
            readFile: { _ in .success(Array(text.utf8)) }
        )
        let configuration = try ConfigurationReader(environment)
            .read(
                """
                issuer: https://op.example.com
                client:
                  id: app
                  secret: { \(fromFile ? "file: secret.txt" : "env: SECRET") }
                """,
                file: "preflight.yaml",
                checks: []
            )
        return configuration.secrets.clientSecrets["app"]?.reveal()
    }

    @Test(
        "exactly one trailing line break is removed, both from the environment and from a file",
        arguments: [
            ("s3cret", "s3cret"), ("s3cret\n", "s3cret"), ("s3cret\r\n", "s3cret"), ("s3cret\n\n", "s3cret\n"),
            ("s3cret ", "s3cret "), (" s3cret", " s3cret"), ("s3cret \n", "s3cret "), ("s3cret\t", "s3cret\t"),
            ("s3\ncret", "s3\ncret"), ("s3cret\r", "s3cret\r"),
        ],
        [true, false]
    )
    func ends(example: (text: String, secret: String), fromFile: Bool) throws {
        #expect(try Self.read(example.text, fromFile: fromFile) == example.secret)
    }

    @Test("a lone line break is not a secret", arguments: [true, false]) func empty(fromFile: Bool) {
        #expect(throws: ConfigurationError.self) { try Self.read("\n", fromFile: fromFile) }
    }
}
