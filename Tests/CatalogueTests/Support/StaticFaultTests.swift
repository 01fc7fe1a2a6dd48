import Conformance
import ReferenceProvider
import Testing

@Suite("Faults of documents and handshakes", .timeLimit(.minutes(5)))
struct StaticFaultTests {
    /// The matrix tests cover faults that are visible only at the token endpoint or in a sign-in, and those of a response's bytes.
    private static let faults = (Fault.discovery + Fault.keys + Fault.transport)
        .filter {
            !$0.id.hasSuffix("#token") && !$0.trips.rawValue.hasPrefix("transport.head.")
                && StaticChecks.check($0.trips) != nil
        }

    @Test("documents without faults pass every check")
    func conformant() {
        let provider = DocumentProvider()
        for check in StaticChecks.all {
            let verdict = provider.judge(check)
            let isFine = verdict == .passed || verdict.word == "notApplicable"
            #expect(isFine, "\(check.id): \(verdict)")
        }
    }

    @Test("a fault fails its check, those that it declares, and no other", arguments: faults)
    func trips(fault: Fault) {
        let known = Set(StaticChecks.all.map(\.id))
        var expected = Set([fault.trips] + fault.also).intersection(known)
        // A live test overrides the listed values, but this test runs no sign-in.
        if fault.also.contains("discovery.target.what-works-is-listed") {
            expected.insert("discovery.target.response-types-are-offered")
        }
        let failed = DocumentProvider(fault).failures(of: StaticChecks.all)
        #expect(failed == expected, "more: \(failed.subtracting(expected)), fewer: \(expected.subtracting(failed))")
    }

    @Test("a finding has a message, an expected value and a fix of bounded length", arguments: faults)
    func findingHasTexts(fault: Fault) throws {
        let check = try #require(StaticChecks.check(fault.trips))
        let findings = DocumentProvider(fault).judge(check).findings
        #expect(!findings.isEmpty)
        for finding in findings {
            #expect(!finding.message.isEmpty && !finding.fix.isEmpty && finding.expected?.isEmpty == false)
            let length = finding.message.count + finding.fix.count + (finding.found?.count ?? 0)
            #expect(length < 4_000)
        }
    }

    @Test("every check has a fault")
    func mirrored() {
        let covered = Set(Self.faults.map(\.trips))
        for check in StaticChecks.all where !check.id.rawValue.hasPrefix("transport.head.") {
            #expect(covered.contains(check.id), "\(check.id)")
        }
    }

    @Test("each stage has at least the expected number of checks")
    func counts() {
        let stages = Dictionary(grouping: StaticChecks.all, by: \.id.stage).mapValues(\.count)
        #expect(stages[.discovery, default: 0] >= 46)
        #expect(stages[.keys, default: 0] >= 26)
        #expect(stages[.transport, default: 0] >= 9)
    }
}
