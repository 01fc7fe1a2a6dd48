import FoundationEssentials
import JSONTree
import OtherPrograms
import Registering
import TestSupport
import Testing

/// Registrations as independent parsers read them.
enum Reading {
    struct Item {
        var platform: RegistrationPlatform
        var text: String
        /// Omitted for texts whose values no platform accepts.
        var isValidated = true
    }

    enum Outcome {
        case value(JSON)
        case refused(String)
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    static let parsers = Oracle.python("hcl2", "yaml", "jsonschema")

    /// Each text, parsed and validated with the platform's schema.
    static func read(_ items: [Item]) async throws -> [Outcome] {
        let python = try await parsers.path()
        let input = JSON.array(items.map(request))
        let answer = try await OtherProgram.run(
            python,
            [root.path + "/RegisteringTests/read_registration.py"],
            input: input.serialized()
        )
        #expect(answer.code == 0, "\(answer.errors.suffix(1_000))")
        let outcomes = try JSONDocument.parse(answer.text).root.arrayValue ?? []
        try #require(outcomes.count == items.count)
        return outcomes.map { outcome in
            if let error = outcome["error"]?.stringValue { return .refused(error) }
            return .value(outcome["value"] ?? .null)
        }
    }

    private static func request(_ item: Item) -> JSON {
        let (format, schema) = item.platform.form
        let path = root.path + "/Fixtures/registration/\(schema).schema.json"
        return [
            "format": .string(format), "schema": item.isValidated ? .string(path) : .null, "text": .string(item.text),
        ]
    }
}

extension RegistrationPlatform {
    /// The reader and the schema.
    fileprivate var form: (format: String, schema: String) {
        switch self {
        case .identityPlatform: ("json", "identity-platform")
        case .supabase: ("json", "supabase")
        case .cognito: ("json", "cognito")
        case .iam: ("json", "aws-iam")
        case .vault: ("json", "vault")
        case .kubernetes: ("yaml", "kubernetes")
        case .identityPlatformTerraform, .cognitoTerraform, .iamTerraform, .grafana: ("hcl", "terraform")
        case .argoCD: ("argo-cd", "argo-cd")
        case .dex: ("yaml", "dex")
        case .gitea: ("json", "gitea")
        case .jupyterHub: ("python", "jupyterhub")
        case .keycloak: ("json", "keycloak")
        case .minIO: ("json", "minio")
        case .synapse: ("yaml", "synapse")
        default: ("swift", "")
        }
    }

    /// All platforms except the one with code.
    static var documents: [Self] { allCases.filter { $0 != .swift } }
}
