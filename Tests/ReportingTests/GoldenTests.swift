import Conformance
import FoundationEssentials
import JSONTree
import Judgement
import Reporting
import Testing

/// One small report in each format, compared with a committed file, so that a change of a format changes about thirty lines.
///
/// `OIDC_PREFLIGHT_RECORD=1` regenerates the files.
@Suite(.timeLimit(.minutes(5))) struct GoldenTests {
    @Test(arguments: ReportFormat.allCases)
    func `a small report is rendered as in its golden file`(_ format: ReportFormat) throws {
        let text = try Self.golden(format.render(Self.report), format)
        let file = Repository.folder("Tests/ReportingTests/Golden/\(format.rawValue).golden")
        if ProcessInfo.processInfo.environment["OIDC_PREFLIGHT_RECORD"] == "1" {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        let known = Set(golden.split(separator: "\n"))
        let news = text.split(separator: "\n").filter { !known.contains($0) }.prefix(3)
        let isCurrent = text == golden
        #expect(isCurrent, "\(format.rawValue).golden is stale, regenerate it with: make samples\n\(news)")
    }

    /// The content of the file: JSON with short values on one line, the main part of the page without its icons, others unchanged.
    private static func golden(_ text: String, _ format: ReportFormat) throws -> String {
        if format.isJSON { return folded(try JSONDocument.parse(text).root) + "\n" }
        guard format == .html else { return text }
        let main = try #require(text.firstMatch(of: /(?s)<main>\n(.*)<\/main>\n/)).output.1
        return String(main).replacing(/(?s)<svg.*?<\/svg>/, with: "").replacing(/\n\n+/, with: "\n")
    }

    private static func folded(_ value: JSON, indent: String = "") -> String {
        let line = value.serialized()
        if line.count + indent.count <= 120 { return line }
        let inner = indent + "  "
        switch value {
        case .array(let elements):
            return "[\n" + elements.map { inner + folded($0, indent: inner) }.joined(separator: ",\n") + "\n\(indent)]"
        case .object(let object):
            let members = object.members.map {
                "\(inner)\(JSON.string($0.name).serialized()):\(folded($0.value, indent: inner))"
            }
            return "{\n" + members.joined(separator: ",\n") + "\n\(indent)}"
        default: return line
        }
    }

    private static let report: Report = {
        var target = Target(issuer: "https://idp.example.com")
        target.client = Client(id: "my-client", authentication: .clientSecretBasic, hasSecret: true)
        var evidence = Evidence(
            tool: "oidc-preflight 0.1.0",
            startedAt: 1_789_999_990,
            target: target,
            tier: .static,
            because: "not asked for"
        )
        evidence.endedAt = 1_789_999_991
        evidence.exchanges = [
            Exchange(
                id: 0,
                step: "discovery document",
                request: .init(method: "GET", url: "https://idp.example.com/.well-known/openid-configuration"),
                response: .init(
                    status: 200,
                    headers: [Field("Content-Type", "application/json")],
                    body: .text(#"{"issuer":"https://idp.example.com/"}"#)
                ),
                startedAt: 1_789_999_990.5
            )
        ]
        let plan = Plan(
            target: target,
            profile: Profile(name: "openid", title: "OpenID Connect", include: ["*"]),
            tier: .static
        )
        return Judge.judge(evidence, plan: plan, checks: checks, now: 1_790_000_000, tool: "oidc-preflight 0.1.0")
    }()

    private static let checks = [
        Check.fixed(
            "discovery.issuer.matches-request",
            "The issuer is the one that was asked for",
            .must,
            Citation(.discovery, "4.3", "MUST be identical to the Issuer URL"),
            .failed([
                Finding(
                    "The issuer has a terminating slash.",
                    at: "/issuer",
                    expected: "https://idp.example.com",
                    found: "https://idp.example.com/",
                    fix: "Remove the slash.",
                    exchange: 0
                )
            ])
        ),
        .fixed(
            "keys.document.is-found",
            "The key set can be fetched",
            .must,
            Citation(.discovery, "3", "URL of the OP's JWK Set"),
            .passed
        ),
    ]
}
