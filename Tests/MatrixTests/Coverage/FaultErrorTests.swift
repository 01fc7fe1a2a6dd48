import Conformance
import Testing

@Suite("Errors of a fault", .timeLimit(.minutes(5)))
struct FaultErrorTests {
    @Test("nine of ten faults cause at most two errors")
    func percentile() throws {
        let counts = try FaultErrors.all()
        #expect(FaultErrors.percentile(90, of: counts) <= 2)
        #expect(FaultErrors.percentile(50, of: counts) <= 1)
    }

    @Test("no fault causes an error that its own root cause supersedes")
    func supersedes() throws {
        let reported = try FaultErrors.all().filter { !$0.superseded.isEmpty }
        #expect(reported.isEmpty)
    }

    @Test(
        "the percentile is the smallest number that the given share does not exceed",
        arguments: [(50, 1), (90, 2), (91, 9), (100, 9)]
    )
    func order(_ row: (share: Int, number: Int)) {
        let counts = [0, 1, 1, 1, 1, 2, 2, 2, 2, 9]
            .map { number in
                FaultErrors.Count(fault: "f", errors: Array(repeating: "a.b", count: number), superseded: [])
            }
        #expect(FaultErrors.percentile(row.share, of: counts) == row.number)
    }
}
