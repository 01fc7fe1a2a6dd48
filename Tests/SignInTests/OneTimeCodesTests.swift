import Synchronization
import Testing

@testable import SignIn

/// When codes are handed out: each time step once, never ahead of its time, and with time left to arrive.
@Suite(.timeLimit(.minutes(5))) struct OneTimeCodesTests {
    /// A clock that goes on by waiting alone.
    final class Clock: Sendable {
        private let time: Mutex<Double>
        private let end: Double
        let waits = Mutex<[Double]>([])

        init(_ time: Double, end: Double = .infinity) {
            self.time = Mutex(time)
            self.end = end
        }

        var now: Double { time.withLock(\.self) }

        func wait(_ seconds: Double) {
            waits.withLock { $0.append(seconds) }
            time.withLock { $0 = min($0 + seconds, end) }
        }

        func codes(
            period: Double = 30,
            isFresh: Bool = true,
            make: @escaping @Sendable (Int) -> Credential = { Credential("code \($0)") }
        ) -> OneTimeCodes {
            OneTimeCodes(
                period: period,
                isFresh: isFresh,
                clock: { self.now },
                wait: { self.wait($0) },
                make: make
            )
        }
    }

    private func code(_ answer: OneTimeCodes.Answer) -> String? {
        if case .code(let code) = answer { code.revealed } else { nil }
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var start: Double
        var period = 30.0
        var isFresh = true
        var codes: [String]
        var waits: [Double]
    }

    @Test(arguments: [
        Case(
            testDescription: "at once, then one a period",
            start: 60,
            codes: ["code 2", "code 3", "code 4"],
            waits: [30, 30]
        ),
        Case(
            testDescription: "a code that is nearly over waits for the next",
            start: 88.5,
            codes: ["code 3"],
            waits: [1.5]
        ),
        Case(testDescription: "one with two seconds left does not", start: 88, codes: ["code 2"], waits: []),
        Case(
            testDescription: "the time step of the beginning may be used already",
            start: 61,
            isFresh: false,
            codes: ["code 3", "code 4"],
            waits: [29, 30]
        ),
        Case(
            testDescription: "of short ones a quarter is enough",
            start: 100.4,
            period: 1,
            codes: ["code 100"],
            waits: []
        ),
        Case(
            testDescription: "less than that is not",
            start: 100.8125,
            period: 1,
            codes: ["code 101"],
            waits: [0.1875]
        ),
    ]) func `codes come in their time`(sample: Case) async {
        let clock = Clock(sample.start)
        let codes = clock.codes(period: sample.period, isFresh: sample.isFresh)
        var got: [String] = []
        for _ in sample.codes { got += [code(await codes.next()) ?? "none"] }
        #expect(got == sample.codes)
        #expect(clock.waits.withLock(\.self) == sample.waits)
    }

    @Test func `several at once get codes of their own`() async {
        let clock = Clock(1_000)
        let codes = clock.codes()
        let got = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<12 { group.addTask { self.code(await codes.next()) } }
            return await group.reduce(into: []) { $0.append($1 ?? "none") }
        }
        #expect(Set(got).count == 12 && !got.contains("none"), "\(got)")
    }

    @Test func `where the run ends before the next time step there is none, and none ahead of its time`() async {
        let clock = Clock(61, end: 70)
        let codes = clock.codes()
        #expect(code(await codes.next()) == "code 2")
        #expect(code(await codes.next()) == nil)
        #expect(clock.waits.withLock(\.self) == [29])
    }
}
