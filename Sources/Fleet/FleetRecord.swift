package import Conformance
import JSONTree

/// The result of one issuer in one run: a line of the results file.
package struct FleetRecord: Sendable, Hashable {
    /// The version of the line format, raised when a member is removed or changes its meaning.
    static let version = 1

    /// The name of the run, shared by its shards.
    package var run: String
    package var issuer: String
    /// Profile, configuration and target as the list names them; empty for none.
    var profile: String
    package var configuration: String
    /// Name and version of the program.
    var tool: String
    /// Seconds since 1970.
    var startedAt: Double
    /// Seconds.
    var duration: Double
    package var requests: Int
    /// One for each platform, in the order in which they were named.
    var judgements: [Judgement]
    /// `nil` if no document was received.
    var discovery: DiscoveryFacts?
    package var keys: KeySetFacts?
    /// The certificate of all hosts that expires first.
    var certificate: CertificateEnd?

    /// The evaluation by the rules of one platform.
    package struct Judgement: Sendable, Hashable {
        var profile: String
        var gate: Report.Gate
        var summary: String
        /// As in the report's answers.
        var signIn: String
        var safety: String
        var conformance: String
        /// Findings that close the gate or keep it from opening, then the others.
        var findings: [Finding]
        /// The number of omitted findings.
        var left: Int
    }

    package struct Finding: Sendable, Hashable {
        /// The effect on the gate: `closes`, `undecided`, or `remark` for none.
        var effect: String
        var check: String
        var level: String
        var message: String
        /// JSON pointer, header or claim; empty for none.
        var pointer: String
    }

    /// The parts of a discovery document that are compared between runs.
    package struct DiscoveryFacts: Sendable, Hashable {
        /// SHA-256 of its bytes, in hexadecimal.
        var sha256: String
        var issuer: String?
        /// `id_token_signing_alg_values_supported`, sorted.
        var algorithms: [String]
    }

    package struct KeySetFacts: Sendable, Hashable {
        /// SHA-256 of its bytes, in hexadecimal.
        var sha256: String
        package var keys: [Key]
    }

    package struct Key: Sendable, Hashable {
        /// RFC 7638; empty if it is not a key.
        var thumbprint: String
        var kid: String?
        package var kty: String?
        var alg: String?
    }

    package struct CertificateEnd: Sendable, Hashable {
        var host: String
        /// Seconds since 1970.
        var notAfter: Double
    }

    /// Identifies the record among those of other issuers and runs.
    var identity: Identity {
        Identity(run: run, issuer: issuer, rules: [profile, configuration].joined(separator: "\u{1F}"))
    }

    package struct Identity: Sendable, Hashable, Comparable {
        package let run: String
        let issuer: String
        let rules: String

        package static func < (left: Identity, right: Identity) -> Bool {
            (left.run, left.issuer, left.rules) < (right.run, right.issuer, right.rules)
        }
    }

    /// The worst gate of all platforms.
    package var gate: Report.Gate {
        if judgements.contains(where: { $0.gate == .closed }) { return .closed }
        return judgements.contains { $0.gate == .inconclusive } ? .inconclusive : .open
    }
}

// MARK: As JSON

extension FleetRecord {
    /// The line, without a line feed.
    package var line: String { JSON.object(json).serialized() }

    private var json: JSONObject {
        JSONObject([
            .init(name: "type", value: "result"), .init(name: "version", value: .integer(Int64(Self.version))),
            .init(name: "run", value: .string(run)), .init(name: "issuer", value: .string(issuer)),
            .init(name: "profile", value: .string(profile)),
            .init(name: "configuration", value: .string(configuration)),
            .init(name: "gate", value: .string(gate.rawValue)), .init(name: "tool", value: .string(tool)),
            .init(name: "startedAt", value: .real(startedAt)), .init(name: "duration", value: .real(duration)),
            .init(name: "requests", value: .integer(Int64(requests))),
            .init(name: "judgements", value: .array(judgements.map { .object($0.json) })),
            .init(name: "discovery", value: discovery.map { .object($0.json) } ?? .null),
            .init(name: "keys", value: keys.map { .object($0.json) } ?? .null),
            .init(
                name: "certificate",
                value: certificate.map { ["host": .string($0.host), "notAfter": .real($0.notAfter)] } ?? .null
            ),
        ])
    }

    /// The digest of the content, equal for runs and issuers with the same result.
    static func digest(of judgements: [Judgement]) -> String {
        Digest.sha256(Array(JSON.array(judgements.map { .object($0.json) }).serialized().utf8))
    }

    /// Reads a line; `nil` if it is not a result of this version.
    init?(_ json: JSON) {
        guard json["type"]?.stringValue == "result", json["version"]?.integerValue == Int64(Self.version),
            let run = json["run"]?.stringValue, let issuer = json["issuer"]?.stringValue,
            let startedAt = json["startedAt"]?.numberValue, let judged = json["judgements"]?.arrayValue
        else { return nil }
        let judgements = judged.compactMap(Judgement.init)
        guard judgements.count == judged.count, !judgements.isEmpty else { return nil }
        self.init(
            run: run,
            issuer: issuer,
            profile: json["profile"]?.stringValue ?? "",
            configuration: json["configuration"]?.stringValue ?? "",
            tool: json["tool"]?.stringValue ?? "",
            startedAt: startedAt,
            duration: json["duration"]?.numberValue ?? 0,
            requests: json["requests"]?.integerValue.map { Int($0) } ?? 0,
            judgements: judgements,
            discovery: json["discovery"].flatMap(DiscoveryFacts.init),
            keys: json["keys"].flatMap(KeySetFacts.init),
            certificate: json["certificate"].flatMap(CertificateEnd.init)
        )
    }
}

extension FleetRecord.Judgement {
    fileprivate var json: JSONObject {
        JSONObject([
            .init(name: "profile", value: .string(profile)), .init(name: "gate", value: .string(gate.rawValue)),
            .init(name: "summary", value: .string(summary)), .init(name: "signIn", value: .string(signIn)),
            .init(name: "safety", value: .string(safety)), .init(name: "conformance", value: .string(conformance)),
            .init(
                name: "findings",
                value: .array(
                    findings.map { finding in
                        [
                            "effect": .string(finding.effect), "check": .string(finding.check),
                            "level": .string(finding.level), "message": .string(finding.message),
                            "pointer": .string(finding.pointer),
                        ]
                    }
                )
            ), .init(name: "left", value: .integer(Int64(left))),
        ])
    }

    fileprivate init?(_ json: JSON) {
        guard let profile = json["profile"]?.stringValue,
            let gate = json["gate"]?.stringValue.flatMap(Report.Gate.init)
        else { return nil }
        let words = { (name: String) in json[name]?.stringValue ?? "" }
        self.init(
            profile: profile,
            gate: gate,
            summary: words("summary"),
            signIn: words("signIn"),
            safety: words("safety"),
            conformance: words("conformance"),
            findings: (json["findings"]?.arrayValue ?? [])
                .map { finding in
                    FleetRecord.Finding(
                        effect: finding["effect"]?.stringValue ?? "",
                        check: finding["check"]?.stringValue ?? "",
                        level: finding["level"]?.stringValue ?? "",
                        message: finding["message"]?.stringValue ?? "",
                        pointer: finding["pointer"]?.stringValue ?? ""
                    )
                },
            left: json["left"]?.integerValue.map { Int($0) } ?? 0
        )
    }
}

extension FleetRecord.DiscoveryFacts {
    fileprivate var json: JSONObject {
        [
            "sha256": .string(sha256), "issuer": issuer.map(JSON.string) ?? .null,
            "algorithms": .array(algorithms.map(JSON.string)),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let sha256 = json["sha256"]?.stringValue else { return nil }
        self.init(sha256: sha256, issuer: json["issuer"]?.stringValue, algorithms: json["algorithms"]?.strings ?? [])
    }
}

extension FleetRecord.KeySetFacts {
    fileprivate var json: JSONObject {
        [
            "sha256": .string(sha256),
            "keys": .array(
                keys.map { key in
                    [
                        "thumbprint": .string(key.thumbprint), "kid": key.kid.map(JSON.string) ?? .null,
                        "kty": key.kty.map(JSON.string) ?? .null, "alg": key.alg.map(JSON.string) ?? .null,
                    ]
                }
            ),
        ]
    }

    fileprivate init?(_ json: JSON) {
        guard let sha256 = json["sha256"]?.stringValue else { return nil }
        self.init(
            sha256: sha256,
            keys: (json["keys"]?.arrayValue ?? [])
                .map { key in
                    FleetRecord.Key(
                        thumbprint: key["thumbprint"]?.stringValue ?? "",
                        kid: key["kid"]?.stringValue,
                        kty: key["kty"]?.stringValue,
                        alg: key["alg"]?.stringValue
                    )
                }
        )
    }
}

extension FleetRecord.CertificateEnd {
    fileprivate init?(_ json: JSON) {
        guard let host = json["host"]?.stringValue, let notAfter = json["notAfter"]?.numberValue else { return nil }
        self.init(host: host, notAfter: notAfter)
    }
}
