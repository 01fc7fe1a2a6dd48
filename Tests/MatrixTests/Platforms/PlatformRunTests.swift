import Conformance
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// The gates of whole runs against what the platforms' own code did with each fault (`Tests/Fixtures/platforms.tsv`).
///
/// `PlatformAgreementTests` compares levels; here a failure of a check that the profile lowers must not close the gate through
/// another check, nor keep it undecided.
@Suite("Runs and platforms", .phase(.sockets), .timeLimit(.minutes(10)))
struct PlatformRunTests {
    /// The rows that are not compared where the platform signed in, each with its reason.
    private static let reasons: [String: String] = [
        "idtoken.form.has-no-byte-order-mark": "the fault breaks the signature, and the measured departure kept it",
        "idtoken.header.has-unique-members": "the fault breaks the signature, and the measured departure kept it",
        "idtoken.claims.has-unique-members": "the fault breaks the signature, and the measured departure kept it",
        "token.basic.form-encoding-is-undone":
            "the secret of this run has characters that the fault rejects in every request",
        "discovery.authorization-endpoint.is-present":
            "the address was entered by hand where the platform accepts that",
        "discovery.token-endpoint.is-present": "the address was entered by hand where the platform accepts that",
        "discovery.issuer.is-present": "the platform signs users in, and compares iss with nothing",
        "idtoken.sub.is-present": "all users of the provider are the same user",
        "idtoken.signature.verifies": "the platform verifies no signature",
        "idtoken.alg.is-not-none": "the platform verifies no signature",
        "userinfo.sub.matches-id-token": "the user is the one of UserInfo",
    ]

    /// The rows that are not compared at all: the ID Tokens of these runs contain the claims, whatever the fault.
    private static let ofClaims: Set<String> = ["idtoken.claims.of-scopes-are-present", "idtoken.claims.have-values"]

    /// The departures that were made in another response as well.
    private static let own: [String: Set<String>] = [
        "pocketbase": ["idtoken.sub.is-a-string", "idtoken.claims.have-right-types"],
        "keycloak-broker": ["idtoken.email.is-an-address"], "synapse": ["userinfo.email.is-an-address"],
    ]

    private static let table = Fixture.table("platforms")

    @Test func `the gate agrees with the platform in at least 95 of 100 faults`() async throws {
        // go-oidc is a library: the column is a program with nonce and UserInfo, which its profile does not assume.
        let columns = Self.table[0].indices.dropFirst().dropLast().filter { Self.table[0][$0] != "go-oidc" }
        #expect(columns.count >= 24)
        var compared: [String: Int] = [:]
        var different: [String: [String]] = [:]
        let faultless = [""] + columns.map { _ in "+" } + ["+", ""]
        for row in [faultless] + Self.table.dropFirst() where !Self.ofClaims.contains(row[0]) {
            let faults = Fault.all.filter { $0.id == row[0] }
            #expect(row[0].isEmpty || faults.count == 1, "\(row[0])")
            guard faults.allSatisfy({ !$0.needsSockets }) else { continue }
            let run = try await Laboratory.collect(
                .codeOnly,
                faults: [PlatformGateTests.claimsInIDToken] + faults,
                profile: "relying-party"
            )
            for column in columns where ["+", "R"].contains(row[column]) {
                let platform = Self.table[0][column]
                if Self.own[platform]?.contains(row[0]) == true { continue }
                if row[column] == "+", Self.reasons[row[0]] != nil { continue }
                let report = try PreflightRun(
                    configuration: run.run.configuration,
                    profile: platform,
                    environment: Laboratory.environment
                )
                .judge(run.evidence, now: run.evidence.endedAt)
                compared[platform, default: 0] += 1
                if (row[column] == "+") == (report.outcome.gate == .open) { continue }
                // The platform signs users in, and they are not safe.
                let endangering = report.entries.filter(\.closesGate).map { $0.consequence == .safety }
                if row[column] == "+", endangering.contains(true), !endangering.contains(false) { continue }
                let closing = report.entries.filter { $0.closesGate || $0.blocksOpening }.map(\.id.rawValue)
                different[platform, default: []].append("\(row[0]) \(row[column]): \(closing.prefix(3))")
            }
        }
        for (platform, count) in compared {
            let rows = different[platform] ?? []
            #expect(rows.count * 100 <= 5 * count, "\(platform): \(rows.count) of \(count): \(rows)")
        }
    }
}
