import Conformance
import JSONTree
import OtherPrograms
import Registering
import TestSupport
import Testing

/// The provider chooses names and URLs, so every format must treat them as text.
@Suite(.timeLimit(.minutes(5))) struct HostileValueTests {
    static let strings = written + made(200)

    /// Known injection strings.
    static let written = [
        "\"", "'", "\\", "\\\"", "\\(1 + 1)", "\\u{41}", "\\u0041", "\\", "\\\\", "$", "%", "${var.x}", "$${var.x}",
        "$$${x}", "%{ for x in y }", "%%{x}", "$\\{x}", "${OIDC_CLIENT_SECRET}", "$OIDC_CLIENT_SECRET", "$(id)",
        "`id`", "a\nb", "a\r\nb", "\n", "\t", "a\u{0}b", "\u{7F}", "\u{85}", "\u{2028}x", "\u{2029}", "\u{202E}txt",
        "\u{FEFF}bom", "\u{E0041}", "\u{10FFFF}", "\u{FFFF}", "𝒳", "é", "e\u{301}", "#comment", "a #b", "// x",
        "/* x",
        "*/", "- a", "? a", ": b", "a: b", "&anchor", "*alias", "!tag", "|", ">", "{a: b}", "[a, b]", "null",
        "true",
        "~", "1e3", "0x10", "2026-01-01", "---", "...", " lead", "trail ", "", "\"}\nresource \"a\" \"b\" {}",
        "EOT",
        "<<EOT\nx\nEOT", "\"\"\"", "#\"x\"#", "</script>", "]]>", "; rm -rf /", "\u{1B}[31m", "a,b", "@file",
        "=cmd", String(repeating: "x", count: 5_000),
    ]

    /// Random strings of special characters, the same in every run.
    private static func made(_ count: Int) -> [String] {
        let alphabet: [Unicode.Scalar] =
            Array("\"'\\$%{}()[]#/*-:&!|>\n\r\t` uxnU0a".unicodeScalars) + ["\u{0}", "\u{2028}", "𝒳"]
        var state: UInt64 = 42
        return (0..<count)
            .map { _ in
                var text = ""
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                for _ in 0..<(1 + Int(state >> 33) % 12) {
                    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                    text.unicodeScalars.append(alphabet[Int(state >> 33) % alphabet.count])
                }
                return text
            }
    }

    /// The text at every place that the provider chooses.
    static func target(_ text: String) -> Target {
        Samples.target { target in
            target.issuer = "https://" + text
            target.client?.id = text
            target.redirectURI = text
            target.scopes = ["openid", text]
            target.registration.providerID = "oidc." + text
            target.customParameters = [Field(text, text)]
        }
    }

    private static func file(_ platform: RegistrationPlatform, _ text: String) throws -> RegistrationFile {
        let target = target(text)
        var proven = Samples.proven(target) { flow in
            flow.idTokenClaims.append(ProvenClaim(text, .text))
            flow.userInfoMethod = text
            flow.algorithm = text
        }
        for member in proven.endpoints.keys { proven.endpoints[member] = "https://" + text }
        return try platform.write(
            RegistrationRequest(
                report: Samples.report(target, for: platform, gate: .closed, tool: text),
                proven: proven,
                reason: text
            )
        )
    }

    /// The places of the text, and the prefix of each.
    private static func places(_ platform: RegistrationPlatform) -> [(place: String, prefix: String)] {
        let google = "/resource/google_identity_platform_oauth_idp_config/*"
        let pool = "/resource/aws_cognito_identity_provider/*"
        let iam = "/resource/aws_iam_openid_connect_provider/*"
        return switch platform {
        case .identityPlatform: [("/issuer", "https://"), ("/clientId", ""), ("/displayName", "")]
        case .identityPlatformTerraform:
            [(google + "/issuer", "https://"), (google + "/client_id", ""), (google + "/name", "oidc.")]
        case .supabase: [("/issuer", "https://"), ("/identifier", "custom:"), ("/scopes/1", "")]
        case .cognito: [("/ProviderDetails/client_id", ""), ("/ProviderDetails/authorize_scopes", "openid ")]
        case .cognitoTerraform:
            [(pool + "/provider_details/client_id", ""), (pool + "/provider_details/oidc_issuer", "https://")]
        case .iam: [("/Url", "https://"), ("/ClientIDList/0", "")]
        case .iamTerraform: [(iam + "/url", "https://"), (iam + "/client_id_list/0", "")]
        case .kubernetes: [("/jwt/0/issuer/url", "https://"), ("/jwt/0/issuer/audiences/0", "")]
        case .vault:
            [
                ("/config/oidc_discovery_url", "https://"), ("/config/bound_issuer", "https://"),
                ("/role/bound_audiences/0", ""),
            ]
        case .argoCD:
            [
                ("/data/oidc.config/issuer", "https://"), ("/data/oidc.config/clientID", ""),
                ("/data/oidc.config/requestedScopes/1", ""),
            ]
        case .dex:
            [
                ("/connectors/0/config/issuer", "https://"), ("/connectors/0/config/clientID", ""),
                ("/connectors/0/config/redirectURI", ""), ("/connectors/0/config/scopes/0", ""),
            ]
        case .gitea: [("/key", ""), ("/scopes/1", "")]
        case .grafana:
            [
                ("/resource/grafana_sso_settings/*/oauth2_settings/0/client_id", ""),
                ("/resource/grafana_sso_settings/*/oauth2_settings/0/scopes", "openid "),
                ("/resource/grafana_sso_settings/*/oauth2_settings/0/token_url", "https://"),
            ]
        case .jupyterHub:
            [
                ("/GenericOAuthenticator/client_id", ""), ("/GenericOAuthenticator/oauth_callback_url", ""),
                ("/GenericOAuthenticator/scope/1", ""), ("/GenericOAuthenticator/token_url", "https://"),
            ]
        case .keycloak:
            [
                ("/config/issuer", "https://"), ("/config/clientId", ""), ("/config/tokenUrl", "https://"),
                ("/displayName", ""),
            ]
        case .minIO: [("/client_id", ""), ("/scopes", "openid,")]
        case .synapse: [("/oidc_providers/0/issuer", "https://"), ("/oidc_providers/0/client_id", "")]
        default: []
        }
    }

    @Test(.oracle(Reading.parsers), arguments: RegistrationPlatform.documents)
    func `an independent parser reads back every text unchanged`(_ platform: RegistrationPlatform) async throws {
        let items = try Self.strings.map { text in
            Reading.Item(platform: platform, text: try Self.file(platform, text).text, isValidated: false)
        }
        let outcomes = try await Reading.read(items)
        for (text, outcome) in zip(Self.strings, outcomes) {
            guard case .value(let document) = outcome else {
                Issue.record("\(text.debugDescription): \(outcome)")
                continue
            }
            for (place, prefix) in Self.places(platform) {
                let value = Self.value(document, at: place)
                #expect(value == .string(prefix + text), "\(text.debugDescription) \(place)")
            }
        }
    }

    /// The value at a place; `*` is the only member.
    private static func value(_ document: JSON, at place: String) -> JSON? {
        var value = document
        for token in place.split(separator: "/") {
            let next: JSON? =
                if token == "*" {
                    value.objectValue?.members.first?.value
                } else {
                    value[JSONPointer(tokens: [String(token)])]
                }
            guard let next else { return nil }
            value = next
        }
        return value
    }

    @Test func `a template tool can replace only placeholders`() throws {
        for platform in [
            RegistrationPlatform.identityPlatform, .supabase, .cognito, .iam, .vault, .keycloak, .gitea, .minIO,
        ] {
            for text in Self.strings {
                let file = try Self.file(platform, text).text
                let rest = file.replacing("\"${OIDC_CLIENT_SECRET}\"", with: "", maxReplacements: 1)
                #expect(!rest.contains("$"), "\(platform) \(text.debugDescription)")
            }
        }
    }

    @Test func `a file contains no invisible characters`() throws {
        for platform in RegistrationPlatform.allCases {
            for text in Self.strings {
                let file = try Self.file(platform, text)
                for scalar in (file.text + (file.companion ?? "")).unicodeScalars
                where scalar != "\n" && !(" "..."~").contains(scalar) {
                    let isShown = String(scalar).shown() == String(scalar)
                    #expect(isShown, "\(platform) \(text.debugDescription): \(scalar.value)")
                }
            }
        }
    }

    @Test func `a shell reads the commands as intended`() async throws {
        for text in Self.strings where !text.contains("\u{0}") {
            for platform in RegistrationPlatform.documents {
                let name = text.isEmpty || text.hasPrefix("-") ? "./f" + text : text
                let commands = try Self.file(platform, text).commands(file: name).joined(separator: "\n")
                #expect(!commands.contains("‹FILE›"))
            }
        }
        // One shell for all: each file name must come back as a single word.
        let names = Self.strings.filter { !$0.contains("\u{0}") && !$0.isEmpty }
        let script = try names.map { name in
            try Self.file(.iam, "x").commands(file: name).joined(separator: "\n")
        }
        let aws = "aws() { printf '%s\\0' \"$4\"; }\n"
        let answer = try await OtherProgram.run("bash", ["-s"], input: aws + script.joined(separator: "\n") + "\n")
        let read = answer.text.split(separator: "\u{0}", omittingEmptySubsequences: false).dropLast().map(String.init)
        #expect(answer.errors.isEmpty, "\(answer.errors)")
        #expect(read == names.map { "file://" + $0 })
    }
}
