import Conformance
internal import JOSE
internal import JSONTree

extension FleetRecord {
    /// Findings of one platform.
    private static let mostFindings = 20
    /// The maximum length of a message.
    private static let longestMessage = 300
    private static let mostKeys = 50
    private static let mostAlgorithms = 50

    /// The result of a run, without details about a single issuer.
    init(run: String, entry: IssuerList.Entry, report: JointReport, evidence: Evidence) {
        let first = report.reports[0]
        self.init(
            run: run,
            issuer: entry.issuer,
            profile: entry.profile ?? "",
            configuration: entry.configurationName,
            tool: first.tool,
            startedAt: first.timings.startedAt,
            duration: first.timings.duration,
            requests: first.timings.requests,
            judgements: report.reports.map(Self.judgement),
            discovery: Self.bytes(evidence.discovery).map(Self.discovery),
            keys: Self.bytes(evidence.keys).map(Self.keys),
            certificate: first.lifetimes.certificates.min { $0.notAfter < $1.notAfter }
                .map { CertificateEnd(host: $0.host, notAfter: $0.notAfter) }
        )
    }

    private static func judgement(_ report: Report) -> Judgement {
        var findings: [Finding] = []
        var left = 0
        // Each reason for skipped checks is listed once; the summary counts the checks.
        var reasons: [String] = []
        // Decisive findings come first, so that the limit does not cut them off.
        var decisive: [Report.Entry] = []
        var others: [Report.Entry] = []
        for place in report.entries.indices {
            let decides = report.entries[place].closesGate || report.entries[place].blocksOpening
            if decides {
                decisive.append(report.entries[place])
            } else if case .failed = report.entries[place].verdict {
                others.append(report.entries[place])
            }
        }
        for entry in decisive + others {
            let reported = entry.verdict.findings.first
            if reported == nil, let reason = entry.verdict.reason {
                if reasons.contains(where: { $0.contains(reason) || reason.contains($0) }) { continue }
                reasons.append(reason)
            }
            guard findings.count < mostFindings else {
                left += 1
                continue
            }
            findings.append(
                Finding(
                    effect: entry.closesGate ? "closes" : entry.blocksOpening ? "undecided" : "remark",
                    check: entry.id.rawValue,
                    level: entry.level.rawValue,
                    message: (reported?.message ?? entry.verdict.reason ?? "").shown(limit: longestMessage),
                    pointer: (reported?.pointer ?? "").shown(limit: 200)
                )
            )
        }
        return Judgement(
            profile: report.profile.name,
            gate: report.outcome.gate,
            summary: report.outcome.alone.shown(limit: 2 * longestMessage),
            signIn: report.answers.signIn.verdict.rawValue,
            safety: report.answers.safety.verdict.rawValue,
            conformance: report.answers.conformance.verdict.rawValue,
            findings: findings,
            left: left
        )
    }

    private static func bytes(_ document: Observation<Document>) -> [UInt8]? { document.value?.body.bytes }

    private static func discovery(_ bytes: [UInt8]) -> DiscoveryFacts {
        let object = try? JSONDocument.parse(bytes).root.objectValue
        let algorithms = object?["id_token_signing_alg_values_supported"]?.arrayValue ?? []
        return DiscoveryFacts(
            sha256: Digest.sha256(bytes),
            issuer: object?["issuer"]?.stringValue?.shown(limit: 500),
            algorithms: algorithms.prefix(mostAlgorithms).compactMap { $0.stringValue?.shown(limit: 40) }.sorted()
        )
    }

    private static func keys(_ bytes: [UInt8]) -> KeySetFacts {
        let object = try? JSONDocument.parse(bytes).root.objectValue
        let keys = (object?["keys"]?.arrayValue ?? []).prefix(mostKeys).compactMap(\.objectValue)
        return KeySetFacts(
            sha256: Digest.sha256(bytes),
            keys: keys.map { key in
                Key(
                    thumbprint: JWK(key).thumbprint ?? "",
                    kid: key["kid"]?.stringValue?.shown(limit: 120),
                    kty: key["kty"]?.stringValue?.shown(limit: 20),
                    alg: key["alg"]?.stringValue?.shown(limit: 40)
                )
            }
        )
    }
}
