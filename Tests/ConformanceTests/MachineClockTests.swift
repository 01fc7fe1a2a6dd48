import Conformance
import Foundation
import Testing

/// Whether this machine's clock can be right.
@Suite(.timeLimit(.minutes(5))) struct MachineClockTests {
    private static let day = 86_400.0

    @Test(
        arguments: [
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (MachineClock.earliest - 1, "Wed, 31 Dec 2025 23:59:59 GMT"), (MachineClock.earliest, nil),
            (1_900_000_000, nil), (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
            (9.3e18, ""), (-.infinity, ""),
        ] as [(Double, String?)]
    )
    func `a clock that no use of this version can show is wrong`(now: Double, shown: String?) {
        let fault = MachineClock.fault(showing: now)
        #expect((fault == nil) == (shown == nil))
        if let shown { #expect(fault?.message.hasPrefix("This machine's clock is wrong: it shows \(shown)") == true) }
        #expect(fault?.message.contains("01 Jan 2026") != false)
    }

    @Test(arguments: [
        (end: 10.0, isRight: true), (-49, true), (69, true), (-51, false), (71, false), (10 + day, false),
        (-day, false),
    ])
    func `a clock that was set by more than a minute during a run is wrong`(end: Double, isRight: Bool) {
        let start = 1_900_000_000.0
        let fault = MachineClock.fault(from: start, to: start + end, elapsed: 10)
        #expect((fault == nil) == isRight)
    }

    /// The program is used on the day of its release.
    @Test func `the earliest time is not after the newest release of the changelog`() throws {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let releases = text.matches(of: #/\d+\.\d+\.\d+ \((\d{4}-\d{2}-\d{2})\)/#).map { String($0.output.1) }
        let newest = try #require(releases.max().flatMap { CalendarDay($0) })
        #expect(MachineClock.earliest < newest.endSecondsSince1970)
    }
}
