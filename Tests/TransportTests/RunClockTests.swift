import Testing
import Transport

/// The machine's clock as a run uses it.
@Suite(.timeLimit(.minutes(5))) struct RunClockTests {
    @Test func `waiting lets the time pass`() async {
        let clock = RunClock.machine
        let (start, uptime) = (clock.now(), clock.uptime())
        await clock.wait(0.01)
        #expect(clock.uptime() - uptime >= 0.01)
        #expect(start > 1_700_000_000)
    }

    @Test func `a wait ends with its task, and one for no time at once`() async {
        await RunClock.machine.wait(-1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await RunClock.machine.wait(86_400)
        }
        await task.value
    }
}
