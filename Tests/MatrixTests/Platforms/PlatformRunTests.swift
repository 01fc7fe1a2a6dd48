import Conformance
import JSONTree
import Preflight
import ReferenceProvider
import TestSupport
import Testing

/// The gates of whole runs against what the platforms' own code did with each fault (`Tests/Fixtures/platforms.tsv`) and each
/// departure that no fault has (`Tests/Fixtures/platform-departures.tsv`).
///
/// `PlatformAgreementTests` compares levels; here a failure of a check that the profile lowers must not close the gate through
/// another check, nor keep it inconclusive. `Tests/Fixtures/platform-differences.tsv` has a reason for each row that differs.
@Suite("Runs and platforms", .phase(.sockets), .timeLimit(.minutes(20)))
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
        "address: token_endpoint :99999": "the address was entered by hand where the platform accepts that",
        "address: token_endpoint [name]": "the address was entered by hand where the platform accepts that",
        "address: token_endpoint IPv6 without brackets":
            "the address was entered by hand where the platform accepts that",
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

    private static let noDeparture = "no departure"

    private static let tables = [Fixture.table("platforms"), Fixture.table("platform-departures")]

    /// One row of a table: what the provider does, and what each platform did.
    private struct Row: Sendable {
        let faults: [Fault]
        let name: String
        let cells: [String]
    }

    private static func rows(_ platforms: [String]) throws -> [Row] {
        let cells = { (table: [[String]], row: [String]) in
            try platforms.map { platform in row[try #require(table[0].firstIndex(of: platform))] }
        }
        let named = try tables[0].dropFirst().filter { !ofClaims.contains($0[0]) }
            .map { row in
                let fault = try #require(Fault.all.first { $0.id == row[0] }, "\(row[0])")
                return Row(faults: [fault], name: row[0], cells: try cells(tables[0], row))
            }
        let written = try tables[1].dropFirst()
            .map { row in
                let departure = Departure(row[0])
                let fault = Fault("discovery.response.status-is-200", row[0], change: { departure.apply(to: &$0) })
                return Row(faults: [fault], name: row.last ?? "", cells: try cells(tables[1], row))
            }
        let conformant = Row(faults: [], name: noDeparture, cells: platforms.map { _ in "+" })
        return [conformant] + named.filter { $0.faults.allSatisfy { !$0.needsSockets } } + written
    }

    @Test func `the gate agrees with the platform in at least 95 of 100 departures`() async throws {
        // go-oidc is a library: the column is a program with nonce and UserInfo, which its profile does not assume.
        let platforms = Self.tables[0][0].dropFirst().dropLast().filter { $0 != "go-oidc" }
        let rows = try Self.rows(platforms)
        #expect(platforms.count >= 24 && rows.count >= 440)
        let configuration = try await Self.collect([]).run.configuration
        let runs = try platforms.map {
            try PreflightRun(configuration: configuration, profile: $0, environment: Laboratory.environment)
                .forManyIssuers
        }
        let comparisons = try await withThrowingTaskGroup(of: [Comparison].self) { group in
            for row in rows { group.addTask { try await Self.compare(row, platforms, runs) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        var unexplained: Set<Comparison.Place> = []
        for (platform, rows) in Dictionary(grouping: comparisons, by: \.platform) {
            let different = rows.filter { !$0.agrees }
            #expect(different.count * 100 <= 5 * rows.count, "\(platform): \(different.count) of \(rows.count)")
            unexplained.formUnion(different.filter { !$0.sharesItsLevel(with: rows) }.map(\.place))
        }
        let explained = Fixture.table("platform-differences").dropFirst()
            .flatMap { row in row[1].split(separator: " ").map { Comparison.Place(row: row[0], platform: String($0)) } }
        let missing = unexplained.subtracting(explained).map(\.description).sorted()
        #expect(missing.isEmpty, "no reason: \(missing.joined(separator: "; "))")
        let stale = Set(explained).subtracting(unexplained).map(\.description).sorted()
        #expect(stale.isEmpty, "no difference: \(stale.joined(separator: "; "))")
    }

    /// The result of a run for a row, and the behaviour of the platform.
    private struct Comparison: Sendable {
        struct Place: Hashable, CustomStringConvertible {
            let row: String
            let platform: String

            var description: String { "\(row) at \(platform)" }
        }

        let row: String
        let platform: String
        let signsIn: Bool
        let agrees: Bool
        let closing: Set<CheckID>
        let failing: Set<CheckID>

        var place: Place { Place(row: row, platform: platform) }

        /// Whether the checks that decide also decide rows with the other result: a profile states one level for each check.
        func sharesItsLevel(with rows: [Comparison]) -> Bool {
            let others = rows.filter { $0.agrees && $0.signsIn != signsIn }
            if signsIn { return !closing.isEmpty && closing.isSubset(of: others.flatMap(\.closing)) }
            let ordinary = rows.first { $0.row == PlatformRunTests.noDeparture }?.failing ?? []
            return !failing.subtracting(ordinary).isDisjoint(with: others.flatMap(\.failing))
        }
    }

    private static let groups = Fault(
        "idtoken.groups.are-lists",
        "UserInfo returns the groups of the ID Token",
        change: { $0.userInfo = { $0["groups"] = ["staff"] } }
    )

    private static func collect(_ faults: [Fault]) async throws -> Laboratory.Run {
        try await Laboratory.collect(
            .codeOnly,
            faults: [PlatformGateTests.claimsInIDToken, groups] + faults,
            profile: "relying-party"
        )
    }

    /// - Parameter runs: A run for each platform; all rows have the same configuration.
    private static func compare(
        _ row: Row,
        _ platforms: [String],
        _ runs: [PreflightRun]
    ) async throws -> [Comparison] {
        let evidence = try await collect(row.faults).evidence
        // The same facts for all platforms.
        let facts = Facts(evidence, profile: Profile(name: "all", title: "all platforms"))
        return zip(zip(platforms, runs), row.cells)
            .compactMap { target, cell in
                let (platform, run) = target
                guard ["+", "R"].contains(cell), own[platform]?.contains(row.name) != true,
                    cell == "R" || reasons[row.name] == nil
                else { return nil }
                let report = run.judge(evidence, facts, now: evidence.endedAt)
                let closing = report.entries.filter { $0.closesGate || $0.blocksOpening }
                // Where only safety closes the gate, the platform signs users in, and they are not safe.
                let isOfSafety = !closing.isEmpty && closing.allSatisfy { $0.closesGate && $0.consequence == .safety }
                let agrees = (cell == "+") == (report.outcome.gate == .open) || cell == "+" && isOfSafety
                return Comparison(
                    row: row.name,
                    platform: platform,
                    signsIn: cell == "+",
                    agrees: agrees,
                    closing: Set(closing.filter(\.closesGate).map(\.id)),
                    failing: Set(report.entries.filter { !$0.verdict.findings.isEmpty }.map(\.id))
                )
            }
    }
}
