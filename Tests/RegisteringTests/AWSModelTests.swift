import Conformance
import FoundationEssentials
import JSONTree
import OtherPrograms
import Registering
import TestSupport
import Testing

private let botocore = Oracle.python("botocore")

/// The inputs of AWS operations, validated with the service models of Amazon's Python library.
@Suite(.oracle(botocore), .timeLimit(.minutes(5))) struct AWSModelTests {
    private struct Input {
        var platform: RegistrationPlatform
        var text: String
    }

    /// The errors of each text according to the operation's model.
    private static func judged(_ texts: [Input]) async throws -> [String?] {
        let python = try await botocore.path()
        let items = texts.map { input -> JSON in
            let isPool = input.platform == .cognito
            return [
                "service": .string(isPool ? "cognito-idp" : "iam"),
                "operation": .string(isPool ? "CreateIdentityProvider" : "CreateOpenIDConnectProvider"),
                // The argument of the printed command besides the file.
                "arguments": isPool ? ["UserPoolId": "eu-central-1_aB3dE5fG7"] : [:], "text": .string(input.text),
            ]
        }
        let script = Reading.root.path + "/RegisteringTests/judge_aws.py"
        let answer = try await OtherProgram.run(python, [script], input: JSON.array(items).serialized())
        #expect(answer.code == 0, "\(answer.errors.suffix(1_000))")
        let outcomes = try JSONDocument.parse(answer.text).root.arrayValue ?? []
        try #require(outcomes.count == texts.count)
        return outcomes.map(\.stringValue)
    }

    @Test func `each input is valid for the operation's model`() async throws {
        let targets = [
            Samples.target(),
            Samples.target { target in
                target.scopes = ["openid"]
                target.customParameters = [Field("login_hint", "user@example.com")]
            },
            Samples.target { $0.registration.providerID = nil },
        ]
        let texts: [Input] = try targets.flatMap { target in
            try [RegistrationPlatform.cognito, .iam]
                .map { Input(platform: $0, text: try Samples.file($0, target).text) }
        }
        for (place, outcome) in try await Self.judged(texts).enumerated() {
            #expect(outcome == nil, "\(texts[place].text)")
        }
    }

    @Test(
        arguments: [
            (RegistrationPlatform.cognito, "\"ProviderDetails\"", "\"Details\"", "ProviderDetails"),
            (.cognito, "\"ProviderName\"", "\"providerName\"", "providerName"),
            (.cognito, "\"AttributeMapping\"", "\"AttributeMappings\"", "AttributeMappings"),
            (.cognito, "\"OIDC\"", "\"OpenID\"", "ProviderType"), (.iam, "\"Url\"", "\"URL\"", "URL"),
            (.iam, "\"ClientIDList\"", "\"ClientIdList\"", "ClientIdList"),
            (.iam, "\"https://idp.example.com/tenant\"", "[]", "Url"),
        ]
    )
    func `the models reject what the service rejects`(
        _ platform: RegistrationPlatform,
        _ old: String,
        _ new: String,
        _ words: String
    ) async throws {
        let text = try Samples.file(platform).text
        try #require(text.contains(old))
        let input = Input(platform: platform, text: text.replacing(old, with: new))
        let outcome = try #require(try await Self.judged([input]).first ?? nil, "it was accepted")
        #expect(outcome.contains(words), "\(outcome)")
    }
}
