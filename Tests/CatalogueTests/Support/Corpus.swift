import Conformance
import Foundation
import JSONTree
import TestSupport

/// Recorded documents of real providers, with findings made independently of this catalogue.
enum Corpus {
    /// A row of `FINDINGS.tsv.gz`.
    struct Row: Sendable, CustomStringConvertible {
        let document: String
        let severity: String
        let rule: String
        let detail: String

        var description: String { "\(document) \(severity) \(rule) \(detail)" }
    }

    /// A row of `DIFFERENCES.tsv`: a difference between this catalogue and the findings, with the section that decides.
    struct Difference: Sendable {
        /// A document, or `*` for all.
        let document: String
        /// The rule of the findings; `-` if they have none.
        let rule: String
        /// The check of this catalogue; `-` if it has none.
        let check: String
        /// `more`: only this catalogue reports it; `fewer`: only the findings do; `weaker`: reported, but as a SHOULD.
        let kind: String

        func covers(_ document: String) -> Bool { self.document == "*" || self.document == document }
    }

    /// The checks that correspond to a rule of the findings.
    static let checks: [String: [CheckID]] = [
        "disc.url-not-https": [
            "discovery.authorization-endpoint.uses-https", "discovery.token-endpoint.uses-https",
            "discovery.userinfo-endpoint.uses-https", "discovery.jwks-uri.uses-https",
            "discovery.registration-endpoint.uses-https", "discovery.revocation-endpoint.uses-https",
            "discovery.pushed-authorization-request-endpoint.uses-https", "discovery.end-session-endpoint.uses-https",
            "discovery.check-session-iframe.uses-https", "discovery.introspection-endpoint.uses-https",
            "discovery.other-endpoints.use-https",
        ],
        "disc.auth-signing-alg-missing": ["discovery.auth-signing-alg-values-supported.is-present"],
        "disc.empty-array": ["discovery.list-members.are-not-empty"],
        "disc.required-missing": [
            "discovery.authorization-endpoint.is-present", "discovery.jwks-uri.is-present",
            "discovery.response-types-supported.is-present", "discovery.subject-types-supported.is-present",
            "discovery.id-token-signing-alg-values-supported.is-present", "discovery.issuer.is-present",
        ],
        "disc.issuer-template": ["discovery.issuer.is-not-a-template"],
        "disc.alg-unregistered": [
            "discovery.signature-algorithms.are-registered", "discovery.encryption-algorithms.are-registered",
            "discovery.content-encryption-algorithms.are-registered",
        ],
        "disc.rs256-missing": ["discovery.id-token-signing-alg-values-supported.include-rs256"],
        "disc.issuer-not-https": ["discovery.issuer.uses-https", "discovery.issuer.is-a-url"],
        "disc.token-endpoint-missing": ["discovery.token-endpoint.is-present"],
        "disc.openid-scope-missing": ["discovery.scopes-supported.include-openid"],
        "disc.recommended-missing": [
            "discovery.userinfo-endpoint.is-present", "discovery.scopes-supported.is-present",
            "discovery.claims-supported.is-present",
        ],
        "disc.null-member": ["discovery.members.are-not-null"],
        "disc.pkce-plain": ["discovery.code-challenge-methods-supported.exclude-plain"],
        "disc.rsa1_5-offered": ["discovery.encryption-algorithms.exclude-rsa1-5"],
        "jwks.leading-zero-octet": ["keys.rsa.values-have-no-leading-zero"],
        "jwks.base64url-padding": ["keys.values.are-base64url"],
        "jwks.base64-not-url-alphabet": ["keys.values.are-base64url"],
        "jwks.x5t-mismatch": ["keys.x5t.matches-the-certificate"],
    ]

    /// Read once.
    static let rows = Task {
        table(text: String(decoding: try await Fixture.bytes("corpus/FINDINGS.tsv.gz"), as: UTF8.self))
            .map { Row(document: $0[0], severity: $0[1], rule: $0[2], detail: $0[4]) }
    }

    static let differences = table("DIFFERENCES.tsv")
        .map { Difference(document: $0[0], rule: $0[1], check: $0[2], kind: $0[3]) }

    static let documents = ["discovery", "jwks"]
        .flatMap { folder in Fixture.names(in: "corpus/\(folder)").map { "\(folder)/\($0)" } }

    /// The document as `lint` reads it: from a file, for the issuer that it states.
    static func evidence(of document: String) async throws -> Evidence {
        let bytes = try await Fixture.bytes("corpus/\(document).gz")
        let issuer = (try? JSONDocument.parse(bytes).root["issuer"]?.stringValue) ?? "https://op.example"
        var evidence = Evidence(
            tool: "test",
            startedAt: DocumentProvider.now,
            target: Target(issuer: issuer),
            tier: .static,
            because: "no such file was given"
        )
        let text = Observation.observed(Document(origin: .file(document), body: Body(bytes)))
        if document.hasPrefix("jwks/") { evidence.keys = text } else { evidence.discovery = text }
        return evidence
    }

    /// The checks that fail on a document, with their findings.
    static func failures(of document: String) async throws -> [(check: Check, findings: [Finding])] {
        let facts = Facts(try await evidence(of: document), profile: Profile(name: "test", title: "Test"))
        return StaticChecks.all.map { ($0, $0.judge(facts).findings) }.filter { !$0.1.isEmpty }
    }

    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Fixtures/corpus").path

    private static func table(_ name: String) -> [[String]] {
        table(text: (try? String(contentsOfFile: root + "/" + name, encoding: .utf8)) ?? "")
    }

    private static func table(text: String) -> [[String]] {
        text.split(separator: "\n").dropFirst()
            .map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    }
}
