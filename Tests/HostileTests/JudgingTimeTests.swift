import Foundation
import JSONTree
import Preflight
import Reporting
import TestSupport
import Testing

/// The largest and strangest documents that are read are checked quickly.
///
/// Eight hundred checks compare values in as many ways. These tests bound the CPU time of this thread, which may double on a busy
/// machine.
@Suite(.serialized, .phase(.timed), .timeLimit(.minutes(5))) struct JudgingTimeTests {
    @Test(arguments: JudgingTests.documents)
    func `a document is checked in 2 seconds, or 40 times what reading takes`(document: JudgingTests.Document) throws {
        let (run, evidence) = try JudgingTests.run(over: document)
        var start = Self.seconds()
        let report = run.judge(evidence, now: 1_800_000_000)
        let judged = Self.seconds() - start
        // Two seconds, or a multiple of the time that this machine needs to read the document.
        let bytes = Array((document.keys ?? document.discovery ?? "").utf8)
        start = Self.seconds()
        for _ in 0..<10 { _ = try? JSONDocument.parse(bytes) }
        let read = (Self.seconds() - start) / 10
        #expect(judged < max(2, 40 * read), "\(judged) s, \(judged / read) times what reading takes")
        for format in ReportFormat.allCases {
            let start = Self.seconds()
            _ = format.render(report, options: ReportOptions(width: 40, verbosity: .full, explains: true))
            let taken = Self.seconds() - start
            #expect(taken < 5, "\(format): \(taken) s")
        }
    }

    /// The CPU time of this thread in seconds, because other tests run concurrently.
    private static func seconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
