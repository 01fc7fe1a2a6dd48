import Conformance
import Foundation
import JSONTree
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// The keys that `init` writes for the discovery documents of real providers: Tests/Fixtures/init.tsv.
@Suite(.timeLimit(.minutes(5))) struct InitTableTests {
    private static let environment = Environment(
        variable: { _ in "made-up" },
        readFile: { .failure(FileError(path: $0, reason: "no files here")) }
    )

    /// The keys whose values come from the document, without those that every file has.
    private static let keys = [
        "authentication", "private_key", "token_endpoint_auth_signing_alg", "request_object_signing_alg",
        "id_token_signed_response_alg", "id_token_encrypted_response_alg", "decryption_key", "dpop_bound_access_tokens",
        "custom_parameters", "scopes", "flows",
    ]

    private static func template(_ name: String, _ bytes: [UInt8]) throws -> (metadata: JSONObject, text: String)? {
        let documents = try LintDocuments(discovery: (name, bytes))
        let evidence = PreflightRun.lintEvidence(documents, issuer: nil, now: 0)
        let run = try PreflightRun(
            configuration: Configuration(judging: evidence),
            profile: "openid",
            tier: .static,
            environment: environment
        )
        let template = ConfigurationTemplate(evidence, of: run)
        guard template.failure == nil, let metadata = try JSONDocument.parse(bytes).root.objectValue else { return nil }
        return (metadata, template.text)
    }

    /// `authentication: client_secret_basic`, and in parentheses what is only a comment.
    private static func cells(_ text: String) -> [String] {
        text.split(separator: "\n")
            .compactMap { line in
                let isComment = line.trimmingPrefix(while: { $0 == " " }).hasPrefix("#")
                let setting = line.trimmingPrefix(while: { " #".contains($0) })
                guard keys.contains(where: { setting.hasPrefix($0 + ":") }) else { return nil }
                return isComment ? "(\(setting))" : String(setting)
            }
    }

    @Test("the file for each document of the corpus has the keys that the document requires")
    func corpus() async throws {
        let names = Fixture.names(in: "corpus/discovery").map { String($0.dropLast(".json".count)) }.sorted()
        #expect(names.count >= 61)
        var text = "# The keys that init writes for a discovery document; those in parentheses as comments.\n"
        for name in names {
            let bytes = try await Fixture.bytes("corpus/discovery/\(name).json.gz")
            guard let (metadata, file) = try Self.template(name, bytes) else {
                text += "\(name)\tnone: the document has no issuer or no authorization endpoint\n"
                continue
            }
            let cells = Self.cells(file)
            text += "\(name)\t\(cells.joined(separator: "; "))\n"
            let reader = ConfigurationReader(Self.environment, readsSecrets: false)
            // An issuer without a scheme is written as it is, and reported when the file is read.
            guard metadata["issuer"]?.stringValue?.hasPrefix("http") == true else { continue }
            let configuration = try reader.read(file, file: "preflight.yaml", checks: [])
            let client = try #require(configuration.target.client)
            let methods = metadata["token_endpoint_auth_methods_supported"]?.strings ?? []
            let known = methods.filter { ClientAuthentication(rawValue: $0) != nil }
            #expect(known.isEmpty || known.contains(client.authentication.rawValue), "\(name)")
            #expect((client.requestObjectSigningAlg != nil) == (metadata["require_signed_request_object"] == true))
            let algorithms = metadata["id_token_signing_alg_values_supported"]?.strings ?? []
            let signed = client.idTokenSignedResponseAlg ?? "RS256"
            // One of them lists “rs256”.
            #expect(algorithms.isEmpty || algorithms.contains { $0.uppercased() == signed }, "\(name): \(signed)")
            let hasDPoP = metadata["dpop_signing_alg_values_supported"] != nil
            #expect(cells.contains("(dpop_bound_access_tokens: true)") == hasDPoP, "\(name)")
        }
        try GeneratedPagesTests.expect(
            text,
            in: GeneratedPagesTests.root.appendingPathComponent("Tests/Fixtures/init.tsv")
        )
    }

    struct Requirement: Sendable, CustomTestStringConvertible {
        let persona: Persona
        /// The comment on what the document requires of every request.
        let comment: String
        let cells: [String]
        var testDescription: String { persona.rawValue }
    }

    /// No document of the corpus requires pushed requests or signed ones.
    static let requirements = [
        Requirement(
            persona: .singpassFAPI,
            comment: "The document has require_pushed_authorization_requests: every request is pushed.",
            cells: [
                "private_key: { file: client-key.pem }", "authentication: private_key_jwt",
                #"id_token_signed_response_alg: "ES256""#, #"(id_token_encrypted_response_alg: "ECDH-ES+A256KW")"#,
                "(decryption_key: { file: client-key.pem })", "(dpop_bound_access_tokens: true)",
                #"scopes: ["openid"]"#, "(custom_parameters: { NAME: VALUE })", "flows: [code]",
            ]
        ),
        Requirement(
            persona: .spid,
            comment: "The document has require_signed_request_object: every request is a signed request object.",
            cells: [
                "private_key: { file: client-key.pem }", "authentication: private_key_jwt",
                #"request_object_signing_alg: "RS256""#, #"(id_token_encrypted_response_alg: "ECDH-ES+A256KW")"#,
                "(decryption_key: { file: client-key.pem })", #"scopes: ["openid", "email", "profile"]"#,
                #"(custom_parameters: { acr_values: "urn:reference-provider:password" })"#, "flows: [code]",
            ]
        ),
    ]

    @Test("the file has every key that the document requires", arguments: requirements)
    func requirement(row: Requirement) async throws {
        var settings = ReferenceProviderConfiguration(row.persona)
        settings.publicName = "idp.example.com"
        let provider = try UnservedProvider(settings)
        let path = "/.well-known/openid-configuration"
        let document = await provider.answer(method: "GET", target: path, headers: [], body: [])
        let (_, file) = try #require(try Self.template(row.persona.rawValue, document.body))
        #expect(Self.cells(file) == row.cells)
        #expect(file.contains("# " + row.comment))
        let reader = ConfigurationReader(Self.environment, readsSecrets: false)
        let client = try #require(try reader.read(file, file: "preflight.yaml", checks: []).target.client)
        #expect(client.requestObjectSigningAlg == (row.persona == .spid ? "RS256" : nil))
    }
}
