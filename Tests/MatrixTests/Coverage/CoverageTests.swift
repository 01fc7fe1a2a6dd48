import Catalogue
import Conformance
import ReferenceProvider
import Testing

/// The minimum coverage of the rows about the provider.
private enum Target {
    static let conditions = 0.95
    static let misconfigurations = 0.90
}

@Suite("Coverage", .timeLimit(.minutes(5)))
struct CoverageTests {
    private static let faults = Dictionary(Fault.all.map { ($0.id, $0) }) { first, _ in first }
    private static let known = Set(Catalogue.all.map(\.id))

    @Test("all 77 modules of the suite have a row")
    func modules() {
        #expect(CoverageTable.modules.rows.count == 77)
        #expect(Set(CoverageTable.modules.rows.map(\.name)).count == 77)
    }

    @Test("all 210 conditions of the suite have a row, section by section")
    func conditions() {
        let counts = Dictionary(grouping: CoverageTable.conditions.rows, by: \.section).mapValues(\.count)
        #expect(counts == ["A": 52, "B": 10, "C": 34, "D": 29, "E": 30, "F": 19, "G": 13, "H": 23])
        #expect(Set(CoverageTable.conditions.rows.map(\.name)).count == 210)
    }

    @Test("all 104 misconfigurations have a row: 1 to 101, and 11a, 11b and 58a")
    func misconfigurations() {
        let expected = (1...101).map(String.init) + ["11a", "11b", "58a"]
        #expect(CoverageTable.misconfigurations.rows.map(\.name).sorted() == expected.sorted())
    }

    @Test(
        "every row has a subject, and either checks or a reason why there are none",
        arguments: CoverageTable.all
    )
    func rowsAreWhole(table: CoverageTable) {
        for row in table.rows {
            #expect(row.kind != nil && !row.text.isEmpty, "\(table.name): \(row)")
            #expect(row.checks.isEmpty == row.faults.isEmpty, "\(table.name): \(row) names checks or faults alone")
            #expect(!row.checks.isEmpty || !row.reason.isEmpty, "\(table.name): \(row) gives no reason")
            #expect(
                row.kind == .provider || row.checks.isEmpty,
                "\(table.name): \(row) has checks although it is not about the provider"
            )
            #expect(row.issues.allSatisfy { $0.wholeMatch(of: /[\w.-]+\/[\w.-]+#\d+/) != nil }, "\(row)")
        }
    }

    @Test("every check that a row names exists", arguments: CoverageTable.all)
    func checksExist(table: CoverageTable) {
        for row in table.rows {
            let strangers = row.checks.filter { !Self.known.contains($0) }
            #expect(strangers.isEmpty, "\(table.name): \(row)")
        }
    }

    @Test("every fault that a row names exists and trips a check of the row", arguments: CoverageTable.all)
    func faultsTrip(table: CoverageTable) {
        for row in table.rows {
            for id in row.faults {
                let tripped = Self.faults[id].map { [$0.trips] + $0.also } ?? []
                let isTripped = tripped.contains { row.checks.contains($0) }
                #expect(isTripped, "\(table.name): \(row) is not implemented by \(id)")
            }
        }
    }

    @Test("every check that a row names is tripped by a fault of the row", arguments: CoverageTable.all)
    func checksAreTripped(table: CoverageTable) {
        for row in table.rows {
            let tripped = row.faults.compactMap { Self.faults[$0] }.flatMap { [$0.trips] + $0.also }
            let idle = row.checks.filter { !tripped.contains($0) }
            #expect(idle.isEmpty, "\(table.name): \(row)")
        }
    }

    @Test("the coverage of the suite's conditions and of the misconfigurations meets the target")
    func shares() {
        #expect(CoverageTable.conditions.share >= Target.conditions)
        #expect(CoverageTable.misconfigurations.share >= Target.misconfigurations)
    }

    @Test("one root cause is one failure: the median fault fails one check, nine of ten fail at most two")
    func oneCauseOneFailure() throws {
        // The fault matrix verifies that each fault fails exactly these.
        let counts = Fault.all.map { Set([$0.trips] + $0.also).count }.sorted()
        let median = try #require(counts.isEmpty ? nil : counts[counts.count / 2])
        #expect(median == 1)
        #expect(counts[counts.count * 9 / 10] <= 2)
    }
}
