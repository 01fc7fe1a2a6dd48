import Conformance
import Foundation

@testable import Fleet

/// A folder that goes with the test.
final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "fleet-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ text: String = "") throws -> String {
        let file = path + "/" + name
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path + "/" + name, encoding: .utf8) }
}

/// SplitMix64, so that a property that is violated is found again by its seed.
struct Chance: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension FleetRecord {
    static func sample(
        _ issuer: String = "https://idp.example.com",
        run: String = "night",
        at startedAt: Double = 1_000,
        gate: Report.Gate = .open,
        algorithms: [String] = ["RS256"],
        keys: [String] = ["one"],
        notAfter: Double = 1e9
    ) -> FleetRecord {
        let finding = Finding(
            effect: "closes",
            check: "discovery.issuer.matches-request",
            level: "error",
            message: "the document states <another> issuer | for “\(issuer)”",
            pointer: "/issuer"
        )
        return FleetRecord(
            run: run,
            issuer: issuer,
            profile: "",
            configuration: "",
            tool: "oidc-preflight test",
            startedAt: startedAt,
            duration: 0.5,
            requests: 2,
            judgements: ["openid", "kubernetes"]
                .map { profile in
                    Judgement(
                        profile: profile,
                        gate: gate,
                        summary: "a summary",
                        signIn: "notTried",
                        safety: "sound",
                        conformance: "sound",
                        findings: gate == .closed ? [finding] : [],
                        left: 0
                    )
                },
            discovery: DiscoveryFacts(
                sha256: Digest.sha256(Array((issuer + algorithms.joined()).utf8)),
                issuer: issuer,
                algorithms: algorithms
            ),
            keys: KeySetFacts(
                sha256: Digest.sha256(Array(keys.joined(separator: " ").utf8)),
                keys: keys.map { Key(thumbprint: $0, kid: "kid-\($0)", kty: "RSA", alg: "RS256") }
            ),
            certificate: CertificateEnd(host: "idp.example.com:443", notAfter: notAfter)
        )
    }
}
