import Foundation
import JSONTree
import Preflight
import Reporting
import TestSupport
import Testing

/// The largest and the oddest documents that are read at all, judged in no time.
///
/// Eight hundred checks compare in as many ways, and nobody counts what they compare: these tests bound seconds of this thread's CPU,
/// which a machine with other work doubles.
@Suite(.serialized, .phase(.timed), .timeLimit(.minutes(5))) struct JudgingTimeTests {
    @Test(arguments: JudgingTests.documents)
    func `a document is judged in two seconds, or 40 times what reading takes`(document: JudgingTests.Document) throws {
        let (run, evidence) = try JudgingTests.run(over: document)
        var start = Self.seconds()
        let report = run.judge(evidence, now: 1_800_000_000)
        let judged = Self.seconds() - start
        // Two seconds, or as many times what reading the document takes this machine.
        let octets = Array((document.keys ?? document.discovery ?? "").utf8)
        start = Self.seconds()
        for _ in 0..<10 { _ = try? JSONDocument.parse(octets) }
        let read = (Self.seconds() - start) / 10
        #expect(judged < max(2, 40 * read), "\(judged) s, \(judged / read) times what reading takes")
        for format in ReportFormat.allCases {
            let start = Self.seconds()
            _ = format.render(report, options: ReportOptions(width: 40, verbosity: .full, explains: true))
            let taken = Self.seconds() - start
            #expect(taken < 5, "\(format): \(taken) s")
        }
    }

    /// Seconds of CPU that this thread has used: other tests run beside.
    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
