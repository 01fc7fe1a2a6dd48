import FoundationEssentials
import JSONTree
import Registering
import Subprocess
import Testing

/// Registrations as parsers that are not ours read them.
enum Reading {
    struct Item {
        var platform: RegistrationPlatform
        var text: String
        /// Left out for texts whose values no platform would take.
        var isValidated = true
    }

    enum Outcome {
        case value(JSON)
        case refused(String)
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()

    /// Python with python-hcl2, PyYAML and jsonschema; `nil`, said loudly, where there is none.
    static func python(for purpose: String) -> String? {
        if let path = ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_PYTHON"], !path.isEmpty { return path }
        print("** NOT RUN: \(purpose), because OIDC_PREFLIGHT_PYTHON names no Python. Run `make test`. **")
        return nil
    }

    /// Each text parsed, and held against the platform's schema; `nil` where there is no Python.
    static func read(_ items: [Item], for purpose: String) async throws -> [Outcome]? {
        guard let python = python(for: purpose) else { return nil }
        let input = JSON.array(items.map(request))
        let answer = try await run(
            python,
            [root.path + "/RegisteringTests/read_registration.py"],
            input: input.serialized()
        )
        #expect(answer.code == 0, "\(answer.errors.suffix(1_000))")
        let outcomes = try JSONDocument.parse(answer.output).root.arrayValue ?? []
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

    static func run(
        _ program: String,
        _ arguments: [String],
        input: String = ""
    ) async throws -> (code: Int32, output: String, errors: String) {
        let result = try await Subprocess.run(
            .name("env"),
            arguments: Arguments([program] + arguments),
            input: .string(input),
            output: .string(limit: 32 << 20),
            error: .string(limit: 8 << 20)
        )
        let code: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 256 + signal
            }
        return (code, result.standardOutput, result.standardError)
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
        case .identityPlatformTerraform, .cognitoTerraform, .iamTerraform: ("hcl", "terraform")
        case .swift: ("swift", "")
        }
    }

    /// All but the one that is code.
    static var documents: [Self] { allCases.filter { $0 != .swift } }
}
